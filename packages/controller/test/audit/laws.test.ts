import type { EvidenceRecord } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../kernel/tools/laws.js';
import { isOk, openRequests, openRun, orThrow, advance, type Json } from '@assay/kernel';
import { auditor, defaultAuditPolicy, type AuditReport } from '../../src/audit/index.js';
import type { AuditPolicy } from '../../src/audit/state.js';
import { controller } from '../../src/index.js';
import { answers, genesis } from '../../tools/arbitraries.js';
import { audited, cleanRuns, codesOf, playClean } from '../lib/auditing.js';

/**
 * As many as five seconds of CPU time hold: a random run costs a third of a clean one, and three clean ones
 * as much again.
 */
const runs = lawRuns('audit/laws: random runs', 1);
const prefixRuns = lawRuns('audit/laws: prefixes', 0.5);
const cleanRunsTold = lawRuns('audit/laws: clean traces', 0.3);
/** Milliseconds that a law may take on a machine with other work. */
const LONG = 240_000;

/** Every report of a fold: those that were due, and the last one on demand. */
function reportsOn(
  records: readonly EvidenceRecord[],
  policy: AuditPolicy,
  piecesAt: readonly number[] = [],
): readonly AuditReport[] {
  const { start, feed, report, encode, decode } = auditor({ policy });
  const reports: AuditReport[] = [];
  let state = start;
  for (const [index, record] of records.entries()) {
    // A restart: the state goes out as text and comes back.
    if (piecesAt.includes(index)) state = orThrow(decode(JSON.parse(JSON.stringify(encode(state))) as Json));
    const fed = feed(state, record);
    state = fed.state;
    if (fed.due !== null) reports.push(fed.due);
  }
  return [...reports, report(state).report];
}

/** A random run of roles that mostly fit, as far as it gets. */
function randomRun(seed: number, steps: number): readonly EvidenceRecord[] {
  const opened = orThrow(openRun(controller, fc.sample(genesis(), { seed, numRuns: 1 })[0] ?? fail()));
  const records: EvidenceRecord[] = [...opened.records];
  let { run } = opened;
  for (let step = 0; step < steps; step += 1) {
    const open = openRequests(run);
    const request = open[(seed + step) % Math.max(1, open.length)];
    if (request === undefined) break;
    const value =
      fc.sample(answers(request as never, run.state), { seed: seed + step, numRuns: 1 })[0] ?? null;
    const next = advance(run, {
      request_id: request.id,
      source: request.accepts[0] ?? 'rule',
      proposer: 'p',
      confidence: null,
      value,
      failure: null,
      at_us: step * 1_000,
      spent: {},
      cites: [],
      provenance: {},
    });
    if (!isOk(next)) throw new Error(JSON.stringify(next.left));
    run = next.right.run;
    records.push(...next.right.records);
  }
  return records;
}

function fail(): never {
  throw new Error('no sample');
}

describe('law-U1: what the auditor says is a function of the records it was fed', () => {
  const policies = fc
    .record({ every_records: fc.constantFrom(0, 1, 7, 20), every_us: fc.constantFrom(0, 5_000, 300_000_000) })
    .map((every) => ({ ...defaultAuditPolicy, ...every }));

  it('law-U1: in one piece or in many, with the state written and read in between', () => {
    fc.assert(
      fc.property(
        fc.nat(100_000),
        fc.integer({ min: 0, max: 40 }),
        policies,
        fc.array(fc.nat(80)),
        (seed, steps, policy, pieces) => {
          const records = randomRun(seed, steps);
          expect(reportsOn(records, policy, pieces)).toEqual(reportsOn(records, policy));
        },
      ),
      runs,
    );
  });

  it('law-U1: the reports on a prefix are the first reports on the whole', { timeout: LONG }, () => {
    fc.assert(
      fc.property(cleanRuns, fc.nat(40), policies, (clean, cut, policy) => {
        const { records } = playClean(clean);
        const whole = reportsOn(records, policy);
        const before = reportsOn(records.slice(0, cut), policy).slice(0, -1);
        expect(whole.slice(0, before.length)).toEqual(before);
      }),
      prefixRuns,
    );
  });

  it('law-U1: every record is in exactly one report, and every count in one', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.integer({ min: 0, max: 40 }), policies, (seed, steps, policy) => {
        const records = randomRun(seed, steps);
        const reports = reportsOn(records, policy);
        const whole = audited(records);
        expect(sum(reports, (report) => report.records)).toBe(records.length);
        expect(sum(reports, (report) => report.total_corrections)).toBe(whole.total_corrections);
        expect(
          sum(reports, (report) => report.answers.accepted + report.answers.rejected + report.answers.failed),
        ).toBe(records.filter(({ kind }) => kind === 'proposal').length);
        for (const report of reports.slice(0, -1)) expect(report.trigger).toBe('periodic');
        expect(reports.at(-1)?.trigger).toBe('on-demand');
      }),
      runs,
    );
  });

  it('law-U1: feeding changes no state: the same state may be fed twice', () => {
    const { start, feed, report, encode } = auditor();
    const { records } = playClean({
      subtasks: 2,
      criteria: 1,
      inTurn: true,
      hardRounds: 1,
      retry: true,
      clock: 'asked',
      memory: true,
      permanent: true,
    });
    const half = records.slice(0, 20).reduce((state, record) => feed(state, record).state, start);
    const before = JSON.stringify(encode(half));
    const once = records.slice(20).reduce((state, record) => feed(state, record).state, half);
    const twice = records.slice(20).reduce((state, record) => feed(state, record).state, half);
    expect(JSON.stringify(encode(half))).toBe(before);
    expect(report(twice).report).toEqual(report(once).report);
    expect(report(report(once).state).report).toMatchObject({
      records: 0,
      window_start: null,
      tasks_observed: 0,
    });
  });
});

describe('law-U4: a clean trace gives no alert', () => {
  it('law-U4: one run, with corrections and replans', () => {
    fc.assert(
      fc.property(cleanRuns, (clean) => {
        const { records, result, rejections } = playClean(clean);
        expect(rejections).toEqual([]);
        expect(result?.directive).toMatch(/accept|success|abandon/);
        expect(codesOf(audited(records))).toEqual([]);
      }),
      cleanRunsTold,
    );
  });

  it('law-U4: many runs one after another, in one window and in many', { timeout: LONG }, () => {
    fc.assert(
      fc.property(fc.array(cleanRuns, { minLength: 1, maxLength: 3 }), (tasks) => {
        const records = tasks.flatMap((clean) => playClean(clean).records);
        expect(audited(records)).toMatchObject({
          tasks_observed: tasks.length,
          boundary_violations: [],
          drift_alerts: [],
          anomalies: [],
          unseen: { erased: 0, requests: 0 },
        });
        for (const report of reportsOn(records, { ...defaultAuditPolicy, every_records: 9 }))
          expect(codesOf(report)).toEqual([]);
      }),
      cleanRunsTold,
    );
  });
});

function sum(reports: readonly AuditReport[], count: (report: AuditReport) => number): number {
  return reports.reduce((total, report) => total + count(report), 0);
}
