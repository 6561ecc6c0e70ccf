/**
 * Where no plan is left, the planner names the tools that are out of reach, and whether policy or a block
 * keeps them so.
 */
import { expect, it } from 'vitest';
import type { PlanBody } from '@assay/controller';
import { planByRules } from '@assay/rules/tasks';

const NAMES = ['find_files', 'read_file', 'write_file', 'move_file', 'remove_file'];

function planned(
  text: string,
  forbidden: readonly string[],
  allowed: readonly string[] = NAMES,
  targets: readonly object[] = [],
): ReturnType<typeof planByRules> {
  const tools = allowed.map((name) => ({ name, class: 'read' as const, reversible: true, about: '' }));
  const task: PlanBody['task'] = {
    label: 'task',
    intent: text,
    constraints: { scope: null, deadline_us: null },
  };
  const body = {
    round: 0,
    task,
    text,
    directive: null,
    last: null,
    must_not: { tools: forbidden, targets, rules: [] },
    prefer: { tools: [], practices: [] },
    caution: [],
    keep: [],
    tools,
    limits: { subtasks: 8, criteria: 8 },
  };
  return planByRules(body as unknown as PlanBody);
}

it.each([
  ['copy a.txt to b.txt', ['write_file'], 'no tool that writes b.txt (write_file must not be used)'],
  [
    'create the file b.txt with the text "x"',
    ['read_file'],
    'no tool that reads (read_file must not be used, shell is not allowed)',
  ],
  ['delete a.txt', ['remove_file'], 'no tool that removes a.txt (remove_file must not be used)'],
  ['move a.txt to b.txt', ['move_file'], 'no other way to move a.txt (move_file must not be used)'],
  [
    'count all files and write the number to n.txt',
    ['find_files'],
    'no tool that searches (find_files must not be used, shell is not allowed)',
  ],
  [
    'find duplicate files and write their names to n.txt',
    ['find_files'],
    'no tools that search and read (find_files must not be used, shell is not allowed)',
  ],
  [
    'sum the numbers in a.txt and write the sum to n.txt',
    ['read_file'],
    'no other way to read a.txt (read_file must not be used, shell is not allowed)',
  ],
])('%s, without %j', (text, forbidden, detail) => {
  expect(planned(text, forbidden)).toEqual({ _tag: 'Left', left: { code: 'no_way_left', detail } });
  const asAllowed = planned(
    text,
    [],
    NAMES.filter((name) => !forbidden.includes(name)),
  );
  expect(asAllowed).toEqual({
    _tag: 'Left',
    left: { code: 'no_way_left', detail: detail.replace('must not be used', 'is not allowed') },
  });
  expect(planned(text, [])._tag).toBe('Right');
});

it('does not blame a tool that is not allowed where the target of another one failed', () => {
  const failed = [{ tool: 'read_file', target: 'a.txt' }];
  expect(planned('sum the numbers in a.txt and write the sum to n.txt', [], NAMES, failed)).toEqual({
    _tag: 'Left',
    left: { code: 'no_way_left', detail: 'no other way to read a.txt' },
  });
});

it('takes another way where a target failed, and none that a link or another spelling would be', () => {
  const tools = [...NAMES, 'shell'];
  const wayOf = (target: string): unknown => {
    const plan = planned('sum the numbers in a.txt and write the sum to n.txt', [], tools, [
      { tool: 'read_file', target },
    ]);
    return plan._tag === 'Right' ? plan.right.subtasks[0]?.tools : plan.left;
  };
  expect([wayOf('a.txt'), wayOf('./a.txt'), wayOf('b.txt')]).toEqual([
    ['shell'],
    ['read_file'],
    ['read_file'],
  ]);
});
