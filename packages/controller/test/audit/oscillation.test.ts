/**
 * Scenario E4 c10: a successful add/remove oscillation stops the run, and the auditor tells the operator.
 * Source: planner-controller B.1, D.8.
 */
import type { Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import type { JudgeBody, Policy } from '../../src/index.js';
import { audited } from '../lib/auditing.js';
import { called, criterion, planOf, play, policyWith, replayed, willing, type Cast } from '../lib/playing.js';

const add = called('write_file', 'flag.txt', 'written');
const remove = called('shell', 'mv flag.txt bin/', 'moved');

/**
 * An executor that adds and removes in turn, always successfully, one act an attempt; its validator is never
 * content.
 */
const undecided: Cast = {
  ...willing,
  plan: () => ({
    value: planOf([
      {
        criteria: [criterion('the flag is set'), criterion('the folder is clean')],
        uses: [
          { tool: 'write_file', target: '*' },
          { tool: 'shell', target: '*' },
        ],
      },
    ]),
  }),
  execute: (_, turn) => ({
    value: {
      status: 'completed',
      output: 'done',
      tool_calls: [turn % 2 === 0 ? add : remove] as unknown as Json,
    },
  }),
  judge: (body: JudgeBody, turn: number) => ({
    value: {
      verdicts: body.criteria.map(({ id }, index) => ({
        criterion: id,
        verdict: index === turn % 2 ? 'pass' : 'fail',
        failure_class: index === turn % 2 ? null : 'environmental',
        evidence: 'looked',
      })),
      what_was_wrong: null,
      what_to_do: null,
    },
  }),
};
const policy = (more: Partial<Policy> = {}): Policy =>
  policyWith({ limits: { ...policyWith().limits, retries: 5 }, ...more });

describe('c10: a successful add/remove oscillation', () => {
  it('stops the run by its own guard, and is told to the operator before that', () => {
    const played = play(policy(), undecided);
    expect(played.result).toMatchObject({
      directive: 'abandon',
      reason: 'oscillation',
      replans: 0,
      next_moves: expect.arrayContaining([expect.objectContaining({ code: 'break_loop' })]),
    });
    // Every call succeeded: a guard that counts failures sees nothing.
    expect(audited(played.records)).toMatchObject({
      tool_health: { execution_failures: 0, environmental_retries: 5 },
      boundary_violations: [],
      drift_alerts: [],
    });
    const found = audited(played.records).anomalies.find(({ code }) => code === 'oscillation');
    const acts = played.records.flatMap(({ kind, payload }, index) =>
      kind === 'proposal' && JSON.stringify(payload).includes('"flag.txt"')
        ? [index]
        : kind === 'proposal' && JSON.stringify(payload).includes('mv flag.txt')
          ? [index]
          : [],
    );
    // A-B-A-B is complete with the fourth act, and the finding rests on the decision about it; the run went
    // on to the sixth.
    expect(acts).toHaveLength(6);
    expect(found).toMatchObject({ record: (acts[3] ?? 0) + 1, run_id: 'played' });
    replayed(played);
  });

  it('without the guard the run goes on, and the auditor tells all the same', () => {
    const played = play(policy({ guard: { triples: 0, oscillation: 0, same_rounds: 0 } }), undecided);
    expect(played.result?.replans).toBeGreaterThan(0);
    expect(audited(played.records).anomalies.map(({ code }) => code)).toContain('oscillation');
  });

  it('two acts in turn that give something new each time are work, and no alert', () => {
    const played = play(policy(), {
      ...undecided,
      execute: (_, turn) => ({
        value: {
          status: 'completed',
          output: 'done',
          tool_calls: [
            called(
              turn % 2 === 0 ? 'write_file' : 'shell',
              turn % 2 === 0 ? 'code.ts' : 'npm test',
              `result ${turn}`,
            ),
          ] as unknown as Json,
        },
      }),
    });
    expect(played.result?.reason).not.toBe('oscillation');
    expect(audited(played.records).anomalies).toEqual([]);
  });
});
