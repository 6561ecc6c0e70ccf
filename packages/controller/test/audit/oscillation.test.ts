/**
 * Scenario E4 c10: a successful add/remove oscillation stops the run, and the auditor tells the operator.
 * Source: planner-controller B.1, D.8.
 */
import { describe, expect, it } from 'vitest';
import type { Policy } from '../../src/index.js';
import { audited } from '../lib/auditing.js';
import {
  called,
  criterion,
  did,
  planOf,
  play,
  policyWith,
  replayed,
  willing,
  type Cast,
  type Played,
} from '../lib/playing.js';

const add = called('write_file', 'flag.txt', 'written');
const remove = called('shell', 'mv flag.txt bin/', 'moved');

/** An executor that adds and removes in turn, always successfully. */
const undecided: Cast = {
  ...willing,
  plan: () => ({
    value: planOf([{ criteria: [criterion('the flag is set')], tools: ['write_file', 'shell'] }]),
  }),
  execute: () => did(add, remove, add, remove, add, remove, add, remove),
};
const policy = (more: Partial<Policy> = {}): Policy =>
  policyWith({ ggs: { ...policyWith().ggs, max_replans: 1 }, ...more });
const actsIn = ({ records }: Played): readonly number[] =>
  records.flatMap(({ kind, payload }, index) =>
    kind === 'decision' && (payload as { events: { t: string }[] }).events.some(({ t }) => t === 'called')
      ? [index]
      : [],
  );

describe('c10: a successful add/remove oscillation', () => {
  it('ends the sub-task by the guard, and is told to the operator', () => {
    const played = play(policy(), undecided);
    expect(played.result?.directive).toBe('abandon');
    // Every call succeeded: a guard that counts failures sees nothing.
    const report = audited(played.records);
    expect(report).toMatchObject({
      tool_health: { execution_failures: 0, environmental_retries: 0, trouble: 0 },
      boundary_violations: [],
      drift_alerts: [],
    });
    // A-B three times would be complete with the sixth act; the third equal one comes before it.
    const acts = actsIn(played);
    const ended = played.records.findIndex((record) => JSON.stringify(record.payload).includes('"loop"'));
    expect(ended).toBe(acts[4]);
    const found = report.anomalies.find(({ code }) => code === 'oscillation');
    expect(acts).toContain(found?.record);
    replayed(played);
  });

  it('without the guard the run goes on, and the auditor tells all the same', () => {
    const played = play(policy({ guard: { triples: 0, oscillation: 0, same_rounds: 0 } }), undecided);
    expect(played.result?.directive).toBe('accept');
    expect(audited(played.records).anomalies.map(({ code }) => code)).toContain('oscillation');
  });

  it('two acts in turn that give something new each time are work, and no alert', () => {
    const work = Array.from({ length: 8 }, (_, turn) =>
      called(
        turn % 2 === 0 ? 'write_file' : 'shell',
        turn % 2 === 0 ? 'code.ts' : 'npm test',
        `result ${turn}`,
      ),
    );
    const played = play(policy(), { ...undecided, execute: () => did(...work) });
    expect(played.result?.directive).toBe('accept');
    expect(audited(played.records).anomalies).toEqual([]);
  });
});
