import fc from 'fast-check';
import { nativeSha256 } from '@assay/host';
import { advance, openRequests, openRun, orThrow, type Json, type JsonObject, type Run } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../kernel/tools/laws.ts';
import { gate, type GateAnswer, type GateAsk, type GateEvent, type GateState } from '../src/machine/index.js';
import { digest } from '../tools/arbitraries.js';

const runs = lawRuns('gate budgets', 0.3);
type GateRun = Run<GateState, GateAnswer, GateEvent, GateAsk>;

const SECOND = 1_000_000;
const start = (policy: JsonObject): GateRun =>
  orThrow(
    openRun(
      gate,
      {
        run_id: 'budgets',
        ts_base: 'T',
        policy: { gate: 1, allow: ['*'], ...policy },
        input: { about: 'budgets', from: null },
      },
      { sha256: nativeSha256 },
    ),
  ).run;

function answer(run: GateRun, kind: string, value: Json, more: object = {}): GateRun {
  const request = openRequests(run).find((each) => each.kind === kind);
  if (request === undefined) return run;
  const source = kind === 'perform' ? 'tool' : kind === 'approve' ? 'human' : 'rule';
  const said = {
    request_id: request.id,
    source,
    proposer: 'test',
    confidence: null,
    value,
    failure: null,
  } as const;
  return orThrow(advance(run, { ...said, at_us: 0, spent: {}, cites: [], provenance: {}, ...more })).run;
}

const call = (run: GateRun, n: number, at_us = 0): GateRun =>
  answer(
    run,
    'call',
    { principal: 'main', call_id: `${n}`, tool: 'search', input: { n }, digest: digest({ n }) },
    { at_us },
  );
const perform = (run: GateRun, spent = {}): GateRun =>
  answer(run, 'perform', { ok: true, digest: digest(null), bytes: 4 }, { spent });
const used = (run: GateRun): number =>
  run.state.used.sorted().reduce((sum, [, use]) => sum + use.used + use.held, 0);

describe('the budgets of a gate', () => {
  it.each([{}, { window: '1h' }])('stay counts whatever a tool says that it cost: %o', (window) => {
    const most = Number.MAX_SAFE_INTEGER;
    let run = start({ mode: 'observe', budgets: [{ unit: 'tokens', max: most, ...window }] });
    for (const n of [1, 2, 3]) run = perform(call(run, n), { tokens: most - n });
    expect(used(run)).toBe(most);
    expect(run.state.counts.done).toBe(3);
  });

  it('gate/no-budget-of-calls-is-passed-whatever-is-in-flight', () => {
    fc.assert(
      fc.property(
        fc.nat(5),
        fc.array(fc.constantFrom('call', 'perform', 'lose', 'free'), { maxLength: 25 }),
        (max, steps) => {
          let run = start({ budgets: [{ max }] });
          for (const [n, step] of steps.entries()) {
            if (step === 'call') run = call(run, n);
            if (step === 'perform') run = perform(run);
            if (step === 'lose' || step === 'free') {
              const failure = { code: step === 'lose' ? 'lost' : 'cancelled', final: true, detail: null };
              run = answer(run, 'perform', null, { failure });
            }
            expect(used(run)).toBeLessThanOrEqual(max);
          }
          while (run.state.open.size > 0) run = perform(run);
          expect(run.state.used.sorted().every(([, { held }]) => held === 0)).toBe(true);
        },
      ),
      runs,
    );
  });

  it('a window lets go of an amount at most one part late, and never early', () => {
    fc.assert(
      fc.property(fc.nat(400), (gap) => {
        let run = call(start({ budgets: [{ max: 1, window: '2m' }] }), 1, 0);
        run = call(perform(run), 2, gap * SECOND);
        const isAllowed = run.state.counts.allowed === 2;
        if (gap < 120) expect(isAllowed).toBe(false);
        if (gap >= 122) expect(isAllowed).toBe(true);
      }),
      runs,
    );
  });

  it('what a call cost is charged as it says, else at its bound', () => {
    const policy = {
      budgets: [{ max: 100, unit: 'tokens' }],
      bounds: [{ tool: '*', unit: 'tokens', max: 10 }],
    };
    const opened = call(start(policy as JsonObject), 1);
    expect(used(perform(opened, { tokens: 3 }))).toBe(3);
    expect(used(perform(opened))).toBe(10);
    expect(used(opened)).toBe(10);
  });
});
