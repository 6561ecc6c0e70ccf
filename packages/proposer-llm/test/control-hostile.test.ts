/**
 * What a model says in a role, however odd: `read` gives a proposal or a fault, for any JSON and any body.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import type { Json } from '@assay/kernel';
import { controlTasks, distilTask } from '@assay/proposer-llm/control';
import { planTask } from '../src/control/plan.ts';
import { step, SUBTASKS, says } from './tools/roles.ts';
import { draws } from '../../kernel/tools/laws.ts';

const options = { seed: 20_261_123, numRuns: draws(1_000) };
const TASKS = [...controlTasks, distilTask];
const good = (): { plan: { task_criteria: { text: string }[]; subtasks: Record<string, unknown>[] } } =>
  JSON.parse(says.plan()) as never;
const odd = fc.oneof(
  fc.constantFrom(
    '\ud800',
    'a\udc00',
    '',
    '__proto__',
    '\0',
    '*',
    '../x',
    'prior.0',
    1e300,
    -0,
    0.5,
    Number.MAX_SAFE_INTEGER + 2,
    null,
    true,
    [],
    {},
  ),
  fc.jsonValue(),
);

describe.each(TASKS)('$kind', (task) => {
  property.prop([fc.jsonValue(), fc.jsonValue()], options)('any JSON', (answer, body) => {
    expect(['Left', 'Right']).toContain(task.read(answer as Json, body as Json)._tag);
    task.data(body as Json);
  });
});

describe('a plan', () => {
  property.prop([odd, fc.nat(11), fc.nat(1)], options)('with anything at any place', (value, place, at) => {
    const answer = good();
    const subtask = answer.plan.subtasks[at] as never as {
      [key: string]: unknown;
      tries: { [key: string]: unknown; arguments: { name: unknown; value: unknown }[] }[][];
      criteria: { [key: string]: unknown }[];
    };
    const first = subtask.tries[0]?.[0] as never as {
      [key: string]: unknown;
      arguments: { name: unknown; value: unknown }[];
    };
    const put: readonly (() => void)[] = [
      () => (subtask['label'] = value),
      () => (subtask['intent'] = value),
      () => (subtask['output'] = { from: value, do: [] }),
      () => (subtask['output'] = { from: first['id'], do: [[value]] }),
      () => (first['id'] = value),
      () => (first['tool'] = value),
      () => (first['if_any'] = value),
      () => (first.arguments[0] = { name: value, value: 'x' }),
      () => (first.arguments[0] = { ...first.arguments[0], value } as never),
      () => ((subtask.criteria[0] ?? {})['check'] = { is: 'written', of: value }),
      () => ((subtask.criteria[0] ?? {})['text'] = value),
      () => (subtask['sequence'] = value),
    ];
    put[place]?.();
    expect(['Left', 'Right']).toContain(planTask.read(answer as never, null)._tag);
  });

  test('with a lone surrogate is a fault with its place, as the port says it', () => {
    const path = step('read', 'read_file', { path: 'notes\ud800.txt' });
    const answer = JSON.parse(
      says.plan([{ ...SUBTASKS[0], tries: [[path]], output: { from: 'read', do: [] } }] as never),
    ) as Json;
    expect(planTask.read(answer, null)).toMatchObject({
      _tag: 'Left',
      left: {
        code: 'inadmissible',
        path: '/plan/subtasks/0/tries/0/0/arguments/0/value',
        text: 'lone_surrogate',
      },
    });
  });
});
