/**
 * A scripted model in every role of a controller, over a real workspace. All answers are synthetic: written
 * by hand for tests, and no model said them.
 */
import { expect } from 'vitest';
import {
  isObject,
  orThrow,
  replayable,
  type EvidenceRecord,
  type GenesisInput,
  type Json,
  type JsonObject,
} from '@assay/kernel';
import { controller, defaultPolicy, type FinalResult } from '@assay/controller';
import { driveTask, openTaskTools } from '@assay/controller/shell';
import { drive, memoryOutputs, memoryStore, type DriveOptions, type Port, type Ports } from '@assay/host';
import { llmPort } from '@assay/models';
import { controlTasks } from '@assay/controller/prompts';
import { verify } from '@assay/verifier';
import * as player from '../../../../scripts/control/player.mjs';
import { modelTo } from './runs.ts';
import { scripted, type Received, type Step, type Wire } from './scripted-server.ts';

/** Kinds of requests that a model is asked. */
export type Role = 'perceive' | 'plan' | 'step' | 'judge' | 'merge';

/** What an executor's script sees and does: see scripts/control/moves.mjs. */
export type Sight = {
  /** What earlier groups handed on. */
  readonly earlier: () => readonly string[];
  readonly file: (path: string) => string;
  readonly files: (paths: readonly string[]) => readonly string[];
  readonly list: (under: string) => readonly string[];
  readonly search: (input: JsonObject) => readonly string[];
  readonly write: (path: string, content: string) => void;
  readonly move: (pairs: readonly (readonly [string, string])[]) => void;
};
/** A script: what it hands on once nothing is missing. */
export type Doing = (see: Sight) => string;

/** Who says what, a text or a whole step of the server; a role that is left out does well. */
export type Script = {
  readonly [role in Role]?: (data: JsonObject | string, nth: number, good: () => Step) => string | Step;
};

/** A task that rules can do too, and what a model does for it. */
export const TASK = 'find * largest | names -> Name; write Name to report.md';
const doing: Doing = (see) => {
  const [path = ''] = see.search({ limit: 1, order: 'down', sort: 'size' });
  see.write('report.md', `${path}\n`);
  return path;
};

/** The script of a server that does {@link TASK}. */
export const scriptOf = (script: Script = {}): ((call: number, received: Received) => Step) =>
  stepsOf(script, [[TASK, doing]]);

/** Which role a call speaks to, its instructions, and what it is told. */
export const instructionsIn = ({ body }: Received): string => player.instructionsIn(body) as string;
export const roleIn = ({ body }: Received): Role => player.roleIn(body) as Role;
export const dataIn = ({ body }: Received): JsonObject | string => player.dataIn(body) as JsonObject | string;

/** What a controller run came to. `text`: its ledger. */
export type Controlled = {
  readonly end: string;
  readonly result: FinalResult;
  readonly records: readonly EvidenceRecord[];
  readonly proposals: readonly JsonObject[];
  readonly rejections: readonly JsonObject[];
  readonly received: readonly Received[];
  readonly genesis: GenesisInput;
  readonly calls: number;
  readonly text: string;
};

/**
 * How a run is to go. `confirmed`: paths of which a person lets go; `isStreamed`: how the model is asked;
 * `answers`: who answers for every role instead of it; `others`: what is done for sub-tasks of other intents.
 */
export type Course = {
  readonly text: string;
  readonly doing: Doing;
  readonly others?: readonly (readonly [intent: string, doing: Doing])[];
  readonly confirmed?: readonly string[];
  readonly now?: () => number;
  readonly wire?: Wire;
  readonly isStreamed?: boolean;
  readonly answers?: Ports;
  readonly drive?: Partial<DriveOptions>;
};

/** Runs a task over a workspace, every role played by a scripted model; its ledger verified. */
export async function controlled(
  root: string,
  {
    text,
    doing: does,
    others = [],
    confirmed = [],
    now,
    wire = 'compatible',
    isStreamed = true,
    answers,
    drive: options = {},
  }: Course,
  script: Script = {},
): Promise<Controlled> {
  const server = await scripted(wire, stepsOf(script, [[text, does], ...others]));
  try {
    const { tools, listed } = orThrow(await openTaskTools(root, {}));
    const clock = now === undefined ? {} : { now };
    const model = await modelTo(wire, server, 'synthetic', isStreamed);
    const records: EvidenceRecord[] = [];
    const store = memoryStore();
    const genesis = {
      run_id: 'run',
      ts_base: 't',
      policy: { ...defaultPolicy, clock: 'stamps', tools: listed } as unknown as Json,
      input: { text, session: [], deadline_us: null },
    };
    const { ended: driven } = orThrow(
      await driveTask({
        start: genesis,
        runId: 'run',
        store,
        tools,
        portsOf: () => (context) => {
          const port = llmPort({ ...model, tasks: controlTasks({ ...context, ...clock }), ...clock });
          return answers ?? ((): Port => port);
        },
        person: { say: () => undefined, ask: () => Promise.resolve('no') },
        confirmed: confirmed.map((target) => ({ tool: 'write_file', target })),
        recall: null,
        outputs: memoryOutputs(),
        done: null,
        onAppend: (added) => records.push(...added),
        drive: async (machine, driving) =>
          orThrow(await drive(machine, genesis, { ...driving, retry: { baseMs: 0 }, ...options, store })),
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
    const proposals = of('proposal');
    return {
      end: driven.end,
      result,
      records,
      proposals,
      rejections: of('rejection'),
      received: server.received,
      genesis,
      calls: proposals.filter(({ source }) => source === 'tool').length,
      text: lines.join(''),
    };
  } finally {
    await server.close();
  }
}

function stepsOf(
  script: Script,
  does: readonly (readonly [intent: string, doing: Doing])[],
): (call: number, received: Received) => Step {
  const play = player.playing(new Map(does)) as (call: number, received: Received) => Step;
  const asked = new Map<Role, number>();
  return (call, received) => {
    const role = roleIn(received);
    const nth = asked.get(role) ?? 0;
    asked.set(role, nth + 1);
    const good = (): Step => play(call, received);
    const own = script[role]?.(dataIn(received), nth, good) ?? good();
    return typeof own === 'string' ? { text: own } : own;
  };
}
