import { describe, expect, it } from 'vitest';
import { isOk, orThrow, replayable, replayWith } from '@assay/kernel';
import { controller, whatIf, type JudgeBody, type PlanBody } from '../../src/index.js';
import { called, criterion, planOf, play, policyWith, willing } from '../lib/playing.js';

/** Four of ten criteria fail at first, and one less in each round. */
const improving = play(
  policyWith({
    limits: { ...policyWith().limits, retries: 0 },
    ggs: { ...policyWith().ggs, epsilon_mode: 'fixed', max_replans: 9, theta: 1_000_000 },
  }),
  {
    ...willing,
    plan: (body: PlanBody) => ({
      value: planOf([
        {
          criteria: Array.from({ length: 10 }, (_, index) => criterion(`criterion ${index}`)),
          uses: [{ tool: 'write_file', target: `file-${body.round}` }],
        },
      ]),
    }),
    execute: (body: { subtask: string }) => ({
      value: {
        status: 'completed',
        output: 'done',
        tool_calls: [
          called('write_file', `file-${body.subtask.split('.')[0] ?? ''}`, `round ${body.subtask}`),
        ],
      },
    }),
    judge: (body: JudgeBody) => {
      const failing = 5 - Number(body.subtask.split('.')[0]);
      return {
        value: {
          verdicts: body.criteria.map(({ id }, index) =>
            index < failing
              ? { criterion: id, verdict: 'fail', failure_class: 'environmental', evidence: 'not there' }
              : { criterion: id, verdict: 'pass', failure_class: null, evidence: 'there' },
          ),
          what_was_wrong: null,
          what_to_do: null,
        },
      };
    },
  },
);

describe('what if a number had been another', () => {
  it('says the same where nothing is changed', () => {
    const same = orThrow(whatIf(improving.records, [], 'same'));
    expect(same).toMatchObject({
      parts_at: null,
      unknown: [],
      left_over: [],
      outcome: improving.run.outcome,
    });
    expect(same.after).toHaveLength(same.before.length);
  });

  it('stops earlier under a wider distance: what was asked later is left over, and nothing is unknown', () => {
    const wider = orThrow(whatIf(improving.records, [{ name: 'delta', value: 400_000 }], 'wider'));
    expect(wider.before.map(({ directive }) => directive)).toEqual(['change_path', 'change_path', 'success']);
    expect(wider.after.map(({ directive }) => directive)).toEqual(['change_path', 'success']);
    expect(wider).toMatchObject({ parts_at: 2, unknown: [], outcome: 'success' });
    expect(wider.left_over.length).toBeGreaterThan(0);
  });

  it('does not invent what was never asked: under a narrower distance the next plan is unknown', () => {
    const narrower = orThrow(whatIf(improving.records, [{ name: 'ggs.delta', value: 0 }], 'narrower'));
    expect(narrower).toMatchObject({ parts_at: 3, outcome: null, unknown: [{ kind: 'plan' }] });
  });

  it('gives a ledger that replays and cites the run it comes from', () => {
    const wider = orThrow(whatIf(improving.records, [{ name: 'delta', value: 400_000 }], 'wider'));
    expect(isOk(replayWith([replayable(controller)], wider.records))).toBe(true);
    expect(wider.records[0]?.payload).toMatchObject({
      base: { run_id: 'played', count: improving.records.length },
    });
  });

  it('refuses a setting that is none, one that says two, and a value that the policy refuses', () => {
    expect(whatIf(improving.records, [{ name: 'epsilonn', value: 1 }], 'x')).toMatchObject({
      left: { code: 'unknown_setting', detail: { name: 'epsilonn' } },
    });
    expect(whatIf(improving.records, [{ name: 'name', value: 'x' }], 'x')).toMatchObject({
      left: { code: 'unknown_setting' },
    });
    expect(whatIf(improving.records, [{ name: 'epsilon', value: -1 }], 'x')).toMatchObject({
      left: { code: 'bad_policy' },
    });
    expect(whatIf([], [], 'x')).toMatchObject({ left: { code: 'not_a_controller_run' } });
  });
});
