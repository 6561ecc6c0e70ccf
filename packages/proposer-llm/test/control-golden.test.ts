/**
 * One golden request for each prompt of a role: what is sent, to an OpenAI-compatible server. A prompt that
 * was released is never edited; the file is updated by hand with the reason in the commit. And what a prompt
 * names is what there is.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { orThrow, type Json, type Request } from '@assay/kernel';
import { openWorkspace, TOOL_NAMES, toolset } from '@assay/effector';
import { OPERATIONS } from '@assay/controller/steps';
import type { Task } from '@assay/proposer-llm';
import { promptHash } from '../src/task/prompt.ts';
import { controlTasks, distilTask } from '@assay/proposer-llm/control';
import { judgeTask } from '../src/control/judge.ts';
import { mergeTask } from '../src/control/merge.ts';
import { perceiveTask } from '../src/control/perceive.ts';
import { planTask } from '../src/control/plan.ts';
import { DISTIL_PROMPT_1 } from '../src/control/distil-1.ts';
import { JUDGE_PROMPT_1 } from '../src/control/judge-1.ts';
import { MERGE_PROMPT_1 } from '../src/control/merge-1.ts';
import { PERCEIVE_PROMPT_1 } from '../src/control/perceive-1.ts';
import { PLAN_PROMPT_2 } from '../src/control/plan-2.ts';
import { TOOL_ARGUMENTS } from '../src/control/tool-arguments.ts';
import { portTo } from './tools/runs.ts';
import { scripted } from './tools/scripted-server.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';

const golden = (name: string): string =>
  readFileSync(new URL(`golden/${name}.json`, import.meta.url), 'utf8');

const criterion = {
  id: '0.0.0',
  text: 'report.md holds the name',
  mode: 'verifiable',
  hard: true,
  check: null,
};
/** A body of each kind, with something in every field. */
const BODIES: ReadonlyMap<Task, Json> = new Map<Task, Json>([
  [
    perceiveTask,
    {
      text: 'do it again',
      session: [{ input: 'count all files and write the number to n.txt', summary: 'the answer is 2' }],
    },
  ],
  [
    planTask,
    {
      round: 1,
      task: {
        label: 'count',
        intent: 'count all files and write the number to n.txt',
        constraints: { scope: null, deadline_us: null },
      },
      text: 'do it again',
      directive: {
        directive: 'break_symmetry',
        failed_criterion: 'n.txt holds the number',
        failure_class: 'environmental',
        unmet: ['n.txt holds the number'],
      },
      keep: [{ id: '0.t.0', text: 'the number of all files stands in n.txt' }],
      must_not: {
        tools: ['append_file'],
        targets: [{ tool: 'read_file', target: 'old.txt' }],
        rules: ['Avoid tool:shell (2 of 3 records say so).'],
      },
      prefer: { tools: ['find_files'], practices: [] },
      caution: [{ tool: 'move_file', target: '*' }],
      tools: [
        { name: 'mdfind', class: 'search', reversible: true, available: false },
        { name: 'find_files', class: 'search', reversible: true, available: true },
        { name: 'remove_file', class: 'write', reversible: false, available: true },
        { name: 'of_a_host', class: 'app', reversible: true, available: true },
      ],
      limits: { subtasks: 16, criteria: 16 },
    },
  ],
  [
    judgeTask,
    {
      subtask: '0.0',
      intent: 'write its name to report.md',
      criteria: [criterion],
      attempt: 0,
      claim: 'b.txt',
      tool_calls: ['read_file: report.md → b.txt\n'],
    },
  ],
  [
    mergeTask,
    {
      intent: 'find the largest file',
      criteria: [{ ...criterion, id: '0.t.0' }],
      outcomes: [{ subtask: '0.0', intent: 'find the largest file', output: 'b.txt' }],
    },
  ],
  [
    distilTask,
    {
      space: 'tool:shell',
      entity: 'path:/etc',
      polarity: 'constraint',
      attention_nano: 5,
      decision_nano: -5,
      evidence: [{ state: 'action', content: 'permission denied', count: 3 }],
    },
  ],
]);

describe.skipIf(!hasLoopback)('prompts of the roles', () => {
  test('have these hashes for ever', () => {
    expect(
      [PERCEIVE_PROMPT_1, PLAN_PROMPT_2, JUDGE_PROMPT_1, MERGE_PROMPT_1, DISTIL_PROMPT_1].map((prompt) => [
        prompt.name,
        prompt.version,
        promptHash(prompt),
      ]),
    ).toEqual([
      ['perceive', 1, 'e3e3fb86296ffaa760e6157d443c55460271fc7a2927643806f2333aa2887c0e'],
      ['plan', 2, 'a3875cca86df014e0a8b539a2d0f4e2d3baaa59bfe641f72e547277da01ad7ae'],
      ['judge', 1, '33f690f315f5cdab42032ecf88def29ff9b03f37cc3d7aa82c7ae2dd4267aa89'],
      ['merge', 1, 'd324f5e0d34c3e3273811d9d408d6a1dd3d92e814101ae535f05fc3d5bf133a6'],
      ['distil', 1, 'c2ba5d1b3d94e39a1b4bb18f93970a8441ba08f3c8313d05c6b74333db8aa889'],
    ]);
  });

  test.each([...BODIES].map(([task, body]) => [task.kind, task.prompt.version, task, body] as const))(
    '%s, version %i, is sent like this',
    async (kind, version, task, body) => {
      const server = await scripted('compatible', [{ text: '{}' }]);
      try {
        const port = await portTo('compatible', server, {
          tasks: [task],
          parameters: { max_output_tokens: 4_096, temperature: 0, top_p: null, seed: 7 },
        });
        const request = { id: '1.0', kind, body, accepts: ['live_model'], attempts: 2 } as unknown as Request;
        await port.perform(request, { key: 'run/1.0/0', signal: new AbortController().signal } as never);
        expect(
          `${JSON.stringify(
            server.received.map(({ path, body: sent }) => ({ path, body: sent })),
            null,
            1,
          )}\n`,
        ).toBe(golden(`${kind}-${version}.compatible`));
      } finally {
        await server.close();
      }
    },
  );
});

test('a planner is sent the hard criteria that it must keep', () => {
  const body = BODIES.get(planTask) as { readonly keep: Json };
  expect(planTask.data(body as unknown as Json)).toMatchObject({ keep: body.keep });
});

test('no task of a controller is to do its work', () => {
  expect(controlTasks.map(({ kind }) => kind)).toEqual(['perceive', 'plan', 'judge', 'merge']);
});

test.each([...controlTasks, distilTask].map((task) => [task.kind, task] as const))(
  'a body that is not of the kind %s is nothing to be asked',
  (_, task) => {
    for (const body of [null, 'x', [], {}, { text: 1 }] as const) expect(task.data(body)).toBeNull();
  },
);

test(
  'the plan prompt names every tool of the effector with its arguments, and every ' +
    'operation but that of digests',
  () => {
    expect([...TOOL_ARGUMENTS.keys()]).toEqual([...TOOL_NAMES]);
    for (const [name, { needed, more, alone }] of TOOL_ARGUMENTS) {
      const at = PLAN_PROMPT_2.system.indexOf(`${name} ${needed.length === 0 ? '[' : needed[0]}`);
      expect([name, at > 0]).toEqual([name, true]);
      const said = PLAN_PROMPT_2.system.slice(at, PLAN_PROMPT_2.system.indexOf(':', at) + 1);
      if (alone !== undefined) expect(PLAN_PROMPT_2.system).toContain(`or ${alone} alone`);
      for (const argument of [...needed, ...more])
        expect([name, argument, said.includes(argument)]).toEqual([name, argument, true]);
    }
    const unnamed = [...OPERATIONS.keys()].filter((name) => !PLAN_PROMPT_2.system.includes(`["${name}"`));
    expect(unnamed).toEqual(['twins']);
  },
);

test('the tools take the arguments that the prompt names: none is refused for its name', async () => {
  const tools = orThrow(
    await toolset(orThrow(await openWorkspace(new URL('golden', import.meta.url).pathname)), {
      allow: { tools: ['find_files', 'glob', 'read_file'] },
    }),
  );
  const values: { readonly [name: string]: Json } = {
    under: '.',
    name: '*',
    ext: 'json',
    contains: 'x',
    min_size: 0,
    max_size: 9,
    modified_from: 0,
    modified_to: 9,
    sort: 'path',
    order: 'up',
    limit: 1,
    digests: true,
    except: 'none.json',
    pattern: '*',
    folders: true,
    path: 'perceive-1.compatible.json',
    from_line: 1,
    to_line: 1,
  };
  for (const tool of ['find_files', 'glob', 'read_file']) {
    const { needed, more } = TOOL_ARGUMENTS.get(tool) ?? { needed: [], more: [] };
    const call = await tools.run({
      tool,
      input: Object.fromEntries([...needed, ...more].map((name) => [name, values[name]])),
    });
    expect([tool, call.status, call.output]).toEqual([tool, 'ok', expect.anything()]);
  }
  expect(
    (await tools.run({ tool: 'read_file', input: { paths: ['perceive-1.compatible.json'] } })).status,
  ).toBe('ok');
  expect([...TOOL_NAMES].toSorted()).toEqual([...TOOL_ARGUMENTS.keys()].toSorted());
});
