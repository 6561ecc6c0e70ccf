import { describe, expect, it } from 'vitest';
import {
  advance,
  edgeId,
  err,
  makeHead,
  InvariantError,
  FAILURE_CODES,
  nobleSha256,
  nodeId,
  ok,
  openRun,
  type Decision,
  type Json,
} from '@assay/kernel';
import { hashOf } from '../../tools/ledger-builder.js';
import { ask, failing, go, propose, puppet, start, telling, type Puppet, type PuppetRun } from './puppet.js';
import { KERNEL_CODES } from '../../src/ledger/names.js';

const ZERO = '0'.repeat(64);
const own = nodeId('run', 'claim', hashOf(1), nobleSha256);

function labelOf(body: () => unknown): string {
  try {
    body();
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    // The label, and in words what was wrong.
    expect(error.message.startsWith(`${error.label}: `)).toBe(true);
    expect(error.message.slice(error.label.length + 2)).toMatch(/\w{2}/);
    return error.label;
  }
  return 'no defect';
}

describe('defects of a machine are thrown, and the given run stays usable', () => {
  const run = start({ asks: [ask({ attempts: 3 }), ask()] }).run;

  /** What a decision says, as data a proposal can carry. */
  const told: readonly (readonly [string, string, unknown])[] = [
    ['decision/withdraw', 'an id that is not open', { withdraw: ['9.9'] }],
    ['decision/withdraw', 'the answered request', { withdraw: ['1.0'] }],
    ['decision/withdraw', 'an id named twice', { withdraw: ['1.1', '1.1'] }],
    [
      'decision/asks',
      'an outcome with an ask',
      { asks: [ask()], outcome: { status: 'success', reasons: [] } },
    ],
    ['decision/asks/0/accepts', 'no source', { asks: [ask({ accepts: [] })] }],
    ['decision/asks/1/accepts', 'a source twice', { asks: [ask(), ask({ accepts: ['human', 'human'] })] }],
    [
      'decision/asks/0/accepts',
      'an unknown source beside a known one',
      { asks: [{ ...ask(), accepts: ['human', 'model'] }] },
    ],
    ['decision/asks/0/accepts', 'an unknown source', { asks: [{ ...ask(), accepts: ['model'] }] }],
    ['decision/asks/0/attempts', 'attempts below 0', { asks: [ask({ attempts: -1 })] }],
    ['decision/asks/0/attempts', 'attempts that are no integer', { asks: [ask({ attempts: 1 / 2 })] }],
    ['decision/asks/0/kind', 'a kind that is no name', { asks: [ask({ kind: 'Ask' })] }],
    ['decision/asks/0/body', 'a fraction in a body', { asks: [ask({ body: { n: 1 / 2 } })] }],
    ['decision/events', 'a fraction in an event', { events: [{ n: 1 / 2 }] }],
    ['decision/artifacts/a', 'a fraction in an artifact', { artifacts: { a: 1 / 2 } }],
    ['decision/artifacts', 'an artifact name that is none', { artifacts: { 'A b': 1 } }],
    [
      'decision/graph/nodes',
      'a fraction in a node',
      { graph: { nodes: [{ kind: 'claim', payload: 1 / 2 }], edges: [] } },
    ],
    [
      'decision/graph',
      'an unknown node kind',
      { graph: { nodes: [{ kind: 'thing', payload: 1 }], edges: [] } },
    ],
    [
      'decision/graph',
      'an unknown edge kind',
      {
        graph: {
          nodes: [{ kind: 'claim', payload: 1 }],
          edges: [{ kind: 'supports', from_id: own, to_id: own }],
        },
      },
    ],
    [
      'decision/graph',
      'an unknown edge kind between two nodes',
      {
        graph: {
          nodes: [
            { kind: 'claim', payload: 1 },
            { kind: 'claim', payload: 2 },
          ],
          edges: [{ kind: 'supports', from_id: own, to_id: nodeId('run', 'claim', hashOf(2), nobleSha256) }],
        },
      },
    ],
    [
      'decision/outcome/reasons',
      'reasons that are one text',
      { outcome: { status: 'refused', reasons: 'no_quorum' } },
    ],
    [
      'decision/graph',
      'a missing end',
      {
        graph: {
          nodes: [{ kind: 'claim', payload: 1 }],
          edges: [{ kind: 'contradicts', from_id: own, to_id: ZERO }],
        },
      },
    ],
    [
      'decision/graph',
      'a self edge',
      {
        graph: {
          nodes: [{ kind: 'claim', payload: 1 }],
          edges: [{ kind: 'refines', from_id: own, to_id: own }],
        },
      },
    ],
    [
      'decision/outcome/reasons',
      'a refusal without a reason',
      { outcome: { status: 'refused', reasons: [] } },
    ],
    [
      'decision/outcome/reasons',
      'a reason that is no name',
      { outcome: { status: 'refused', reasons: ['No quorum'] } },
    ],
    ['decision/outcome/status', 'a status that is none', { outcome: { status: 'maybe', reasons: ['x'] } }],
  ];
  for (const [label, fault, decide] of told) {
    it(`${label}: ${fault}`, () => {
      expect(labelOf(() => advance(run, telling('1.0', decide as Partial<Decision>)))).toBe(label);
      expect(go(run, telling('1.0', { events: ['still usable'] })).run.state.log).toEqual(['still usable']);
    });
  }

  it('decision/graph: a cycle over depends_on and refines together, in one decision or over two', () => {
    const [a, b] = [
      nodeId('run', 'claim', hashOf('a'), nobleSha256),
      nodeId('run', 'claim', hashOf('b'), nobleSha256),
    ];
    const nodes = [
      { kind: 'claim' as const, payload: 'a' },
      { kind: 'claim' as const, payload: 'b' },
    ];
    const there = { kind: 'depends_on' as const, from_id: a, to_id: b };
    const back = { kind: 'refines' as const, from_id: b, to_id: a };
    expect(labelOf(() => go(run, telling('1.0', { graph: { nodes, edges: [there, back] } })))).toBe(
      'decision/graph',
    );
    const after = go(run, telling('1.0', { graph: { nodes, edges: [there] } })).run;
    expect(labelOf(() => go(after, telling('1.1', { graph: { nodes: [], edges: [back] } })))).toBe(
      'decision/graph',
    );
    const contradicting = go(
      after,
      telling('1.1', { graph: { nodes: [], edges: [{ ...back, kind: 'contradicts' }] } }),
    ).run;
    expect(contradicting.graph.edgeCount).toBe(2);
    expect(contradicting.graph.hasEdge(edgeId('run', { ...back, kind: 'contradicts' }))).toBe(true);
  });

  for (const [where, label] of [
    ['parse', 'parse/code'],
    ['reject', 'decide/code'],
  ] as const) {
    it(`${label}: every reserved code, and what is no name`, () => {
      for (const code of [...KERNEL_CODES, ...FAILURE_CODES, 'Not a name', '']) {
        expect(
          labelOf(() => advance(run, propose('1.0', { value: { [where]: { code, detail: null } } }))),
          code,
        ).toBe(label);
      }
    });
  }

  it('parse/detail and decide/detail: a detail that is inadmissible', () => {
    for (const [where, label] of [
      ['parse', 'parse/detail'],
      ['reject', 'decide/detail'],
    ] as const) {
      expect(
        labelOf(() => advance(run, propose('1.0', { value: { [where]: { code: 'unfit', detail: 1 / 2 } } }))),
      ).toBe(label);
    }
  });

  /** Machines that break what a proposal's data cannot say. */
  const broken: readonly (readonly [string, string, Partial<Puppet>, PuppetRun | null])[] = [
    ['decide', 'a failure is rejected', { decide: () => err({ code: 'unfit', detail: null }) }, null],
    [
      'decision/events',
      'an event that is no JSON',
      { decide: () => ok({ events: [undefined as unknown as Json] }) },
      null,
    ],
    [
      'decision/events',
      'a date in an event',
      { decide: () => ok({ events: [new Map() as unknown as Json] }) },
      null,
    ],
    [
      'decision/events',
      'a malformed token in an event',
      { decide: () => ok({ events: [{ $sealed: 'x' }] }) },
      null,
    ],
    [
      'decision/events',
      'a key beside a token in an event',
      { decide: () => ok({ events: [{ $sealed: ZERO, more: 1 }] }) },
      null,
    ],
    ['encode', 'a fraction in the state', { encode: () => 1 / 2 }, null],
    ['encode', 'a malformed token in the state', { encode: () => ({ deep: [{ $blob: {} }] }) }, null],
    ['encode', 'a state that is no JSON', { encode: () => [undefined] as unknown as Json }, null],
    ['encode', 'a lone surrogate in the state', { encode: () => '\ud800' }, null],
    ['encode', 'a lone surrogate in a key of the state', { encode: () => ({ '\udc00': 1 }) }, null],
  ];
  for (const [label, fault, part] of broken) {
    it(`${label}: ${fault}`, () => {
      const sound = start({ asks: [ask({ attempts: 1 })] }).run;
      const unsound = { ...sound, machine: { ...puppet, ...part } };
      expect(labelOf(() => advance(unsound, failing('1.0')))).toBe(label);
    });
  }

  it('context/hash: what is no JSON', () => {
    const hasher = {
      ...puppet,
      decide: (...[, , context]: Parameters<Puppet['decide']>) =>
        ok({ events: [context.hash(undefined as unknown as Json)] }),
    };
    expect(labelOf(() => advance({ ...run, machine: hasher }, propose('1.0')))).toBe('context/hash');
  });

  it('open: a reserved code, a name that is none and a float in the first decision', () => {
    const opening = (machine: Puppet, first: unknown = {}): unknown =>
      openRun(machine, { run_id: 'run', ts_base: 't', policy: { first } as Json, input: null });
    expect(labelOf(() => opening({ ...puppet, open: () => err({ code: 'not_open', detail: null }) }))).toBe(
      'open/code',
    );
    expect(labelOf(() => opening({ ...puppet, open: () => err({ code: 'unfit', detail: 1 / 2 }) }))).toBe(
      'open/detail',
    );
    expect(labelOf(() => opening(puppet, { events: [1 / 2] }))).toBe('decision/events');
    expect(() => opening({ ...puppet, name: 'Puppet' })).toThrow(RangeError);
    for (const version of [1 / 2, -1, 2 ** 53, '1' as unknown as number])
      expect(() => opening({ ...puppet, version })).toThrow(/^machine\.version: \w+/);
    expect(() => opening({ ...puppet, name: 'Puppet' })).toThrow(/^machine\.name: \w+/);
    expect(
      openRun({ ...puppet, version: 0 }, { run_id: 'run', ts_base: 't', policy: { first: {} }, input: null })
        ._tag,
    ).toBe('Right');
  });

  it('a throw inside evolve, encode or decide leaves the given run as it was, to the byte', () => {
    const drawn = go(
      run,
      telling('1.1', { graph: { nodes: [{ kind: 'seed', payload: 0 }], edges: [] } }),
    ).run;
    const wanted = telling('1.0', {
      events: [1],
      graph: { nodes: [{ kind: 'claim', payload: 1 }], edges: [] },
      asks: [ask()],
      artifacts: { a: 1 },
    });
    const expected = go(drawn, wanted).records.map(({ record_hash }) => record_hash);
    for (const part of ['evolve', 'encode', 'decide', 'parse'] as const) {
      const throwing = {
        ...drawn,
        machine: {
          ...puppet,
          [part]: () => {
            throw new Error('a fault');
          },
        },
      };
      expect(() => advance(throwing, wanted), part).toThrow('a fault');
      expect(makeHead(drawn).count).toBe(4);
      expect([drawn.graph.nodeCount, drawn.state.log.length, drawn.open.size, drawn.artifacts.size]).toEqual([
        1, 0, 1, 0,
      ]);
      expect(go(drawn, wanted).records.map(({ record_hash }) => record_hash)).toEqual(expected);
    }
  });
});
