/** `assay audit`: reports on ledgers and stored runs; exit 1 where there is an alert. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  advance,
  encodeLine,
  openRequests,
  openRun,
  orThrow,
  type EvidenceRecord,
  type Json,
} from '@assay/kernel';
import { controller, defaultPolicy } from '@assay/controller';
import { auditDocumentSchema } from '@assay/controller/schemas';
import { main } from '@assay/cli';
import { FORGERIES, POLL, ROOT, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';

const folder = temporaryFolder();
const GOLDEN = join(ROOT, 'packages', 'controller', 'test', 'audit', 'golden');
const TROUBLED = join(GOLDEN, 'troubled.ledger.jsonl');
const report = JSON.parse(readFileSync(join(GOLDEN, 'troubled.report.json'), 'utf8')) as {
  readonly records: number;
} & Readonly<
  Record<'anomalies' | 'drift_alerts' | 'boundary_violations', readonly { readonly code: string }[]>
>;
const N = report.records;
const ALERTS = [...report.anomalies, ...report.drift_alerts, ...report.boundary_violations].length;

describe('assay audit', () => {
  test('a ledger with alerts: the golden report, exit 1', async () => {
    const { code, stdout } = await called('audit', TROUBLED);
    expect(code).toBe(1);
    expect(stdout.startsWith(`on-demand, ${N} records of 1 run, played record 0 to ${N - 1}\n`)).toBe(true);
    for (const { code: found } of report.drift_alerts)
      expect(stdout).toMatch(new RegExp(`\\n {2}drift {7}${found} +played record \\d+: `));
    expect(stdout).toMatch(new RegExp(`\\n${ALERTS} alerts in ${N} records; decisions were not recomputed`));
    expect(await calledJson('audit', TROUBLED)).toEqual({ reports: [report], alerts: ALERTS });
  });

  test('a ledger without: exit 0, of any machine', async () => {
    const { code, stdout } = await called('audit', POLL);
    expect([code, stdout.split('\n').at(-2)]).toEqual([
      0,
      'no alert in 15 records; decisions were not recomputed (assay verify does)',
    ]);
  });

  test('several ledgers are one audit, and --every cuts it into reports that hold all of it', async () => {
    const whole = await calledJson('audit', POLL, TROUBLED);
    expect(auditDocumentSchema(whole as Json)).toBeNull();
    expect(whole).toMatchObject({
      alerts: ALERTS,
      reports: [{ tasks_observed: 2, records: 15 + N, window_start: { run_id: 'poll' } }],
    });
    const cut = (await calledJson('audit', POLL, TROUBLED, '--every', '25'))['reports'] as readonly {
      readonly trigger: string;
      readonly records: number;
    }[];
    expect(cut.map(({ trigger, records }) => [trigger, records])).toEqual([
      ...Array.from({ length: Math.floor((15 + N) / 25) }, () => ['periodic', 25]),
      ['on-demand', (15 + N) % 25],
    ]);
    expect((await called('audit', POLL, TROUBLED, '--every', '25')).stdout).toMatch(
      /^1\. periodic, 25 records of 2 runs, poll record 0 to played record 9\n/,
    );
  });

  test('a stored run', async () => {
    const store = `file:${join(folder, 'store')}`;
    const out = join(folder, 'out');
    await called('run', 'Keep logs for 30 days.', '--set', 'run_id=kept', '--store', store, '-o', out);
    const stored = await calledJson('audit', `${store}#kept`);
    expect(stored).toEqual(await calledJson('audit', join(out, 'run.ledger.jsonl')));
    expect(stored).toMatchObject({ alerts: 0, reports: [{ window_start: { run_id: 'kept' } }] });
    expect(await called('audit', `${store}#other`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no_run'),
    });
  });

  test('with --quiet, the sum of the alerts and nothing where there is none', async () => {
    expect((await called('audit', TROUBLED, '--quiet')).stdout).toBe(`${ALERTS} alerts in ${N} records\n`);
    expect((await called('audit', POLL, '--quiet')).stdout).toBe('');
  });

  test(
    'a ledger that does not hold: that is said first, what stands before the fault is ' +
      'audited, and the exit is 3',
    async () => {
      const { code, stdout, stderr } = await called(
        'audit',
        join(FORGERIES, 'edited-payload', 'ledger.jsonl'),
      );
      expect(code).toBe(3);
      expect(stdout).toMatch(
        /^no alert in \d+ records; 1 ledger did not hold, and what follows the fault was not audited; decisions/m,
      );
      const written: string[] = [];
      const stream = { write: (text: string) => written.push(text) };
      await main(['audit', join(FORGERIES, 'edited-payload', 'ledger.jsonl')], {
        out: stream,
        err: stream,
        env: {},
      });
      expect(written[0]).toMatch(/^assay: payload_hash: /);
      expect(stderr).toContain('payload_hash: the integrity of this ledger does not hold');
      const both = await called('audit', join(FORGERIES, 'edited-payload', 'ledger.jsonl'), TROUBLED);
      expect([both.code, both.stdout]).toEqual([3, expect.stringContaining(`${ALERTS} alerts`)]);
    },
  );

  test('a ledger of which nothing holds: nothing is said of alerts', async () => {
    const empty = join(folder, 'empty.jsonl');
    writeFileSync(empty, '');
    for (const args of [
      ['audit', empty],
      ['audit', empty, '--quiet'],
    ]) {
      expect(await called(...args)).toMatchObject({
        code: 3,
        stdout: '',
        stderr: expect.stringMatching(/^assay: \w+: .*does not hold/),
      });
    }
    expect(await calledJson('audit', empty)).toMatchObject({ alerts: 0, reports: [{ records: 0 }] });
  });

  test('text from evidence is escaped', async () => {
    const hostile = '\u001b[31mkeep\u202e it\u0007';
    const ledger = join(folder, 'hostile.jsonl');
    writeFileSync(
      ledger,
      hostileRun(hostile)
        .map((record) => `${encodeLine(record)}\n`)
        .join(''),
    );
    const { code, stdout } = await called('audit', ledger);
    expect(code).toBe(1);
    // eslint-disable-next-line no-control-regex -- these are what must not be printed
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/u);
    expect(stdout).toContain('hard criterion "\\u{1b}[31mkeep\\u{202e} it\\u{7}"');
    expect((await called('audit', ledger, '--json')).stdout).not.toContain('\u202e');
  });
});

/** A run whose first plan has a hard criterion of this text, which the next plan drops. */
function hostileRun(text: string): readonly EvidenceRecord[] {
  const policy = {
    ...defaultPolicy,
    clock: 'stamps',
    limits: { ...defaultPolicy.limits, retries: 0 },
    tools: [{ name: 'write_file', class: 'write', reversible: true, holds: false, again: true, schema: {} }],
  };
  const planOf = (said: string): Json => ({
    follows: [],
    task_criteria: [],
    subtasks: [
      {
        label: '',
        sequence: 1,
        intent: 'do it',
        context: '',
        success_criteria: [{ text: said, mode: 'verifiable', hard: true, check: null }],
        tools: ['write_file'],
        words: false,
      },
    ],
  });
  let step = orThrow(
    openRun(controller, {
      run_id: 'hostile',
      ts_base: 'T',
      policy: policy as unknown as Json,
      input: { text: 'do it', session: [], deadline_us: null },
    }),
  );
  const records: EvidenceRecord[] = [...step.records];
  let plans = 0;
  for (let turn = 0; turn < 20; turn += 1) {
    const request = openRequests(step.run)[0];
    if (request === undefined) break;
    if (request.kind === 'plan') plans += 1;
    const values: Readonly<Record<string, Json>> = {
      perceive: {
        label: 'it',
        intent: 'do it',
        constraints: { scope: null, deadline_us: null },
        refers_to: null,
      },
      plan: planOf(plans === 1 ? text : 'something else'),
    };
    const failure =
      values[request.kind] === undefined ? { code: 'unavailable' as const, final: true, detail: null } : null;
    step = orThrow(
      advance(step.run, {
        request_id: request.id,
        source: 'rule',
        proposer: 'p',
        confidence: null,
        value: values[request.kind] ?? null,
        failure,
        at_us: null,
        spent: {},
        cites: [],
        provenance: {},
      }),
    );
    records.push(...step.records);
  }
  return records;
}
