/**
 * Ledgers of others: other machines, other writers, erased records, garbage. The fold is total and bounded.
 */
import type { EvidenceRecord, Json } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryAdmitted } from '../../../kernel/tools/arbitrary-json.js';
import { lawRuns } from '../../../kernel/tools/laws.js';
import { auditor } from '../../src/audit/index.js';
import { type AuditPolicy, OPEN_MAX } from '../../src/audit/state.js';
import {
  AT_THE_END,
  audited,
  codesOf,
  decisionsOf,
  edited,
  ledgerOf,
  messageEvent,
  playClean,
  recordOf,
  type Clean,
} from '../lib/auditing.js';

const runs = lawRuns('audit/foreign', 1);
const CLEAN: Clean = {
  subtasks: 2,
  criteria: 2,
  inTurn: true,
  hardRounds: 1,
  retry: true,
  clock: 'asked',
  memory: true,
  permanent: true,
};

const genesisOf = (name: string): Json => ({
  run_id: 'theirs',
  machine: { name, version: 1, engine: null },
  policy: null,
  input: null,
  base: null,
});
const answer = (request_id: string, source: string, more: Record<string, Json> = {}): Json => ({
  request_id,
  source,
  proposer: 'them',
  confidence: null,
  value: 1,
  failure: null,
  at_us: null,
  spent: {},
  cites: [],
  provenance: {},
  ...more,
});
const opens = (id: string, accepts: readonly string[], more: Record<string, Json> = {}): Json => ({
  events: [],
  requests: [{ id, kind: 'ask', body: null, accepts, attempts: 1 }],
  withdrawn: [],
  graph: null,
  state_hash: null,
  ...more,
});

const ledger = (...rows: Parameters<typeof ledgerOf>[0]): readonly EvidenceRecord[] => ledgerOf(rows);

describe('a ledger of a machine that the auditor does not know', () => {
  it('gives its answers and what was let in wrongly, and nothing that is the controller’s', () => {
    const report = audited(
      ledger(
        ['genesis', genesisOf('planner')],
        ['decision', opens('1.0', ['rule'])],
        ['proposal', answer('1.0', 'rule')],
        ['decision', opens('3.0', ['tool'], { events: [messageEvent('R6', 'R2', 'Nonsense')] })],
        [
          'proposal',
          answer('3.0', 'tool', { value: null, failure: { code: 'timeout', final: false, detail: null } }),
        ],
        ['decision', opens('5.0', ['human'])],
      ),
    );
    expect(report).toMatchObject({
      records: 6,
      tasks_observed: 1,
      boundary_violations: [],
      answers: { accepted: 1, rejected: 0, failed: 1 },
      tool_health: { execution_failures: 1 },
      window_start: { run_id: 'theirs', record: 0 },
      window_end: { record: 5 },
    });
  });

  it('source_not_accepted, nothing_asked: any machine', () => {
    const wrong = audited(
      ledger(
        ['genesis', genesisOf('planner')],
        ['decision', opens('1.0', ['human'])],
        ['proposal', answer('1.0', 'live_model')],
        ['decision', opens('3.0', ['rule'])],
      ),
    );
    expect(wrong.boundary_violations).toEqual([
      expect.objectContaining({ code: 'source_not_accepted', record: 3 }),
    ]);
    const twice = audited(
      ledger(
        ['genesis', genesisOf('planner')],
        ['decision', opens('1.0', ['rule'])],
        ['proposal', answer('1.0', 'rule')],
        ['decision', opens('3.0', ['rule'])],
        ['proposal', answer('1.0', 'rule')],
        ['decision', opens('5.0', ['rule'])],
      ),
    );
    expect(twice.boundary_violations).toEqual([
      expect.objectContaining({ code: 'nothing_asked', record: 5 }),
    ]);
    const withdrawn = audited(
      ledger(
        ['genesis', genesisOf('planner')],
        ['decision', opens('1.0', ['rule'])],
        ['decision', opens('2.0', ['rule'], { withdrawn: ['1.0'] })],
        ['proposal', answer('1.0', 'rule')],
        ['decision', opens('4.0', ['rule'])],
      ),
    );
    expect(codesOf(withdrawn)).toEqual(['nothing_asked']);
  });

  it('a rejected answer from a wrong source is no violation: it was not let in', () => {
    expect(
      codesOf(
        audited(
          ledger(
            ['genesis', genesisOf('planner')],
            ['decision', opens('1.0', ['human'])],
            ['proposal', answer('1.0', 'live_model')],
            ['rejection', { code: 'source', detail: null }],
          ),
        ),
      ),
    ).toEqual([]);
  });
});

describe('a controller ledger of another program', () => {
  it('source_not_allowed: its requests accept what the protocol does not', () => {
    const confirm = {
      ...(opens('1.0', ['live_model', 'human']) as Record<string, Json>),
      requests: [{ id: '1.0', kind: 'confirm', body: null, accepts: ['live_model', 'human'], attempts: 1 }],
    };
    const report = audited(
      ledger(
        ['genesis', genesisOf('controller')],
        ['decision', confirm],
        ['proposal', answer('1.0', 'live_model', { value: { approved: true, note: null } })],
        ['decision', opens('3.0', ['rule'])],
      ),
    );
    expect(report.boundary_violations).toEqual([
      expect.objectContaining({
        code: 'source_not_allowed',
        text: expect.stringContaining('allowed: human'),
      }),
    ]);
  });
});

describe('what the auditor cannot see', () => {
  it('is counted, and nothing is called unasked because of it', () => {
    const { records } = playClean(CLEAN);
    for (const at of decisionsOf({ records })) {
      const report = audited(
        records.map((one, index) => (index === at ? recordOf(one.kind, undefined, index) : one)),
      );
      expect([codesOf(report), report.unseen.erased]).toEqual([[], 1]);
    }
    // Taken up in its middle: the machine is not known, so only answers are counted.
    expect(audited(records.slice(5))).toMatchObject({
      boundary_violations: [],
      anomalies: [],
      drift_alerts: [],
      window_start: { run_id: '', record: 5 },
    });
  });
});

describe('garbage', () => {
  const payloads = fc.oneof(
    arbitraryAdmitted(),
    fc.record({
      events: fc.array(
        fc.oneof(
          arbitraryAdmitted(),
          fc.record({
            t: fc.constant('message'),
            from: arbitraryAdmitted(),
            to: arbitraryAdmitted(),
            kind: fc.constantFrom<Json>(
              'PlanDirective',
              'DispatchManifest',
              'FinalResult',
              'ExecutionResult',
              'CorrectionSignal',
              'TaskSpec',
              null,
            ),
            body: arbitraryAdmitted(),
          }),
        ),
      ),
      requests: arbitraryAdmitted(),
      withdrawn: arbitraryAdmitted(),
    }),
  );

  it('whatever stands in a ledger, a report comes of it, and the state is read back', () => {
    const { start, feed, report, encode, decode } = auditor({ policy: AT_THE_END });
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom('genesis', 'proposal', 'decision', 'rejection', 'artifact', 'close', 'other'),
            payloads,
            fc.boolean(),
          ),
          { maxLength: 12 },
        ),
        (rows) => {
          const state = rows.reduce(
            (before, [kind, payload, isErased], index) =>
              feed(before, recordOf(kind, isErased ? undefined : (payload as Json), index)).state,
            feed(start, recordOf('genesis', genesisOf('controller'), 0)).state,
          );
          expect(report(state).report.records).toBe(rows.length + 1);
          expect(decode(JSON.parse(JSON.stringify(encode(state))) as Json)).toMatchObject({ _tag: 'Right' });
        },
      ),
      runs,
    );
  });

  it('each field of a clean ledger replaced by garbage: still total', () => {
    const { records } = playClean(CLEAN);
    fc.assert(
      fc.property(fc.nat(records.length - 1), arbitraryAdmitted(), fc.nat(9), (at, value, pick) => {
        const changed = edited(records, at, (payload) => {
          const keys = Object.keys(payload);
          return { ...payload, [keys[pick % keys.length] ?? '']: value as Json };
        });
        expect(audited(changed).records).toBe(records.length);
      }),
      runs,
    );
  });

  it('a snapshot that is none is refused with its place', () => {
    const { decode, encode, start } = auditor();
    expect(decode(null)).toMatchObject({ left: { code: 'bad_state', detail: { path: '' } } });
    const past = { ...start.past, corrections: [-1] };
    expect(decode({ ...(encode(start) as Record<string, Json>), past })).toMatchObject({
      left: { detail: { path: '/past/corrections/0' } },
    });
  });
});

describe('bounds: the state does not grow with the ledger', () => {
  const sized = (records: Iterable<EvidenceRecord>): number => {
    const { start, feed, encode } = auditor({ policy: AT_THE_END });
    let state = start;
    for (const one of records) state = feed(state, one).state;
    return JSON.stringify(encode(state)).length;
  };

  it('watched requests are held at their limit, and what is beyond is counted', () => {
    const wide = audited(
      ledger(
        ['genesis', genesisOf('planner')],
        [
          'decision',
          {
            events: [],
            requests: Array.from({ length: OPEN_MAX + 5 }, (_, index) => ({
              id: `1.${index}`,
              kind: 'ask',
              body: null,
              accepts: ['rule'],
              attempts: 1,
            })),
            withdrawn: [],
          },
        ],
        ['proposal', answer(`1.${OPEN_MAX + 2}`, 'rule')],
        ['decision', opens('3.0', ['rule'])],
      ),
    );
    expect(wide).toMatchObject({ boundary_violations: [], unseen: { requests: 6 } });
  });

  it('a hundred runs weigh what ten do', () => {
    const { records } = playClean(CLEAN);
    const times = (count: number): readonly EvidenceRecord[] =>
      Array.from({ length: count }, () => records).flat();
    expect(sized(times(100))).toBeLessThan(sized(times(10)) + 200);
  });

  it('text of any length is cut', () => {
    const long = 'x'.repeat(100_000);
    const state = sized(
      ledger(
        ['genesis', { ...(genesisOf('controller') as Record<string, Json>), run_id: long }],
        [
          'decision',
          opens(long, [long], {
            events: [
              messageEvent(long, long, long),
              messageEvent('R7', 'R2', 'PlanDirective', {
                evaluation: {
                  directive: long,
                  D: { exact: `${'9'.repeat(100_000)}/1` },
                  unmet: [{ text: long }],
                },
              }),
              messageEvent('R1', 'R2', 'TaskSpec', { intent: long }),
            ],
          }),
        ],
        ['proposal', answer(long, long, { proposer: long })],
      ),
    );
    expect(state).toBeLessThan(5_000);
  });
});

describe('a policy of the auditor', () => {
  it('every: a report after so many records, or after so much recorded time; 0 is never', () => {
    const { records } = playClean({ ...CLEAN, clock: 'stamps' });
    const dueAt = (policy: AuditPolicy): readonly number[] => {
      const { start, feed } = auditor({ policy });
      let state = start;
      return records.flatMap((one, index) => {
        const fed = feed(state, one);
        state = fed.state;
        return fed.due === null ? [] : [index];
      });
    };
    expect(dueAt({ ...AT_THE_END, every_records: 10 })).toEqual(
      Array.from({ length: Math.floor(records.length / 10) }, (_, index) => index * 10 + 9),
    );
    // Answers are a millisecond apart, and the first one starts the time.
    const byTime = dueAt({ ...AT_THE_END, every_us: 4_000 });
    expect(byTime.length).toBe(
      Math.floor((records.filter(({ kind }) => kind === 'proposal').length - 1) / 4),
    );
    expect(dueAt(AT_THE_END)).toEqual([]);
  });
});
