/** Ends of runs, counted, and what several of them show: ledgers of the machine, one after another. */
import { orThrow, type EvidenceRecord } from '@assay/kernel';
import { beforeAll, describe, expect, it } from 'vitest';
import { listAlerts, auditor } from '../../src/audit/index.js';
import type { AuditPolicy } from '../../src/audit/state.js';
import { AT_THE_END, audited } from '../lib/auditing.js';
import { called, criterion, planOf, play, policyWith, willing } from '../lib/playing.js';

/** A run that ends well (`+`), whose budget is spent (`$`), or whose perceiver gives up, saying this letter. */
function run(how: string): readonly EvidenceRecord[] {
  const detail =
    how === '$' ? { code: 'budget', unit: 'output_tokens', limit: 9, needed: 10 } : { code: how };
  const perceive = () => ({ failure: { code: 'denied' as const, final: true, detail } });
  return play(policyWith(), how === '+' ? willing : { ...willing, perceive }).records;
}
const RUNS = new Map<string, readonly EvidenceRecord[]>();
beforeAll(() => {
  for (const how of '+$abcd') RUNS.set(how, run(how));
});

/**
 * The alerts of each run, in windows of their own: `.` for none. The state is written and read again between
 * two runs.
 */
function alertsByRun(hows: string, more: Partial<AuditPolicy> = {}): readonly string[] {
  const { start, feed, report, encode, decode } = auditor({ policy: { ...AT_THE_END, ...more } });
  let state = start;
  return [...hows].map((how) => {
    for (const record of RUNS.get(how) ?? []) state = feed(state, record).state;
    const told = report(orThrow(decode(encode(state))));
    state = told.state;
    return (
      listAlerts(told.report)
        .map(({ code }) => code)
        .join(' ') || '.'
    );
  });
}
const placesOf = (code: string, found: readonly string[]): readonly number[] =>
  found.flatMap((codes, index) => (codes === code ? [index] : codes === '.' ? [] : [-1]));

describe('ends of runs', () => {
  it('are counted by outcome and reason', () => {
    const { outcomes } = audited([...'+aab+$'].flatMap((how) => RUNS.get(how) ?? []));
    expect(outcomes).toEqual([
      { outcome: 'accept', reason: 'all_criteria_met', runs: 2 },
      { outcome: 'abandon', reason: 'perceiver_gave_up: a', runs: 2 },
      { outcome: 'abandon', reason: 'perceiver_gave_up: b', runs: 1 },
      { outcome: 'abandon', reason: 'perceiver_gave_up: budget', runs: 1 },
    ]);
  });

  it('six equal failures: one alert, which names the cause', () => {
    expect(alertsByRun('aaaaaa')).toEqual(['.', '.', '.', 'same_cause', '.', '.']);
    const once = listAlerts(audited([...'aaaaaa'].flatMap((how) => RUNS.get(how) ?? [])));
    expect(once).toMatchObject([
      { code: 'same_cause', text: '4 of the last 4 runs failed alike: perceiver_gave_up: a' },
    ]);
    expect(placesOf('same_cause', alertsByRun('+++++++++++aaaaaa'))).toEqual([14]);
  });

  it.each([
    ['three, and others between them', 'a+a+b+ac', []],
    ['four in eight', 'a+ab+a+a', [7]],
    ['four in nine', 'a+ab+a++a', []],
    ['two causes', 'abababab', [6, 7]],
    ['not gone: another still stands among the last eight', 'aaaa+++++++aaaa', [3]],
    ['gone, and there again', 'aaaa++++++++aaaa', [3, 15]],
    ['runs that did what was asked', '++++++++', []],
  ] as const)('same_cause: %s', (_, hows, at) => {
    expect(placesOf('same_cause', alertsByRun(hows, { rising_failures: { runs: 0, ppm: 0 } }))).toEqual(at);
  });

  it.each([
    ['three more of eight', '+++++++++a+b+c++', []],
    ['four more of eight, told once', '+++++++++a+b+c+dab', [15]],
    ['as many as before', 'abcd++++abcd++++', []],
    ['no more than before, then more again', '++++++++abcd++++++++++++abcd', [15, 27]],
    ['fewer runs than it takes', 'abcdabc', []],
  ] as const)('abandoned_rising: %s', (_, hows, at) => {
    expect(placesOf('abandoned_rising', alertsByRun(hows, { same_cause: { same: 0, runs: 0 } }))).toEqual(at);
  });

  it('budget_exhausted: once, again after a run without; its runs are no second alert', () => {
    expect(alertsByRun('$$$$$$+$')).toEqual([
      'budget_exhausted',
      ...'.....'.split(''),
      '.',
      'budget_exhausted',
    ]);
  });

  it('calls are counted by tool and status, and what is in trouble', () => {
    const calls = [
      called('read_file', 'a'),
      called('read_file', 'b'),
      called('read_file', 'c', '', { status: 'error' }),
      called('shell', 'ls', '', { status: 'interrupted' }),
      called('shell', 'ls', '', { status: 'denied' }),
      called('write_file', 'd'),
    ];
    const lost = audited(
      play(policyWith(), {
        ...willing,
        call: () => ({ failure: { code: 'timeout', final: true, detail: null } }),
      }).records,
    );
    expect([lost.tools.map(({ status }) => status), lost.tool_health.trouble > 0]).toEqual([
      ['timeout'],
      true,
    ]);
    const execute = () => ({ value: { status: 'completed', output: '', tool_calls: calls as never } });
    const plan = () => ({
      value: planOf([{ criteria: [criterion('x')], tools: ['read_file', 'shell', 'write_file'] }]),
    });
    const once = policyWith({ limits: { ...policyWith().limits, retries: 0 } });
    const { tools, tool_health } = audited(play(once, { ...willing, plan, execute }, { max: 15 }).records);
    expect(tools.map(({ tool, status, calls }) => `${tool} ${calls} ${status}`)).toEqual([
      'read_file 2 ok',
      'read_file 1 error',
      'shell 1 interrupted',
      'shell 1 denied',
      'write_file 1 ok',
    ]);
    expect(tool_health.trouble).toBe(2);
  });
});
