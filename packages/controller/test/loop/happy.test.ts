import { describe, expect, it } from 'vitest';
import { called, criterion, planOf, play, policyWith, replayed, TASK, type Cast } from '../lib/playing.js';
import type { ExecuteBody, JudgeBody, MergeBody } from '../../src/index.js';

/** Roles that do everything right. */
export const willing: Cast = {
  clock: () => ({ value: { t_us: 1 } }),
  perceive: () => ({ value: TASK }),
  plan: () => ({ value: planOf([{ criteria: [criterion('the report is there')] }], [criterion('the report says what was asked')]) }),
  execute: (body: ExecuteBody) => ({ value: { status: 'completed', output: 'written', tool_calls: [called('write_file', `report-${body.subtask}`)] } }),
  judge: (body: JudgeBody) => ({ value: { verdicts: body.criteria.map(({ id }) => ({ criterion: id, verdict: 'pass', failure_class: null, evidence: 'seen' })), what_was_wrong: null, what_to_do: null } }),
  merge: (body: MergeBody) => ({ value: { merged_output: 'the report', summary: 'the report is written', verdicts: body.criteria.map(({ id }) => ({ criterion: id, verdict: 'pass', failure_class: null, evidence: 'read' })) } }),
};

describe('a task that goes well', () => {
  it('is accepted in one round, with five role calls in a row (003 §10), and replays', () => {
    const played = play(policyWith(), willing);
    expect(played.result).toMatchObject({ directive: 'accept', prev_directive: 'init', replans: 0, unmet: [], costs: { calls: 5, sequential_calls: 5 }, output: 'the report' });
    replayed(played);
  });

  it('asks the clock before anything and before the evaluation', () => {
    const played = play(policyWith({ clock: 'asked' }), willing);
    expect(played.asked.map(({ kind }) => kind)).toEqual(['clock', 'perceive', 'plan', 'execute', 'judge', 'merge', 'clock']);
    replayed(played);
  });
});
