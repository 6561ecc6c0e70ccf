import { describe, expect, it } from 'vitest';
import { advance, openRun, type Decision, type Json } from '@assay/kernel';
import { native } from './native.js';
import {
  ask,
  failing,
  go,
  kinds,
  payloadAt,
  propose,
  puppet,
  start,
  telling,
  type Puppet,
  type PuppetRun,
} from './puppet.js';

/**
 * Doubles a text until a record line cannot hold it: 17 MiB of derived data from a proposal of a few bytes.
 */
const HUGE = 'x'.repeat(17 * 1024 * 1024);
const MANY: readonly Json[] = new Array<Json>(262_144).fill(0);

/** Grows what a proposal names by a word into what no line can hold. */
const growing: Puppet = {
  ...puppet,
  decide: (state, answer, context) => {
    const value = answer.input._tag === 'Right' ? answer.input.right : null;
    if (value === 'event') return { _tag: 'Right', right: { events: [HUGE] } };
    if (value === 'marks') return { _tag: 'Right', right: { events: [MANY] } };
    if (value === 'deep') return { _tag: 'Right', right: { events: [nested(254)] } };
    if (value === 'artifact')
      return {
        _tag: 'Right',
        right: { events: ['kept out'], artifacts: { a: 'small', b: HUGE }, withdraw: ['1.1'] },
      };
    if (value === 'asks')
      return { _tag: 'Right', right: { events: [], asks: new Array(65_536).fill(ask({ body: null })) } };
    if (typeof value === 'number')
      return { _tag: 'Right', right: { events: [], asks: new Array(value).fill(ask()) } };
    if (value === 'detail') return { _tag: 'Left', left: { code: 'unfit', detail: HUGE } };
    return puppet.decide(state, answer, context);
  },
};

function nested(depth: number): Json {
  let value: Json = 0;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

describe('limits of derived records', () => {
  const of = (onFailure?: unknown, attempts = 2): PuppetRun =>
    start(
      { asks: [ask({ attempts, body: onFailure === undefined ? null : ({ onFailure } as Json) }), ask()] },
      growing,
      { options: { sha256: native } },
    ).run;

  for (const value of ['event', 'marks', 'deep', 'artifact', 'asks']) {
    it(`${value}: the same answer goes to decide once more as exhausted limit_bytes`, () => {
      const step = go(of(), propose('1.0', { value, spent: { tokens: 3 } }));
      expect(kinds(step)).toEqual(['proposal', 'decision']);
      expect(payloadAt(step, -1)['events']).toEqual([
        { failed: { code: 'exhausted', final: true, detail: { code: 'limit_bytes' } }, spent: { tokens: 3 } },
      ]);
      expect([...step.run.open].map(([id]) => id)).toEqual(['1.1']);
      expect(step.run.artifacts.size).toBe(0);
    });
  }

  it('the machine may refuse then with its own artifact', () => {
    const refusal: Partial<Decision> = {
      events: ['too large'],
      artifacts: { refusal: { why: 'limit' } },
      withdraw: ['1.1'],
      outcome: { status: 'refused', reasons: ['too_large'] },
    };
    const step = go(of(refusal), propose('1.0', { value: 'event' }));
    expect(kinds(step)).toEqual(['proposal', 'decision', 'artifact', 'close']);
    expect(payloadAt(step, -1)).toMatchObject({
      status: 'refused',
      reasons: ['too_large'],
      open_requests: [],
    });
  });

  it(
    'where that group exceeds a limit too, the run closes with the empty refusal; the ' +
      'answered request is closed, all else as before',
    () => {
      const first = go(
        of(),
        telling('1.1', {
          artifacts: { kept: 1 },
          graph: { nodes: [{ kind: 'seed', payload: 1 }], edges: [] },
          asks: [ask()],
          events: ['before'],
        }),
      );
      const stubborn = {
        ...first.run,
        machine: {
          ...growing,
          decide: () => ({ _tag: 'Right' as const, right: { events: [HUGE], withdraw: ['3.0'] } }),
        },
      };
      const step = go(stubborn, propose('1.0', { value: 'event' }));
      expect(kinds(step)).toEqual(['proposal', 'decision', 'close']);
      expect(payloadAt(step, 1)).toMatchObject({ events: [], requests: [], withdrawn: [], graph: null });
      expect(payloadAt(step, 2)).toMatchObject({
        status: 'refused',
        reasons: ['limit_bytes'],
        open_requests: ['3.0'],
        dag_root_hash: first.run.graph.root(native),
      });
      expect(Object.keys(payloadAt(step, 2)['artifact_hashes'] as object)).toEqual(['kept']);
      expect(step.run.state.log).toEqual(['before']);
      expect(step.run.outcome).toBe('refused');
    },
  );

  it('a failure that leads beyond a limit is decided once more likewise', () => {
    const deep: Puppet = { ...growing, decide: () => ({ _tag: 'Right', right: { events: [nested(254)] } }) };
    const step = go({ ...of(), machine: deep }, failing('1.0', { final: true }));
    expect(kinds(step)).toEqual(['proposal', 'decision', 'close']);
    expect(payloadAt(step, 2)['reasons']).toEqual(['limit_bytes']);
  });

  it('the largest group that fits is kept: depth 256 with the record itself', () => {
    // record 1, payload 2, events 3, then 253 arrays
    const step = go(of(), telling('1.0', {}));
    expect(step.rejection).toBeNull();
    const deepest = {
      ...puppet,
      decide: () => ({ _tag: 'Right' as const, right: { events: [nested(253)] } }),
    };
    expect(kinds(go({ ...of(), machine: deepest }, propose('1.0')))).toEqual(['proposal', 'decision']);
    expect(go({ ...of(), machine: deepest }, propose('1.0')).run.state.log).toHaveLength(1);
  });

  it('a rejection that is too large keeps its code with detail null, and uses its attempt', () => {
    const step = go(of(), propose('1.0', { value: 'detail' }));
    expect(step.rejection).toEqual({ code: 'unfit', detail: null });
    expect(payloadAt(step, -1)).toEqual({ code: 'unfit', detail: null });
    expect(step.run.open.get('1.0')?.rejections).toBe(1);
  });

  it(
    'a rejection too large on the last attempt reaches decide whole, and what it makes of it ' +
      'is measured again',
    () => {
      const step = go(of(undefined, 1), propose('1.0', { value: 'detail' }));
      expect(payloadAt(step, 1)['events']).toMatchObject([{ failed: { detail: { code: 'limit_bytes' } } }]);
    },
  );

  it('65,536 requests may be open, not one more', () => {
    // A record line holds some 37,000 requests: the table fills over three decisions.
    let { run } = start({ asks: new Array(4).fill(ask({ attempts: 1 })) }, growing, {
      options: { sha256: native },
    });
    for (const [id, count] of [
      ['1.0', 30_000],
      ['1.1', 30_000],
      ['1.2', 5_535],
    ] as const)
      run = go(run, propose(id, { value: count })).run;
    expect(run.open.size).toBe(65_536);
    const swapped = go(run, propose('3.0', { value: 1 }));
    expect(swapped.run.open.size).toBe(65_536);
    const over = go(swapped.run, propose('3.1', { value: 2 }));
    expect(payloadAt(over, 1)['events']).toMatchObject([
      { failed: { code: 'exhausted', detail: { code: 'limit_bytes' } } },
    ]);
    expect(over.run.open.size).toBe(65_535);
    const withdrawn = go(swapped.run, telling('3.1', { asks: [ask(), ask()], withdraw: ['3.2'] }));
    expect(withdrawn.run.open.size).toBe(65_536);
    const closed = go(swapped.run, telling('3.1', { outcome: { status: 'success', reasons: [] } }));
    expect(payloadAt(closed, -1)['open_requests']).toHaveLength(65_535);
  });

  it('openRun: a first group beyond a limit is a Left', () => {
    const opening = (first: unknown, machine: Puppet = puppet): unknown =>
      openRun(machine, { run_id: 'run', ts_base: 't', policy: { first } as Json, input: null });
    const huge = {
      ...puppet,
      open: () => ({ _tag: 'Right' as const, right: { state: { log: [] }, decision: { events: [HUGE] } } }),
    };
    expect(opening({}, huge)).toEqual({ _tag: 'Left', left: { code: 'limit_bytes', detail: null } });
    const crowd = {
      ...puppet,
      open: () => ({
        _tag: 'Right' as const,
        right: { state: { log: [] }, decision: { events: [], asks: new Array(65_537).fill(ask()) } },
      }),
    };
    expect(opening({}, crowd)).toEqual({ _tag: 'Left', left: { code: 'limit_bytes', detail: null } });
  });

  it('what comes from outside is measured whole: 4 MiB, depth 64, 65,536 values', () => {
    const { run } = start({ asks: [ask()] });
    const largest = 4_194_304 - Buffer.byteLength(JSON.stringify(propose('1.0', { value: '' })));
    expect(advance(run, propose('1.0', { value: 'x'.repeat(largest) }))._tag).toBe('Right');
    expect(advance(run, propose('1.0', { value: 'x'.repeat(largest + 1) }))).toMatchObject({
      left: { code: 'inadmissible', reason: 'size' },
    });
    expect(advance(run, propose('1.0', { value: nested(63) }))._tag).toBe('Right');
    expect(advance(run, propose('1.0', { value: nested(64) }))).toMatchObject({
      left: { code: 'inadmissible', reason: 'depth' },
    });
    const given = openRun(puppet, { run_id: 'run', ts_base: 't', policy: { first: {} }, input: nested(64) });
    expect(given).toMatchObject({ left: { code: 'inadmissible', detail: { reason: 'depth' } } });
  });
});

describe('artifact names', () => {
  it('beyond 65,536 of them a run refuses, and its close fits', () => {
    const many = (from: number): { readonly [name: string]: Json } =>
      Object.fromEntries(
        Array.from({ length: 40_000 }, (_, index) => [
          `a${'x'.repeat(56)}${String(from + index).padStart(6, '0')}`,
          null,
        ]),
      );
    let count = 0;
    const decide: Puppet['decide'] = (_, { input }) => {
      if (input._tag === 'Left')
        return {
          _tag: 'Right',
          right: { events: [], outcome: { status: 'refused', reasons: ['too_many'] } },
        };
      count += 40_000;
      return { _tag: 'Right', right: { events: [], asks: [ask()], artifacts: many(count) } };
    };
    const first = go(start(undefined, { ...puppet, decide }).run, propose('1.0'));
    expect(first.run.artifacts.size).toBe(40_000);
    const id = [...first.run.open][0]?.[0] ?? '';
    const second = go(first.run, propose(id));
    expect(second.run.outcome).toBe('refused');
    expect(payloadAt(second, -1)['reasons']).toEqual(['too_many']);
  });
});
