/**
 * Every detector one step before its limit, at it and one step beyond, seen from outside: ledgers go in,
 * reports come out.
 */
import { nobleSha256, sha256Hex, type EvidenceRecord, type Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { listAlerts, auditor, defaultAuditPolicy, type AuditReport } from '../../src/audit/index.js';
import { type AuditPolicy, RISING_MAX } from '../../src/audit/state.js';
import { FINDING_TEXT_MAX, FINDINGS_MAX, TRENDS_MAX } from '../../src/audit/report.js';
import { TRAIL_MAX } from '../../src/guard/trail.js';
import { AT_THE_END, audited, ledgerOf, messageEvent } from '../lib/auditing.js';

/**
 * What happens in one step of a run: calls by letters, messages, answers of planners that were taken (`+`) or
 * rejected (`-`). A look is a small `l`.
 */
type Happening = {
  readonly calls?: string;
  readonly messages?: readonly Json[];
  readonly plans?: string;
  readonly failure?: boolean;
};

/** A run of a controller by another program: only what the auditor reads stands in it. */
function ledger(
  happenings: readonly Happening[],
  { id = 'theirs', isClosed = false }: { readonly id?: string; readonly isClosed?: boolean } = {},
): readonly EvidenceRecord[] {
  const rows: (readonly [kind: string, payload: Json])[] = [];
  const opens = (request: string, kind: string): Json => ({
    id: request,
    kind,
    body: null,
    accepts: kind === 'plan' ? ['rule'] : ['tool'],
    attempts: 1,
  });
  const decides = (events: readonly Json[], requests: readonly Json[] = []): void =>
    void rows.push(['decision', { events, requests, withdrawn: [] }]);
  const answers = (request: string, source: string, value: Json, failure: Json = null): void =>
    void rows.push([
      'proposal',
      { request_id: request, source, proposer: 'them', value, failure, at_us: null },
    ]);
  const tools = [
    { name: 'write_file', class: 'write' },
    { name: 'read_file', class: 'read' },
  ];
  rows.push([
    'genesis',
    {
      run_id: id,
      machine: { name: 'controller', version: 1, engine: null },
      policy: { tools, roles: {} },
      input: null,
      base: null,
    },
  ]);
  for (const [index, { calls = '', messages = [], plans = '', failure = false }] of happenings.entries()) {
    const work = `${index}.0`;
    decides([], [opens(work, 'call')]);
    const made = [...calls].map((letter, n): Json => {
      const kind = letter === 'l' ? 'look' : 'act';
      const call = { tool: 'write_file', status: 'ok', kind, triple: sha256Hex(letter, nobleSha256) };
      return { t: 'called', subtask: '0.0', n, call };
    });
    answers(work, 'tool', failure ? null : {}, failure ? { code: 'lost', final: true, detail: null } : null);
    decides(
      [...made, ...messages],
      [...plans].map((_, at) => opens(`${index}.1.${at}`, 'plan')),
    );
    for (const [at, fate] of [...plans].entries()) {
      answers(`${index}.1.${at}`, 'rule', {});
      if (fate === '+') decides([]);
      else rows.push(['rejection', { code: 'bad_plan', detail: null }]);
    }
  }
  if (isClosed) rows.push(['close', { outcome: 'refused' }]);
  return ledgerOf(rows);
}

const guarded = (guard: Partial<AuditPolicy['guard']>): AuditPolicy => ({
  ...AT_THE_END,
  guard: { triples: 0, oscillation: 0, same_rounds: 0, ...guard },
});
const anomaliesIn = (calls: string, policy: AuditPolicy): readonly string[] =>
  audited(ledger([{ calls }]), policy).anomalies.map(({ code, text }) => `${code}: ${text}`);
const directed = (directive: string, exact: string): Json =>
  messageEvent('R7', 'R2', 'PlanDirective', {
    round: 0,
    evaluation: { directive, D: { ppm: 0, exact }, unmet: [] },
  });
const unmoved = (directive = 'refine'): Json => directed(directive, '1/2');
const codes = ({ anomalies }: AuditReport): readonly string[] => anomalies.map(({ code }) => code);
const several = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

describe('repeated triple', () => {
  it.each([2, 3, 5])(
    'at a limit of %i: not one call before it, once at it, and not again behind it',
    (triples) => {
      const found = [-1, 0, 1].map((more) =>
        anomaliesIn(
          several(triples + more)
            .map((index) => `${index}a`)
            .join(''),
          guarded({ triples }),
        ),
      );
      expect(found).toEqual([
        [],
        [expect.stringMatching(`^repeated_triple: .* ${triples} times$`)],
        [expect.stringMatching(`^repeated_triple: .* ${triples} times$`)],
      ]);
    },
  );

  it('within the last 48 acts: the third is seen at the 48th place, and not at the 49th', () => {
    const others = several(TRAIL_MAX)
      .map((index) => String.fromCodePoint(0x4e00 + index))
      .join('');
    const found = [TRAIL_MAX - 1, TRAIL_MAX, TRAIL_MAX + 1].map(
      (length) => anomaliesIn(`aa${others.slice(0, length - 3)}a`, guarded({ triples: 3 })).length,
    );
    expect(found).toEqual([1, 1, 0]);
  });

  it('within a round; looks do not count, and 0 switches it off', () => {
    const spread = ['a', 'la', 'lall'].map((calls) => ({ calls }));
    expect(
      [2, 3].map((count) => codes(audited(ledger(spread.slice(0, count)), guarded({ triples: 3 })))),
    ).toEqual([[], ['repeated_triple']]);
    const rounds = spread.map((round) => ({ ...round, messages: [unmoved()] }));
    expect(codes(audited(ledger(rounds), guarded({ triples: 3 })))).toEqual([]);
    expect([anomaliesIn('lllllll', guarded({ triples: 3 })), anomaliesIn('aaaaaaa', guarded({}))]).toEqual([
      [],
      [],
    ]);
  });
});

describe('oscillation A-B-A-B', () => {
  it.each([2, 3, 4])(
    'at a limit of %i: not one call before it, once at it, and not again behind it',
    (oscillation) => {
      const calls = 'ab'.repeat(oscillation + 1);
      const found = [-1, 0, 1].map((more) =>
        anomaliesIn(calls.slice(0, 2 * oscillation + more), guarded({ oscillation })),
      );
      expect(found).toEqual([
        [],
        [expect.stringMatching(`^oscillation: .* ${oscillation} times each`)],
        [expect.stringMatching('^oscillation: ')],
      ]);
    },
  );

  it('is broken by a third call, or by one of the two twice; another pair is another finding', () => {
    expect(
      ['abcab', 'abbab', 'aabba', 'aaaa'].map((calls) => anomaliesIn(calls, guarded({ oscillation: 2 }))),
    ).toEqual([[], [], [], []]);
    expect(anomaliesIn('ababcdcd', guarded({ oscillation: 2 }))).toHaveLength(2);
    expect([0, 1].map((oscillation) => anomaliesIn('abababab', guarded({ oscillation })))).toEqual([[], []]);
  });
});

describe('a loop of rounds that succeed', () => {
  const rounds = (count: number, calls = 'ab'): readonly Happening[] =>
    several(count).map((index) => ({
      calls: index % 2 === 0 ? calls : [...calls].reverse().join(''),
      messages: [unmoved()],
    }));

  it.each([1, 2, 4])(
    'at a limit of %i repetitions: not one round before it, once at it, and not again behind it',
    (same_rounds) => {
      const found = [-1, 0, 1].map((more) =>
        audited(ledger(rounds(same_rounds + 1 + more)), guarded({ same_rounds })).anomalies.map(
          ({ text }) => text,
        ),
      );
      expect(found).toEqual([
        [],
        [`${same_rounds + 1} rounds in a row did the same with the same results`],
        [`${same_rounds + 1} rounds in a row did the same with the same results`],
      ]);
    },
  );

  it('a round with another call, or with none, begins anew', () => {
    for (const calls of ['abc', ''])
      expect(
        codes(
          audited(
            ledger([...rounds(2), { calls, messages: [unmoved()] }, ...rounds(2)]),
            guarded({ same_rounds: 2 }),
          ),
        ),
      ).toEqual([]);
    expect(codes(audited(ledger(rounds(9, '')), guarded({ same_rounds: 1 })))).toEqual([]);
  });

  it('the last round, which a result ends, is one of them', () => {
    const last = messageEvent('R7', 'user', 'FinalResult', {
      directive: 'abandon',
      loss: { D: { exact: '1/2' } },
    });
    expect(
      codes(audited(ledger([...rounds(1), { calls: 'ab', messages: [last] }]), guarded({ same_rounds: 1 }))),
    ).toEqual(['no_op_loop']);
  });
});

describe('ggs_thrashing', () => {
  const run = (...steps: readonly (readonly [directive: string, exact: string])[]): readonly string[] =>
    codes(audited(ledger(steps.map(([directive, exact]) => ({ messages: [directed(directive, exact)] })))));

  it('once is none, twice is one, three times are two', () => {
    expect(
      [1, 2, 3].map((count) => run(...several(count).map(() => ['break_symmetry', '1/2'] as const)).length),
    ).toEqual([0, 1, 2]);
  });

  it('is parted from coming closer by the least that an exact distance can say', () => {
    const to = (exact: string): readonly string[] =>
      run(['break_symmetry', '500000/1000000'], ['break_symmetry', exact]);
    expect([to('499999/1000000'), to('1/2'), to('500001/1000000')]).toEqual([
      [],
      ['ggs_thrashing'],
      ['ggs_thrashing'],
    ]);
    const far = '9'.repeat(100);
    expect(run(['break_symmetry', `1/${far}`], ['break_symmetry', `1/${far}9`])).toEqual([]);
  });

  it('needs both in a row: any other directive between them ends it', () => {
    expect(
      ['refine', 'change_path', 'change_approach'].map((between) =>
        run(['break_symmetry', '1/2'], [between, '1/2'], ['break_symmetry', '1/2']),
      ),
    ).toEqual([[], [], []]);
  });
});

describe('boundary violations', () => {
  it(`${FINDINGS_MAX} are shown in a report, and what is beyond is counted; the next report begins anew`, () => {
    const noisy = (count: number): readonly EvidenceRecord[] =>
      ledger([{ messages: several(count).map(() => messageEvent('R3', 'R2', 'ExecutionResult')) }]);
    const found = [-1, 0, 1]
      .map((more) => audited(noisy(FINDINGS_MAX + more)))
      .map(({ boundary_violations, omitted }) => [boundary_violations.length, omitted.boundary_violations]);
    expect(found).toEqual([
      [FINDINGS_MAX - 1, 0],
      [FINDINGS_MAX, 0],
      [FINDINGS_MAX, 1],
    ]);
    const { start, feed, report } = auditor({ policy: AT_THE_END });
    const full = noisy(FINDINGS_MAX + 1).reduce((state, record) => feed(state, record).state, start);
    const after = noisy(1).reduce((state, record) => feed(state, record).state, report(full).state);
    expect(report(after).report).toMatchObject({
      boundary_violations: [{ code: 'unrouted_message' }],
      omitted: { boundary_violations: 0 },
    });
  });

  it('a result is none, a second one is, and so is a third', () => {
    const ends = several(3).map(() =>
      messageEvent('R7', 'user', 'FinalResult', { directive: 'accept', loss: { D: { exact: '0/1' } } }),
    );
    expect(
      [1, 2, 3].map((count) =>
        audited(ledger([{ messages: ends.slice(0, count) }])).boundary_violations.map(({ code }) => code),
      ),
    ).toEqual([[], ['second_final_result'], ['second_final_result', 'second_final_result']]);
  });

  it(`the text of a finding is cut at ${FINDING_TEXT_MAX} units, and no pair is split`, () => {
    const said = listAlerts(
      audited(
        ledger([
          {
            messages: several(4).map(() =>
              messageEvent('😀'.repeat(300), '😀'.repeat(300), '😀'.repeat(300)),
            ),
          },
        ]),
      ),
    );
    expect(said.length).toBeGreaterThan(0);
    for (const { text } of said)
      expect([text.length <= FINDING_TEXT_MAX, text.isWellFormed()]).toEqual([true, true]);
  });
});

describe('drift', () => {
  const correction = messageEvent('R4a', 'R3', 'CorrectionSignal', { failure_class: 'logical' });
  const task = (corrections: number, index: number): readonly EvidenceRecord[] =>
    ledger([{ messages: several(corrections).map(() => correction) }], {
      id: `task-${index}`,
      isClosed: true,
    });
  const rising = (counts: readonly number[], rising_tasks: number): readonly string[] =>
    audited(counts.flatMap(task), { ...AT_THE_END, rising_tasks }).drift_alerts.map(({ text }) => text);

  it.each([2, 4, RISING_MAX])(
    'corrections that rise over %i tasks: not over one less, once over so many, and again with each that goes on',
    (limit) => {
      expect([-1, 0, 1].map((more) => rising(several(limit + more), limit).length)).toEqual([0, 1, 2]);
    },
  );

  it('a task with as many as the one before is no rise; 0 and 1 switch it off', () => {
    expect([rising([0, 1, 1, 2], 4), rising([0, 1, 2, 2], 4), rising([0, 0, 1, 2, 3], 4)]).toEqual([
      [],
      [],
      ['corrections of the last tasks: 0, 1, 2, 3'],
    ]);
    expect([0, 1].map((limit) => rising([0, 1, 2, 3, 4, 5], limit))).toEqual([[], []]);
  });

  const rejections = (plans: string, more: Partial<AuditPolicy> = {}): readonly string[] =>
    audited(ledger([{ plans }]), { ...AT_THE_END, ...more }).drift_alerts.map(({ text }) => text);
  it('rejections: not in five answers, whatever they are; in six, and once only', () => {
    const { rejections_min } = defaultAuditPolicy;
    expect([-1, 0, 1].map((more) => rejections('-'.repeat(rejections_min + more)))).toEqual([
      [],
      ['6 of 6 answers of R2 were rejected'],
      ['6 of 6 answers of R2 were rejected'],
    ]);
  });

  it('rejections: at exactly the share and above, not below', () => {
    expect([rejections('++++--'), rejections('+++---'), rejections('++----')]).toEqual([
      [],
      ['3 of 6 answers of R2 were rejected'],
      ['4 of 6 answers of R2 were rejected'],
    ]);
    const third = (rejections_ppm: number): readonly string[] => rejections('++++--', { rejections_ppm });
    expect([
      third(333_333),
      third(333_334),
      rejections('++++++', { rejections_ppm: 0 }),
      rejections('------', { rejections_min: 0 }),
    ]).toEqual([['2 of 6 answers of R2 were rejected'], [], [], []]);
  });
});

describe('tool health and windows', () => {
  it('counts every failure and every attempt made again by its class, from none on', () => {
    const again = (failure_class: string): Json =>
      messageEvent('R4a', 'R3', 'CorrectionSignal', { failure_class });
    const health = (...happenings: readonly Happening[]): unknown => audited(ledger(happenings)).tool_health;
    const none = { execution_failures: 0, environmental_retries: 0, logical_retries: 0, trouble: 0 };
    expect(health({ calls: 'a' })).toEqual(none);
    expect(health({ failure: true })).toEqual({ ...none, execution_failures: 1 });
    expect(
      health({ messages: [again('environmental'), again('logical'), again('logical'), again('both')] }),
    ).toEqual({ ...none, environmental_retries: 1, logical_retries: 2 });
  });

  it.each([
    ['every_records', 3],
    ['every_records', 4],
    ['every_records', 5],
  ] as const)('%s of %i with four records: a report is due at the record itself', (name, every) => {
    const { start, feed } = auditor({ policy: { ...AT_THE_END, [name]: every } });
    let state = start;
    const due = ledger([{}]).map((record) => {
      const fed = feed(state, record);
      state = fed.state;
      return fed.due?.records ?? 0;
    });
    expect(due).toEqual(every === 3 ? [0, 0, 3, 0] : every === 4 ? [0, 0, 0, 4] : [0, 0, 0, 0]);
  });

  it(`${TRENDS_MAX} tasks have their trend in a report, and those beyond are counted`, () => {
    const trends = (count: number): unknown => {
      const { gap_trends, omitted, tasks_observed } = audited(
        several(count).flatMap((index) => ledger([{ messages: [unmoved()] }], { id: `task-${index}` })),
      );
      return [gap_trends.length, omitted.gap_trends, tasks_observed];
    };
    expect([-1, 0, 1].map((more) => trends(TRENDS_MAX + more))).toEqual([
      [TRENDS_MAX - 1, 0, TRENDS_MAX - 1],
      [TRENDS_MAX, 0, TRENDS_MAX],
      [TRENDS_MAX, 1, TRENDS_MAX + 1],
    ]);
  });
});
