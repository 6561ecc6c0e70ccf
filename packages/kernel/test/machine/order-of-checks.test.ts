import { describe, expect, it } from 'vitest';
import { advance, type Json, type Proposal } from '@assay/kernel';
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

const REJECTING: Json = { reject: { code: 'unfit', detail: { n: 1 } } };
const UNPARSED: Json = { parse: { code: 'garbled', detail: { n: 2 } } };

/** Each row has every fault of the rows below it that can stand beside its own: its code wins. */
describe('order of checks: one code per bad answer', () => {
  const open = (): PuppetRun => start({ asks: [ask({ attempts: 3 })] }).run;
  const closed = (): PuppetRun =>
    go(open(), telling('1.0', { outcome: { status: 'success', reasons: [] } })).run;
  const undefinedInside = { ...propose('9.9', { source: 'human', value: UNPARSED }), extra: undefined };

  const lefts: readonly (readonly [string, string | null, string, PuppetRun, unknown])[] = [
    ['run_closed', null, '', closed(), undefinedInside],
    ['inadmissible', 'undefined', '/extra', open(), undefinedInside],
    ['inadmissible', 'token', '/value', open(), { ...propose('x'), value: { $sealed: 1 } }],
    [
      'inadmissible',
      'reserved_key',
      '/provenance',
      open(),
      { ...propose('x'), provenance: { $sealed: '0'.repeat(64), a: 1 } },
    ],
    ['inadmissible', 'size', '', open(), propose('x', { value: 'é'.repeat(2_200_000) })],
    ['inadmissible', 'values', '', open(), propose('x', { value: new Array<Json>(70_000).fill(0) })],
    ['proposal_shape', null, '/request_id', open(), propose('x', { source: 'human', value: UNPARSED })],
    ['proposal_shape', null, '', open(), { ...propose('9.9'), extra: null }],
    ['proposal_shape', null, '', open(), 'text'],
    ['proposal_shape', null, '/value', open(), { ...failing('9.9'), value: 1 }],
    ['proposal_shape', null, '/confidence', open(), { ...failing('9.9'), confidence: 1 }],
    ['proposal_shape', null, '/failure/detail', open(), failing('9.9', { detail: 1 / 2 })],
  ];
  for (const [code, reason, path, run, given] of lefts) {
    it(`${code}${reason === null ? '' : ` (${reason})`} at "${path}": nothing is recorded`, () => {
      expect(advance(run, given)).toEqual({ _tag: 'Left', left: { code, path, reason } });
    });
  }

  const recorded: readonly (readonly [string, Proposal, Json, boolean, boolean])[] = [
    ['not_open', propose('9.9', { source: 'human', value: UNPARSED }), null, false, false],
    ['not_open', failing('1.1', { code: 'lost', final: true }), null, false, false],
    ['source_not_accepted', propose('1.0', { source: 'human', value: UNPARSED }), null, false, true],
    ['timeout', failing('1.0', {}, { source: 'human' }), null, true, true],
    [
      'garbled',
      propose('1.0', { value: { ...(UNPARSED as object), ...(REJECTING as object) } }),
      { n: 2 },
      true,
      true,
    ],
    ['unfit', propose('1.0', { value: REJECTING }), { n: 1 }, true, true],
  ];
  for (const [code, proposal, detail, usesAttempt, isCharged] of recorded) {
    it(
      `${code}${proposal.failure === null ? '' : ' (of a failure)'}: recorded, ` +
        `${usesAttempt ? 'an attempt used' : 'no attempt used'}, ` +
        `${isCharged ? 'spend counted' : 'spend only in the record'}`,
      () => {
        const step = go(open(), { ...proposal, spent: { tokens: 5, ms: 0 } });
        expect(kinds(step)).toEqual(['proposal', 'rejection']);
        expect(payloadAt(step, -1)).toEqual({ code, detail });
        expect(step.rejection).toEqual({ code, detail });
        expect(step.run.open.get('1.0')).toMatchObject({
          rejections: usesAttempt ? 1 : 0,
          spent: isCharged ? { tokens: 5, ms: 0 } : {},
        });
        expect(step.run.state).toEqual({ log: [] });
      },
    );
  }

  it('the row before the last: a value that none of the checks catches is decided on', () => {
    const step = go(open(), telling('1.0', { events: ['done'] }));
    expect(kinds(step)).toEqual(['proposal', 'decision']);
    expect(step.rejection).toBeNull();
    expect(step.run.open.has('1.0')).toBe(false);
  });

  it('a failure is accepted from any source, a value only from those the request names', () => {
    for (const source of [
      'live_model',
      'recorded_model',
      'rule',
      'human',
      'tool',
      'retrieval',
      'clock',
      'synthetic',
      'run',
    ] as const) {
      expect(go(open(), failing('1.0', { final: true }, { source })).rejection).toBeNull();
      expect(go(open(), telling('1.0', {}, { source })).rejection?.code ?? 'accepted').toBe(
        source === 'synthetic' ? 'accepted' : 'source_not_accepted',
      );
    }
  });

  it('every failure code that is not final is a rejection by its own code, with detail null', () => {
    for (const code of [
      'timeout',
      'unavailable',
      'denied',
      'malformed',
      'cancelled',
      'lost',
      'exhausted',
    ] as const) {
      expect(go(open(), failing('1.0', { code, detail: { why: 'x' } })).rejection).toEqual({
        code,
        detail: null,
      });
    }
  });

  it('a sum of spent beyond 2^53-1 is proposal_shape at its unit, for an open request only', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const { run } = go(
      start({ asks: [ask({ attempts: 0 })] }).run,
      failing('1.0', {}, { spent: { tokens: most } }),
    );
    expect(advance(run, failing('1.0', {}, { spent: { ms: 1, tokens: 1 } }))).toEqual({
      _tag: 'Left',
      left: { code: 'proposal_shape', path: '/spent/tokens', reason: null },
    });
    expect(go(run, failing('1.0', {}, { spent: { ms: 1, tokens: 0 } })).run.open.get('1.0')?.spent).toEqual({
      ms: 1,
      tokens: most,
    });
    expect(go(run, failing('7.0', {}, { spent: { tokens: 1 } })).rejection?.code).toBe('not_open');
  });

  it('parse and decide never see provenance', () => {
    const seen: unknown[] = [];
    const spy: Puppet = {
      ...puppet,
      decide: (state, answer, context) => (seen.push(answer), puppet.decide(state, answer, context)),
    };
    go(start(undefined, spy).run, telling('1.0', {}, { provenance: { model: 'x' }, cites: [] }));
    expect(Object.keys((seen[0] as { readonly proposal: object }).proposal).sort()).toEqual([
      'at_us',
      'cites',
      'confidence',
      'failure',
      'proposer',
      'request_id',
      'source',
      'spent',
      'value',
    ]);
  });
});
