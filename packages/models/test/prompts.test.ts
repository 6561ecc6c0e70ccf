/**
 * One golden request for each prompt: what is sent, to an OpenAI-compatible server, for a body with something in every
 * field (`golden/bodies.json`); and how answers to the prompts of plans are read. A prompt that was released is never
 * edited: the file is updated by hand with the reason in the commit.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject, orThrow, type Json, type Request } from '@assay/kernel';
import { interpretationsTask } from '@assay/kernel/intent-prompts';
import type { Task } from '@assay/kernel/prompt';
import { controlTasks, distilTask } from '@assay/controller/prompts';
import { readShape } from '@assay/models';
import { planner } from '@assay/planner';
import { planTasks } from '@assay/planner/prompts';
import { promptHash } from '../src/task.ts';
import { evidenceOf, STEP_REQUEST } from './tools/evidence.ts';
import { portTo } from './tools/runs.ts';
import { scripted } from './tools/scripted-server.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';

// The time is told as it is here.
const zone = process.env['TZ'];
beforeAll(() => {
  process.env['TZ'] = 'UTC';
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

/** An hour by which deadlines are read. */
const NOW = Date.parse('2026-03-01T10:00:00Z');
const golden = (name: string): string =>
  readFileSync(new URL(`golden/${name}.json`, import.meta.url), 'utf8');
const BODIES: { readonly [name: string]: Json } = {
  ...(JSON.parse(golden('bodies')) as object),
  step: STEP_REQUEST.body,
};
const TASKS: readonly (readonly [name: string, task: Task])[] = [
  ...[...controlTasks({ evidence: () => evidenceOf(), now: () => NOW }), distilTask].map(
    (task) => [task.kind, task] as const,
  ),
  ...planTasks.map((task) => [`plan-${task.prompt.name}`, task] as const),
];

test('prompts have these hashes for ever', () => {
  expect(
    [['interpretations', interpretationsTask] as const, ...TASKS].map(([name, { prompt }]) => [
      name,
      prompt.version,
      promptHash(prompt),
    ]),
  ).toEqual([
    ['interpretations', 2, '3bf6f47cbaa6f94bd7cb82ec98396c3957334f8ae5e84c4304641e3ed39ade14'],
    ['perceive', 1, 'c3014eddb79dd4f65ba0a73b077dfa55392c8208b8ce4ec23ed8313661697a1e'],
    ['plan', 1, 'c6a786a5d98c1ecc3b737a420051b14f828e6a21179892c233d04930b6070375'],
    ['step', 1, '6f2fc1c88a2f0196338c460f0d38d68b4278796a8a0cd7486b627583ec290370'],
    ['judge', 1, '04cbaedd2c18f8f1cbde76cff24704e133441451c0844fdad5dd4322bfc15e2b'],
    ['merge', 1, 'd324f5e0d34c3e3273811d9d408d6a1dd3d92e814101ae535f05fc3d5bf133a6'],
    ['distil', 1, 'e2974d6fd5e955360c5cc9bbb6bd249d5657237e7cb4b8a1f427df80e3208bd4'],
    ['plan-extract', 1, '9a0b436d1d919de2157e0dfcf492395da09f1583c98da29f5c912ce16bb92f01'],
    ['plan-decompose', 1, 'c6e291c1e35287e559b958735dcd85e57db3e9da80cc57c023dd9a4189972a9f'],
    ['plan-feasibility', 1, '07215b045c6e441a2d54f6d45d62ebe23939bce870bf8f5559cef322d89e40f0'],
    ['plan-survey', 1, '1ff4c5e3dc2ce361d04b61c52f16a16a712724a373d184d063a4d8d232d4b141'],
    ['plan-repair', 1, 'c0a9cf478d5a39699c8343386302a5d9f481c51c0a936d72ae7f9795327db2ca'],
    ['plan-verification', 1, '4fc4465ecc222059c7b1e0a6a9297554e4d03bd5178c4dd59164234f1fe37042'],
  ]);
});

test.skipIf(!hasLoopback).each(TASKS)('%s is sent like this', async (name, task) => {
  const server = await scripted('compatible', [{ text: '{}' }]);
  try {
    const port = await portTo('compatible', server, {
      tasks: name.startsWith('plan-') ? planTasks : [task],
      parameters: { max_output_tokens: 4_096, temperature: 0, top_p: null, seed: 7 },
    });
    const request = { id: '1.0', kind: task.kind, body: BODIES[name], accepts: ['live_model'], attempts: 2 };
    const call = { key: 'run/1.0/0', signal: new AbortController().signal };
    await port.perform(request as unknown as Request, call as never);
    const sent = server.received.map(({ path, body }) => ({ path, body }));
    expect(`${JSON.stringify(sent, null, 1)}\n`).toBe(golden(`${name}-${task.prompt.version}.compatible`));
  } finally {
    await server.close();
  }
});

test.each(TASKS)('%s: a body of another kind is nothing to be asked', (_, task) => {
  const judged = { judge: 'logic', goal: '', constraints: [], tasks: [] };
  for (const body of [null, 'x', [], {}, { text: 1 }, { subtask: '0.0' }, judged] as const)
    expect(task.data(body)).toBeNull();
});

describe('answers to the prompts of plans', () => {
  const task = (name: string): Task => orThrowNone(planTasks.find(({ prompt }) => prompt.name === name));
  const read = (name: string, answer: Json) =>
    task(name).read(answer, BODIES[`plan-${name}`] ?? null, readShape);
  const range = { low: 1, mid: 2, high: 3 };
  const way = { minutes: range, amounts: [{ id: 'cost', ...range }], confidence: 0.73, figures: [] };
  const planned = { id: 'a', title: 'a', kind: 'build', after: [], carries: [], ...way };
  const row = (id: string, kind: string, unit: string, op: string | null, bound: number | null): Json => ({
    ...{ id, title: id, kind, unit, op, bound },
    hard: true,
    removal: bound === null ? 'why' : null,
  });
  const artifact = {
    format: 'text',
    summary: 's',
    content: 'c',
    leaf_kind: 'atomic',
    leaf_reason: 'one piece',
  };

  test.each<readonly [string, Json]>([
    [
      'extract',
      {
        constraints: [
          row('cost', 'cap', 'cents', '<', 5),
          row('deadline', 'deadline', 'minutes', '<=', 5),
          row('f1', 'figure', 'per mille', '>', 880),
          row('n', 'quantity', 'classes', '=', 50),
          row('r', 'rubric', '', null, null),
        ],
        questions: ['a week or a day?'],
      },
    ],
    ['decompose', { tasks: [{ ...planned, carries: ['r'] }], artifact: null, questions: [], why: null }],
    ['decompose', { tasks: null, artifact, questions: [], why: null }],
    ['survey', { approaches: [{ task: 'a', id: 'x', method: 'known: a table', ...way }], figures: [] }],
    ['repair', { order: [1, 0] }],
    [
      'feasibility',
      { checks: [{ constraint: 'no-leakage', passed: true, confidence: 1.5, detail: 'd', repair: null }] },
    ],
    ['verification', { checks: [] }],
  ])('%s is an answer that the machine takes: %#', (name, answer) => {
    const { value } = orThrow(read(name, answer));
    expect(planner.parse(value, { kind: task(name).kind } as never)._tag).toBe('Right');
  });

  test('shares become parts per million, and a bound that is no whole number is a fault', () => {
    const { value } = orThrow(
      read('decompose', { tasks: [planned], artifact: null, questions: [], why: null }),
    );
    expect(isObject(value) && value['tasks']).toMatchObject([
      { confidence: 730_000, amounts: { cost: [1, 2, 3] } },
    ]);
    for (const bound of [0.5, -1, null])
      expect(
        read('extract', { constraints: [row('c', 'cap', 'cents', '<', bound)], questions: [] }),
      ).toMatchObject({ left: { code: 'bound', path: '/constraints/0/bound' } });
  });

  test('a model may decline to plan', () => {
    const none = { tasks: null, artifact: null, questions: [], why: 'no idea' };
    expect(read('decompose', none)).toMatchObject({ left: { code: 'declined', isFinal: true } });
  });
});

function orThrowNone<T>(found: T | undefined): T {
  if (found === undefined) throw new TypeError('no such prompt');
  return found;
}
