import { describe, expect, it } from 'vitest';
import {
  deciding,
  hashCanonical,
  Meter,
  nodeId,
  nodeIdIn,
  orThrow,
  type Context,
  type Json,
} from '@assay/kernel';
import { ask, go, puppet, start, telling, type Puppet } from './puppet.js';

const context: Context = {
  run_id: 'run',
  sequence: 12,
  input_hash: orThrow(hashCanonical('input')),
  meter: new Meter(),
  hash: (value) => orThrow(hashCanonical(value)),
};

describe('deciding', () => {
  it('folds events as they are emitted, and leaves the given state alone', () => {
    const before = { log: ['a'] as readonly Json[] };
    const step = deciding(before, puppet.evolve, context);
    step.emit('b');
    step.emit('c');
    expect([step.state.log, before.log]).toEqual([['a', 'b', 'c'], ['a']]);
  });

  it('gives each request the id it will have, and the decision both lists in order', () => {
    const step = deciding({ log: [] as readonly Json[] }, puppet.evolve, context);
    expect([step.ask(ask({ kind: 'one' })), step.ask(ask({ kind: 'two' }))]).toEqual(['12.0', '12.1']);
    step.emit(1);
    expect(step.done({ withdraw: ['1.0'], artifacts: { a: 1 } })).toEqual({
      events: [1],
      asks: [ask({ kind: 'one' }), ask({ kind: 'two' })],
      withdraw: ['1.0'],
      artifacts: { a: 1 },
    });
    expect(deciding({ log: [] }, puppet.evolve, context).done()).toEqual({ events: [], asks: [] });
  });

  it('ids are those the kernel gives: the context’s sequence is that of the decision', () => {
    const seen: string[] = [];
    const asking: Puppet = {
      ...puppet,
      decide: (state, _answer, at) => {
        const step = deciding(state, puppet.evolve, at);
        seen.push(step.ask(ask()), nodeIdIn(at, 'claim', { a: 1 }), at.input_hash);
        return {
          _tag: 'Right',
          right: step.done({ graph: { nodes: [{ kind: 'claim', payload: { a: 1 } }], edges: [] } }),
        };
      },
    };
    const step = go(start(undefined, asking).run, telling('1.0', {}));
    expect(seen).toEqual([
      [...step.run.open][0]?.[0],
      step.run.graph.sortedNodeIds()[0],
      step.records[0]?.record_hash,
    ]);
    expect(step.records[1]?.parent).toBe(step.records[0]?.record_hash);
  });

  it('nodeIdIn is the node’s id', () => {
    expect(nodeIdIn(context, 'seed', { text: 'a' })).toBe(
      nodeId('run', 'seed', orThrow(hashCanonical({ text: 'a' }))),
    );
  });
});
