import { describe, expect, it } from 'vitest';
import { mergeByRules } from '../../src/tasks/merge.ts';

describe('a criterion of another planner', () => {
  it('is ambiguous for the whole', () => {
    for (const check of [null, {}, { is: 'ran' }, { is: 'because I say so' }, [], 'pass']) {
      const merged = mergeByRules({
        intent: 'anything',
        criteria: [{ id: '0.t.0', text: 'x', mode: 'verifiable', hard: false, check }],
        outcomes: [],
      });
      expect(merged.verdicts).toMatchObject([{ verdict: 'ambiguous' }]);
    }
  });

  it('of the task: outputs that do not agree are a failure', () => {
    const criteria = [
      {
        id: '0.t.0',
        text: 'x',
        mode: 'verifiable' as const,
        hard: true,
        check: { is: 'handed_on', from: 0, to: 1, do: [['line'], ['brief']] },
      },
    ];
    const outcomes = (
      found: string,
      written: string,
    ): { subtask: string; intent: string; output: string }[] => [
      { subtask: '0.0', intent: 'find', output: found },
      { subtask: '0.1', intent: 'write', output: written },
    ];
    expect(mergeByRules({ intent: 'x', criteria, outcomes: outcomes('a', 'a\n') }).verdicts).toMatchObject([
      { verdict: 'pass' },
    ]);
    expect(mergeByRules({ intent: 'x', criteria, outcomes: outcomes('a', 'b\n') }).verdicts).toMatchObject([
      { verdict: 'fail', failure_class: 'logical' },
    ]);
    expect(
      mergeByRules({ intent: 'x', criteria, outcomes: outcomes('a', 'a\n').slice(0, 1) }).verdicts,
    ).toMatchObject([{ verdict: 'fail' }]);
  });
});
