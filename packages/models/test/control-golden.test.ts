/**
 * One golden request for each prompt of a role: what is sent, to an OpenAI-compatible server. A prompt that
 * was released is never edited; the file is updated by hand with the reason in the commit.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, Request } from '@assay/kernel';
import type { Task } from '@assay/kernel/prompt';
import { promptHash } from '../src/task.ts';
import { controlTasks, distilTask } from '@assay/controller/prompts';
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
const TASKS: readonly Task[] = [
  ...controlTasks({ evidence: () => evidenceOf(), now: () => NOW }),
  distilTask,
];
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
const BODIES: { readonly [kind: string]: Json } = {
  perceive: {
    text: 'do it again',
    session: [{ input: 'count all files and write the number to n.txt', summary: 'the answer is 2' }],
  },
  plan: {
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
    last: {
      subtasks: [
        {
          intent: 'count all files',
          status: 'failed',
          reason: 'unmet',
          calls: [{ n: 0, tool: 'read_file', target: 'old.txt', status: 'error', code: 'not_found' }],
        },
      ],
      gap_summary: 'n.txt is not there',
    },
    keep: [{ id: '0.t.0', text: 'the number of all files stands in n.txt' }],
    must_not: {
      tools: ['append_file'],
      targets: [{ tool: 'read_file', target: 'old.txt' }],
      rules: ['Avoid tool:shell (2 of 3 records say so).'],
    },
    prefer: { tools: ['find_files'], practices: ['find_files, then write_file: 7 of 7'] },
    caution: [{ tool: 'move_file', target: 'a.txt' }],
    tools: [
      { name: 'find_files', class: 'search', reversible: true, about: 'Finds files.' },
      { name: 'remove_file', class: 'write', reversible: false, about: 'Removes one file.' },
    ],
    limits: { subtasks: 16, criteria: 16 },
  },
  step: STEP_REQUEST.body,
  judge: {
    subtask: '0.0',
    intent: 'write its name to report.md',
    criteria: [criterion],
    attempt: 0,
    claim: 'b.txt',
    rests_on: [0],
    seen: { calls: 1, digest: '0'.repeat(64), bytes: 6 },
  },
  merge: {
    intent: 'find the largest file',
    criteria: [{ ...criterion, id: '0.t.0' }],
    outcomes: [{ subtask: '0.0', intent: 'find the largest file', output: 'b.txt' }],
  },
  distil: {
    space: 'tool:shell',
    entity: 'path:/etc',
    polarity: 'constraint',
    attention_nano: 5,
    decision_nano: -5,
    evidence: [{ state: 'action', content: 'permission denied', count: 3 }],
  },
};

describe.skipIf(!hasLoopback)('prompts of the roles', () => {
  test('have these hashes for ever', () => {
    expect(TASKS.map(({ prompt }) => [prompt.name, prompt.version, promptHash(prompt)])).toEqual([
      ['perceive', 1, 'c3014eddb79dd4f65ba0a73b077dfa55392c8208b8ce4ec23ed8313661697a1e'],
      ['plan', 1, 'c6a786a5d98c1ecc3b737a420051b14f828e6a21179892c233d04930b6070375'],
      ['step', 1, '6f2fc1c88a2f0196338c460f0d38d68b4278796a8a0cd7486b627583ec290370'],
      ['judge', 1, '04cbaedd2c18f8f1cbde76cff24704e133441451c0844fdad5dd4322bfc15e2b'],
      ['merge', 1, 'd324f5e0d34c3e3273811d9d408d6a1dd3d92e814101ae535f05fc3d5bf133a6'],
      ['distil', 1, 'e2974d6fd5e955360c5cc9bbb6bd249d5657237e7cb4b8a1f427df80e3208bd4'],
    ]);
  });

  test.each(TASKS.map((task) => [task.kind, task.prompt.version, task] as const))(
    '%s, version %i, is sent like this',
    async (kind, version, task) => {
      const server = await scripted('compatible', [{ text: '{}' }]);
      try {
        const port = await portTo('compatible', server, {
          tasks: [task],
          parameters: { max_output_tokens: 4_096, temperature: 0, top_p: null, seed: 7 },
        });
        const body = BODIES[kind];
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

test.each(TASKS.map((task) => [task.kind, task] as const))(
  'a body that is not of the kind %s is nothing to be asked',
  (_, task) => {
    for (const body of [null, 'x', [], {}, { text: 1 }, { subtask: '0.0' }] as const)
      expect(task.data(body)).toBeNull();
  },
);
