/**
 * The assertions of the document, on E1 to E3 and on five goals that were written beforehand: each stated bound
 * has a status, sums and paths are right, and the repair holds. And that the checker finds what is wrong.
 */
import { readFileSync } from 'node:fs';
import { field, isObject, orThrow, type Json, type JsonObject } from '@assay/kernel';
import { planAnswer, planGoal } from '../../src/shell/index.ts';
import { describe, expect, it } from 'vitest';
import { parsePlan } from '../../src/schedule/index.js';
import { FIVE_GOALS } from '../../tools/five-goals.js';
import { faultsIn, type Claimed } from '../../tools/assertions.js';
import { answeredBy } from '../../tools/answered.js';

function golden(name: string): Claimed {
  const records = readFileSync(
    new URL(`../../../../golden-fixtures/planner-${name}/ledger.jsonl`, import.meta.url),
    'utf8',
  )
    .trimEnd()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as { readonly payload: { readonly name?: string; readonly content?: unknown } },
    );
  const named = (artifact: string): unknown =>
    records.find(({ payload }) => payload.name === artifact)?.payload.content;
  return { report: named('report'), plan: named('plan') } as Claimed;
}

/** The run of a plan file, each request answered by the plan alone. */
function planned(file: JsonObject): Claimed {
  const plan = orThrow(parsePlan(file));
  const { constraints, split } = planGoal(file, plan);
  const goal = field(file, 'goal');
  const artifacts = answeredBy(
    { goal: typeof goal === 'string' ? goal : '', constraints: constraints as unknown as Json },
    ({ kind, body }) => planAnswer(kind, body, split),
  );
  return artifacts as unknown as Claimed;
}

describe('assertions about plans', () => {
  it.each([
    ['e1-agent', ['cost', 'deadline']],
    ['e1b-two-changes', ['cost', 'deadline']],
    ['e2-trading', ['cost', 'deadline']],
    ['e3-classifier', ['compute', 'hosting', 'deadline', 'f1', 'p99']],
    ['e3b-classes', ['compute', 'hosting', 'deadline', 'f1', 'p99']],
  ])('%s keeps to all of them', (name, bounds) => {
    expect(faultsIn(golden(name), { bounds, isAsked: true })).toEqual([]);
  });

  it.each(FIVE_GOALS.map((goal) => [String(goal.file['goal']), goal] as const))(
    '%s',
    (_, { file, bounds, status }) => {
      const claimed = planned(file);
      expect(claimed.report).toMatchObject({ status });
      const faults = faultsIn(claimed, { bounds, isAsked: false });
      // A refused plan has the status of each bound and right sums; only that it fits nobody says.
      expect(faults).toEqual(status === 'success' ? [] : ['the plan does not fit']);
    },
  );

  it('a wrong sum, a cap without a status, a longer path and a needless survey are found', () => {
    const claimed = golden('e1-agent');
    const bent = structuredClone(claimed) as { -readonly [key in keyof Claimed]: Claimed[key] };
    const change = (edit: (value: JsonObject) => void): readonly string[] => {
      const copy = structuredClone(bent) as unknown as JsonObject;
      edit(copy);
      return faultsIn(copy as unknown as Claimed, { bounds: ['cost', 'gold'], isAsked: true });
    };
    const judgedOf = (copy: JsonObject): { [key: string]: Json } => {
      const judged = isObject(copy['report'] ?? null) ? field(copy['report'] as JsonObject, 'judged') : null;
      return judged as { [key: string]: Json };
    };
    expect(change(() => undefined)).toEqual(['gold has no status']);
    expect(change((copy) => ((copy['plan'] as { length: number }).length = 900))).toContain(
      'the longest path takes 840, not 900',
    );
    expect(change((copy) => (judgedOf(copy)['survey'] = ['t1']))).toContain('t1 was surveyed for nothing');
    expect(
      change((copy) => {
        (judgedOf(copy)['before'] as { total: number[] }[])[0] = {
          ...(judgedOf(copy)['before'] as { total: number[] }[])[0],
          total: [1, 2, 3],
        };
      }),
    ).toContain('cost does not add up to 58500');
  });
});
