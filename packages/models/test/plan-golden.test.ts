/**
 * One golden request for each of the six prompts of plans: what is sent, to an OpenAI-compatible server; and how
 * answers are read. A prompt that was released is never edited; the file is updated by hand with the reason in
 * the commit.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isObject, orThrow, type Json, type Request } from '@assay/kernel';
import { planner } from '@assay/planner';
import { readShape } from '@assay/models';
import { planTasks } from '@assay/planner/prompts';
import { promptHash } from '../src/task.ts';
import { portTo } from './tools/runs.ts';
import { scripted } from './tools/scripted-server.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';

const COST = {
  id: 'cost',
  type: 'logic',
  domain: 'cost',
  title: 'cost',
  scope: 'aggregate',
  hard: true,
  removal: null,
  payload: { t: 'cap', unit: 'cents', op: '<', bound: 50_000, margin: null, otherwise: null },
};
const RUBRIC = {
  ...COST,
  id: 'no-leakage',
  type: 'semantic',
  scope: 'local',
  title: 'it never sees the reference solutions',
  removal: 'the score would say nothing',
  payload: { t: 'rubric', text: 'it never sees the reference solutions' },
};
const GOAL = 'an agent that repairs software, under 500 dollars';
/** A body of each prompt, with something in every field. */
const BODIES: { readonly [prompt: string]: Json } = {
  extract: { goal: GOAL, modality: 'text', constraints: [COST], suggestions: ['is it safe?'], conflicts: [] },
  decompose: {
    node: 'goal',
    goal: GOAL,
    kind: 'goal',
    resolver: 'model-0',
    step: 0,
    steps: 1,
    approach: null,
    constraints: [RUBRIC],
    rows: [COST],
    inherited: [],
    inputs: [],
    checks: ['unit'],
    feedback: [
      { attempt: 1, resolver: 'model-0', failed: [{ constraint: 'cost', detail: '58,500' }], advice: null },
    ],
    may_split: true,
    limits: { tasks: 200, alternatives: 4 },
    history: '2 of 3 such goals were solved',
  },
  feasibility: {
    node: 'goal',
    goal: GOAL,
    judge: 'semantic',
    constraints: [RUBRIC],
    output: '',
    summary: '',
    tasks: [{ id: 't1', title: 'collect cases', approach: 'base' }],
  },
  survey: {
    node: 'goal',
    goal: GOAL,
    tasks: [
      {
        id: 't1',
        title: 'collect cases',
        kind: 'research',
        why: ['cost'],
        approach: { id: 't1', minutes: 60 },
      },
    ],
    violated: [COST],
    missing: [{ constraint: 'score', approaches: ['t1.base'] }],
    limits: { alternatives: 4 },
  },
  repair: { node: 'goal', repairs: [[['t1', 'a']], [['t1', 'b']]] },
  verification: {
    node: 'goal/t1',
    goal: 'collect cases',
    judge: 'semantic',
    constraints: [RUBRIC],
    output: 'a'.repeat(64),
    summary: '300 cases without their solutions',
    tasks: [],
  },
};
const requestOf = (kind: string, body: Json | undefined): Request =>
  ({ id: '1.0', kind, body, accepts: ['live_model'], attempts: 2 }) as unknown as Request;

describe.skipIf(!hasLoopback)('the six prompts of plans', () => {
  test('have these hashes for ever', () => {
    expect(planTasks.map(({ prompt }) => [prompt.name, prompt.version, promptHash(prompt)])).toEqual([
      ['extract', 1, '9a0b436d1d919de2157e0dfcf492395da09f1583c98da29f5c912ce16bb92f01'],
      ['decompose', 1, 'c6e291c1e35287e559b958735dcd85e57db3e9da80cc57c023dd9a4189972a9f'],
      ['feasibility', 1, '07215b045c6e441a2d54f6d45d62ebe23939bce870bf8f5559cef322d89e40f0'],
      ['survey', 1, '1ff4c5e3dc2ce361d04b61c52f16a16a712724a373d184d063a4d8d232d4b141'],
      ['repair', 1, 'c0a9cf478d5a39699c8343386302a5d9f481c51c0a936d72ae7f9795327db2ca'],
      ['verification', 1, '4fc4465ecc222059c7b1e0a6a9297554e4d03bd5178c4dd59164234f1fe37042'],
    ]);
  });

  test.each(planTasks.map((task) => [task.prompt.name, task.prompt.version, task] as const))(
    '%s, version %i, is sent like this',
    async (name, version, task) => {
      const server = await scripted('compatible', [{ text: '{}' }]);
      try {
        const port = await portTo('compatible', server, {
          tasks: planTasks,
          parameters: { max_output_tokens: 4_096, temperature: 0, top_p: null, seed: 7 },
        });
        await port.perform(requestOf(task.kind, BODIES[name]), {
          key: 'run/1.0/0',
          signal: new AbortController().signal,
        } as never);
        const sent = `${JSON.stringify(
          server.received.map(({ path, body }) => ({ path, body })),
          null,
          1,
        )}\n`;
        expect(sent).toBe(
          readFileSync(new URL(`golden/plan-${name}-${version}.compatible.json`, import.meta.url), 'utf8'),
        );
      } finally {
        await server.close();
      }
    },
  );
});

describe('answers', () => {
  const task = (name: string): (typeof planTasks)[number] => {
    const found = planTasks.find(({ prompt }) => prompt.name === name);
    if (found === undefined) throw new TypeError(`no prompt ${name}`);
    return found;
  };
  const read = (name: string, answer: Json) => task(name).read(answer, BODIES[name] ?? null, readShape);
  const range = { low: 1, mid: 2, high: 3 };
  const way = { minutes: range, amounts: [{ id: 'cost', ...range }], confidence: 0.73, figures: [] };

  test.each<readonly [string, Json]>([
    [
      'extract',
      {
        constraints: [
          {
            id: 'cost',
            title: 'c',
            kind: 'cap',
            unit: 'cents',
            op: '<',
            bound: 5,
            hard: true,
            removal: null,
          },
          {
            id: 'deadline',
            title: 'd',
            kind: 'deadline',
            unit: 'minutes',
            op: '<=',
            bound: 5,
            hard: true,
            removal: null,
          },
          {
            id: 'f1',
            title: 'f',
            kind: 'figure',
            unit: 'per mille',
            op: '>',
            bound: 880,
            hard: true,
            removal: null,
          },
          {
            id: 'n',
            title: 'n',
            kind: 'quantity',
            unit: 'classes',
            op: '=',
            bound: 50,
            hard: true,
            removal: null,
          },
          {
            id: 'r',
            title: 'r',
            kind: 'rubric',
            unit: '',
            op: null,
            bound: null,
            hard: false,
            removal: 'why',
          },
        ],
        questions: ['a week or a day?'],
      },
    ],
    [
      'decompose',
      {
        tasks: [{ id: 'a', title: 'a', kind: 'build', after: [], carries: ['r'], ...way }],
        artifact: null,
        questions: [],
        why: null,
      },
    ],
    [
      'decompose',
      {
        tasks: null,
        artifact: {
          format: 'text',
          summary: 's',
          content: 'c',
          leaf_kind: 'atomic',
          leaf_reason: 'one piece',
        },
        questions: [],
        why: null,
      },
    ],
    ['survey', { approaches: [{ task: 'a', id: 'x', method: 'known: a table', ...way }], figures: [] }],
    ['repair', { order: [1, 0] }],
    [
      'feasibility',
      { checks: [{ constraint: 'no-leakage', passed: true, confidence: 1.5, detail: 'd', repair: null }] },
    ],
    ['verification', { checks: [] }],
  ])('%s is an answer that the machine takes: %#', (name, answer) => {
    const { value } = orThrow(read(name, answer));
    expect(planner.parse(value, requestOf(task(name).kind, null) as never)._tag).toBe('Right');
  });

  test('shares become parts per million, and a bound that is no whole number is a fault', () => {
    const tasks = {
      tasks: [{ id: 'a', title: 'a', kind: 'build', after: [], carries: [], ...way }],
      artifact: null,
    };
    const { value } = orThrow(read('decompose', { ...tasks, questions: [], why: null }));
    expect(isObject(value) && value['tasks']).toMatchObject([
      { confidence: 730_000, amounts: { cost: [1, 2, 3] } },
    ]);
    const cap = { id: 'c', title: 'c', kind: 'cap', unit: 'cents', op: '<', hard: true, removal: null };
    for (const bound of [0.5, -1, null])
      expect(read('extract', { constraints: [{ ...cap, bound }], questions: [] })).toMatchObject({
        left: { code: 'bound', path: '/constraints/0/bound' },
      });
  });

  test('a model may decline to plan, and no other body is asked about', () => {
    const none = { tasks: null, artifact: null, questions: [], why: 'no idea' };
    expect(read('decompose', none)).toMatchObject({ left: { code: 'declined', isFinal: true } });
    for (const { data } of planTasks)
      for (const body of [
        null,
        'x',
        [],
        {},
        { text: 1 },
        { judge: 'logic', goal: '', constraints: [], tasks: [] },
      ])
        expect(data(body as Json)).toBeNull();
  });
});
