/**
 * A workspace in a folder of its own, and whole runs of the controller over it: rules as R1 to R4b,
 * R3 over real tools.
 */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeHead, orThrow, replayable, replayWith, type EvidenceRecord, type Json } from '@assay/kernel';
import { controller, defaultPolicy, type FinalResult, type Policy } from '@assay/controller';
import { memoryOutputs, type Outputs, drive, memoryStore, type Port } from '@assay/host';
import { openWorkspace, toolset, TOOL_NAMES } from '@assay/effector';
import { callPort, effectorTools, type TaskTool, type ToolAnswer } from '../../../src/shell/index.ts';
import { keptEvidence } from '../../../src/shell/drive-task.ts';
import { declared } from '../../../src/shell/executor/mcp-tools.ts';
import { controlRulesPort } from '@assay/proposers/task-rules';

/** A file of a workspace. `minute`: when it was changed, minutes after a fixed hour. */
export type FileSpec = {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly minute?: number;
};

export type World = {
  readonly root: string;
  readonly tools: readonly TaskTool[];
  readonly put: (file: FileSpec) => void;
  readonly remove: () => void;
};

const HOUR_S = 1_700_000_000;

/** A workspace with these files; every tool is allowed, or those that are named. */
export async function makeWorld(
  files: readonly FileSpec[],
  allow: { readonly tools?: readonly (typeof TOOL_NAMES)[number][] } = {},
): Promise<World> {
  const beside = realpathSync(mkdtempSync(join(tmpdir(), 'assay-control-')));
  const root = join(beside, 'workspace');
  mkdirSync(root);
  const put = ({ path, content, minute }: FileSpec): void => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    if (minute !== undefined) utimesSync(file, HOUR_S + 60 * minute, HOUR_S + 60 * minute);
  };
  for (const file of files) put(file);
  const workspace = orThrow(await openWorkspace(root));
  const all = orThrow(await toolset(workspace, { allow: { tools: allow.tools ?? TOOL_NAMES } }));
  return {
    root,
    tools: effectorTools(all),
    put,
    remove: () => rmSync(beside, { recursive: true, force: true }),
  };
}

/** The policy of a run over these tools. */
export function policyFor(tools: readonly TaskTool[], more: Partial<Policy> = {}): Policy {
  return { ...defaultPolicy, clock: 'stamps', tools: tools.map(declared), ...more };
}

/** Tools of which calls end otherwise: `change` may make the call, and says what came of it. */
export function tampered(
  { tools }: Pick<World, 'tools'>,
  change: (tool: string, input: Json, call: () => Promise<ToolAnswer>) => Promise<ToolAnswer>,
): readonly TaskTool[] {
  return tools.map((tool) => ({
    ...tool,
    run: (input, options) => change(tool.name, input, () => tool.run(input, options)),
  }));
}

/** A call that failed. */
export const failed = (status: ToolAnswer['status'], code: string, target: string): ToolAnswer => ({
  status: status ?? 'error',
  code,
  output: `${code}: ${target}`,
  target,
  irreversible: false,
});

/** How a run is to go. `approves`: what a person says to a confirmation; null: there is nobody. */
export type Course = {
  readonly approves?: boolean | null;
  readonly policy?: Partial<Policy>;
  readonly tools?: readonly TaskTool[];
  readonly outputs?: Outputs;
};

/** A run that ended. `asked`: what a person was asked to confirm. */
export type Ran = {
  readonly result: FinalResult;
  readonly records: readonly EvidenceRecord[];
  readonly rejections: readonly string[];
  readonly asked: readonly Json[];
  readonly failures: readonly Json[];
};

/** Runs one request to its end and derives the run again from its records alone. */
export async function run(
  world: World,
  text: string,
  { approves = null, policy = {}, tools = world.tools, outputs = memoryOutputs() }: Course = {},
): Promise<Ran> {
  const store = memoryStore();
  const records: EvidenceRecord[] = [];
  const asked: Json[] = [];
  const person: Port = {
    source: 'human',
    proposer: 'person',
    perform: ({ body }) => {
      asked.push(body);
      return Promise.resolve(
        approves === null
          ? { failure: { code: 'unavailable', final: true, detail: null } }
          : { value: { approved: approves, note: null } },
      );
    },
  };
  const genesis = {
    run_id: 'task',
    ts_base: 'T',
    policy: policyFor(tools, policy) as unknown as Json,
    input: { text, session: [], deadline_us: null } as Json,
  };
  const { evidence, units, add } = orThrow(await keptEvidence(store, 'task', null));
  const call = callPort({ tools, listed: () => evidence().tools, units, outputs, done: null });
  const rules = controlRulesPort({ evidence, outputs });
  const driven = orThrow(
    await drive(controller, genesis, {
      store,
      ports: ({ kind }) => (kind === 'confirm' ? person : kind === 'call' ? call : rules),
      concurrency: 4,
      order: 'turn',
      onEvent: (event) => {
        if (event.type !== 'append') return;
        records.push(...event.records);
        add(event.records);
      },
    }),
  );
  const again = orThrow(replayWith([replayable(controller)], records));
  if (again.head.hash !== makeHead(driven.run).hash) throw new Error('derived again to another head');
  const payloads = (kind: string): readonly { readonly [key: string]: Json }[] =>
    records.filter((record) => record.kind === kind).map(({ payload }) => payload as never);
  const result = payloads('artifact').find(({ name }) => name === 'final_result')?.['content'];
  if (result === undefined) throw new Error(`no result: ${driven.end}`);
  return {
    result: result as unknown as FinalResult,
    records,
    asked,
    rejections: payloads('rejection').map(({ code }) => String(code)),
    failures: payloads('proposal').flatMap(({ failure }) =>
      failure === null || failure === undefined ? [] : [failure],
    ),
  };
}

/** Everything below a folder, by plain walking: regular files by their paths. */
export function walk(root: string, under = ''): readonly string[] {
  return readdirSync(join(root, under), { withFileTypes: true }).flatMap((entry) => {
    const path = under === '' ? entry.name : `${under}/${entry.name}`;
    return entry.isDirectory() ? walk(root, path) : entry.isFile() ? [path] : [];
  });
}

/** What a workspace holds: contents by path. */
export function contents(root: string): ReadonlyMap<string, string> {
  return new Map(
    walk(root).map((path) => [path, readFileSync(join(root, path)).toString('base64')] as const),
  );
}

/**
 * Everything that can be seen of a workspace: files, folders and whatever else, hidden or not, with kind,
 * rights, size, time of the last change and, of files, content.
 */
export function picture(root: string, under = ''): ReadonlyMap<string, string> {
  const seen = new Map<string, string>();
  for (const entry of [
    { name: '', isDirectory: () => true },
    ...readdirSync(join(root, under), { withFileTypes: true }),
  ]) {
    const path = under === '' || entry.name === '' ? `${under}${entry.name}` : `${under}/${entry.name}`;
    if (entry.name !== '' && entry.isDirectory())
      for (const [below, said] of picture(root, path)) seen.set(below, said);
    else seen.set(path, saidOf(join(root, path)));
  }
  return seen;
}

function saidOf(path: string): string {
  const found = lstatSync(path);
  return (
    `${found.mode.toString(8)} ${found.mtimeMs} ` +
    `${found.isDirectory() ? 'folder' : `${found.size} ${found.isFile() ? readFileSync(path).toString('base64') : ''}`}`
  );
}
