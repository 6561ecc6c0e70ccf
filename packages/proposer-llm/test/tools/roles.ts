/**
 * Answers as a model could write them in the roles of a controller, and whole runs with them over a real
 * workspace. All answers are synthetic: written by hand for tests, and no model said them.
 */
import { expect } from 'vitest';
import {
  isObject,
  orThrow,
  replayable,
  type EvidenceRecord,
  type Json,
  type JsonObject,
} from '@assay/kernel';
import { controller, defaultPolicy, type FinalResult } from '@assay/controller';
import { drive, memoryStore, type Port } from '@assay/host';
import { openWorkspace, toolset, TOOL_NAMES } from '@assay/effector';
import { executorPort } from '@assay/agent';
import { controlTasks } from '@assay/proposer-llm/control';
import type { LlmOptions } from '@assay/proposer-llm';
import { verify } from '@assay/verifier';
import type { WirePlan, WireStep, WireSubTask } from '../../src/control/plan-wire.ts';
import { portTo } from './runs.ts';
import { scripted, type Received, type Step, type Wire } from './scripted-server.ts';

/** What the answers below do. */
export const TASK = 'find the largest file and write its name to report.md';

/** A step; its arguments by name. */
export const step = (
  id: string,
  tool: string,
  given: { readonly [name: string]: WireStep['arguments'][number]['value'] },
  more: Partial<WireStep> = {},
): WireStep => ({
  id,
  tool,
  arguments: Object.entries(given).map(([name, value]) => ({ name, value })),
  may_fail: false,
  if_any: null,
  ...more,
});

/** A plan in two groups: found, then written and looked at. */
export const SUBTASKS: readonly WireSubTask[] = [
  {
    label: 'find',
    sequence: 1,
    intent: 'find the largest file',
    tries: [[step('found', 'find_files', { sort: 'size', order: 'down', limit: 1 })]],
    output: { from: 'found', do: [['json_lines'], ['first'], ['pluck', 'path']] },
    criteria: [
      {
        text: 'the search shows the largest file',
        mode: 'verifiable',
        hard: true,
        check: { is: 'ran', of: 'find_files' },
      },
    ],
  },
  {
    label: 'write',
    sequence: 2,
    intent: 'write its name to report.md',
    tries: [
      [
        step('wrote', 'write_file', { path: 'report.md', content: { from: 'prior.0', do: [['line']] } }),
        step('looked', 'read_file', { path: 'report.md' }),
      ],
    ],
    output: { from: 'looked', do: [['brief']] },
    criteria: [
      {
        text: 'report.md holds the name',
        mode: 'verifiable',
        hard: true,
        check: { is: 'written', of: 'report.md' },
      },
    ],
  },
];
const TASK_CRITERIA = [
  { text: 'report.md names the largest file', mode: 'verifiable', hard: true, subtask: 1 },
] as const;

/** What a good model says in each role; of a judgement, by what it is asked. */
export const says = {
  perceive: JSON.stringify({
    task: { label: 'largest_file', intent: TASK, scope: null, refers_to: null },
    why: null,
  }),
  plan: (
    subtasks: readonly WireSubTask[] = SUBTASKS,
    more: Partial<NonNullable<WirePlan['plan']>> = {},
  ): string =>
    JSON.stringify({
      plan: { task_criteria: TASK_CRITERIA, subtasks, ...more },
      why: null,
    } satisfies WirePlan),
  judge: (data: JsonObject, line: number | null = null): string =>
    JSON.stringify({
      verdicts: idsIn(data).map((criterion) => ({
        criterion,
        verdict: 'pass',
        line: line ?? linesIn(data).length - 1,
        failure_class: null,
        why: null,
      })),
      what_was_wrong: null,
      what_to_do: null,
    }),
  merge: (data: JsonObject): string =>
    JSON.stringify({
      merged_output: 'report.md was written',
      summary: 'the name of the largest file stands in report.md',
      verdicts: idsIn(data).map((criterion) => ({
        criterion,
        verdict: 'pass',
        subtask: lastOutcome(data),
        failure_class: null,
        why: null,
      })),
    }),
};

/** A role's answer to what it is told: a text, or a whole step of the server. */
export type Says = (data: JsonObject, nth: number) => string | Step;
/** Who says what; a role that is left out does well. */
export type Script = { readonly [role in 'perceive' | 'plan' | 'judge' | 'merge']?: Says };

const GOOD: Required<Script> = {
  perceive: () => says.perceive,
  plan: () => says.plan(),
  judge: (data) => says.judge(data),
  merge: says.merge,
};

/** The script of a server: which role is asked is told by the instructions, as a model is told it. */
export function scriptOf(script: Script = {}): (call: number, received: Received) => Step {
  const asked = new Map<string, number>();
  return (_, received) => {
    const role = roleIn(received);
    const nth = asked.get(role) ?? 0;
    asked.set(role, nth + 1);
    const data = dataIn(received);
    const own = (script[role] ?? GOOD[role])(data, nth);
    return typeof own === 'string' ? { text: own } : own;
  };
}

/** Which role a call speaks to. */
export function roleIn(received: Received): 'perceive' | 'plan' | 'judge' | 'merge' {
  const text = instructionsIn(received);
  const begins = {
    perceive: 'You read what a user wants',
    plan: 'You plan how',
    judge: 'You judge whether the criteria of a sub-task',
    merge: 'You put the outputs',
  } as const;
  const found = (['perceive', 'plan', 'judge', 'merge'] as const).find((role) =>
    text.startsWith(begins[role]),
  );
  if (found === undefined) throw new Error(`no role begins like ${text.slice(0, 40)}`);
  return found;
}

/** The instructions of a call, in each wire's place for them. */
export function instructionsIn({ body }: Received): string {
  const sent = body as JsonObject;
  return textIn(
    sent['system'] ??
      messagesIn(sent).find(({ role }) => role === 'system' || role === 'developer')?.['content'] ??
      null,
  );
}

/** The data of a call, between its marks. */
export function dataIn({ body }: Received): JsonObject {
  const text = textIn(
    messagesIn(body as JsonObject).find(({ role }) => role === 'user')?.['content'] ?? null,
  );
  const [, mark, json, end] = /^BEGIN ([0-9a-f]{16})\n(.*)\nEND ([0-9a-f]{16})$/.exec(text) ?? [];
  expect(mark).toBe(end);
  return JSON.parse(String(json)) as JsonObject;
}

function messagesIn(body: JsonObject): readonly JsonObject[] {
  return (body['messages'] ?? body['input'] ?? []) as readonly JsonObject[];
}

function textIn(content: Json): string {
  return typeof content === 'string'
    ? content
    : (content as readonly JsonObject[]).map(({ text }) => String(text)).join('');
}

const idsIn = ({ criteria }: JsonObject): readonly string[] =>
  (criteria as readonly { readonly id: string }[]).map(({ id }) => id);
const linesIn = ({ lines }: JsonObject): readonly Json[] => lines as readonly Json[];
const lastOutcome = ({ outcomes }: JsonObject): string | null =>
  (outcomes as readonly { readonly subtask: string }[]).at(-1)?.subtask ?? null;

/** What a controller run came to. `text`: its ledger. */
export type Controlled = {
  readonly end: string;
  readonly result: FinalResult;
  readonly records: readonly EvidenceRecord[];
  readonly proposals: readonly JsonObject[];
  readonly rejections: readonly JsonObject[];
  readonly received: readonly Received[];
  readonly text: string;
};

/** How a run is to go. `ports`: who answers a kind instead of the model. */
export type Course = {
  readonly text?: string;
  readonly policy?: JsonObject;
  readonly llm?: Partial<LlmOptions>;
  readonly ports?: { readonly [kind: string]: Port | null };
  readonly wire?: Wire;
};

/**
 * Runs a task over a workspace, with a scripted model as R1, R2, R4a and R4b and the effector's tools as R3;
 * its ledger verified.
 */
export async function controlled(
  root: string,
  script: Script,
  { text = TASK, policy = {}, llm = {}, ports = {}, wire = 'compatible' }: Course = {},
): Promise<Controlled> {
  const server = await scripted(wire, scriptOf(script));
  try {
    const model = await portTo(wire, server, { tasks: controlTasks, ...llm });
    const tools = orThrow(
      await toolset(orThrow(await openWorkspace(root)), {
        allow: { tools: TOOL_NAMES.filter((name) => name !== 'shell') },
      }),
    );
    const execute = executorPort(tools);
    const store = memoryStore();
    const records: EvidenceRecord[] = [];
    const listed = tools.catalogue.map(({ name, class: kind, reversible, available }) => ({
      name,
      class: kind,
      reversible,
      available,
    }));
    const genesis = {
      run_id: 'run',
      ts_base: 't',
      policy: { ...defaultPolicy, clock: 'stamps', tools: listed, ...policy } as unknown as Json,
      input: { text, session: [] },
    };
    const driven = orThrow(
      await drive(controller, genesis, {
        store,
        retry: { baseMs: 0 },
        onEvent: (event) => {
          if (event.type === 'append') records.push(...event.records);
        },
        ports: ({ kind }) =>
          Object.hasOwn(ports, kind)
            ? (ports[kind] ?? null)
            : kind === 'execute'
              ? execute
              : kind === 'confirm'
                ? null
                : model,
      }),
    );
    const lines: string[] = [];
    for await (const line of store.read('run')) lines.push(`${Buffer.from(line).toString('utf8')}\n`);
    const { checks } = verify('run', Buffer.from(lines.join(''), 'utf8'), {
      machines: [replayable(controller)],
      head: { count: driven.head.count, hash: driven.head.hash },
    }).document;
    expect([checks.integrity.verdict, checks.rederivation.verdict, checks.completeness.verdict]).toEqual([
      'held',
      'held',
      'held',
    ]);
    const of = (kind: string): readonly JsonObject[] =>
      records.flatMap(({ kind: its, payload }) => (its === kind && isObject(payload) ? [payload] : []));
    const result = of('artifact').find(({ name }) => name === 'final_result')?.[
      'content'
    ] as unknown as FinalResult;
    return {
      end: driven.end,
      result,
      records,
      proposals: of('proposal'),
      rejections: of('rejection'),
      received: server.received,
      text: lines.join(''),
    };
  } finally {
    await server.close();
  }
}
