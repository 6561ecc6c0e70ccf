/**
 * `agent-0`: a leaf is a task of the controller, a run of its own whose head is cited. Source: machine
 * interface, "Other ledgers"; dec-K75.
 */
import {
  field,
  hashText,
  isObject,
  type EvidenceRecord,
  type GenesisInput,
  type JsonObject,
  type Spent,
} from '@assay/kernel';
import type { controller, FinalResult } from '@assay/controller';
import type { Bodies, Resolver } from '../index.js';
import { filesWrittenIn } from '../library/index.js';
import { answerFromLeaf } from '../library/deriving.js';
import type { Toolset } from '@assay/effector';
import { drive, nativeSha256, soundRecord, type Blobs, type Port, type Store } from '@assay/host';
import { driveTask, type Task } from '@assay/controller/shell';
import { keepValue, type LeafFile } from './files.js';
import { filesJson } from './resolvers.js';

/**
 * With what a leaf is done by an agent. `store`: where its runs lie, beside the planner's; `policy`: of the
 * controller, with its tools listed; `task`: who plays, who confirms, with which tools; `toolset`: the same
 * tools, for reading what was written; `machine`: the controller, as it is driven here.
 */
export type AgentLeaf = {
  readonly runId: string;
  readonly store: Store;
  readonly policy: JsonObject;
  readonly task: Pick<
    Task<unknown>,
    'tools' | 'portsOf' | 'person' | 'confirmed' | 'recall' | 'outputs' | 'done'
  >;
  readonly toolset: Toolset;
  readonly blobs: Blobs;
  readonly machine: typeof controller;
  /** Whether a model plays: rules would do the same again. */
  readonly isModel: boolean;
};

/** The resolver of a policy that has an agent. Its `bound` is what one task of it may spend. */
export const AGENT_RESOLVER: Resolver = Object.freeze({
  id: 'agent-0',
  label: 'an agent that works call by call',
  type: 'digital',
  capabilities: ['agent_work'],
  bound: {},
  built_by: null,
  composed_of: [],
} satisfies Resolver);

const RUN_ID_MAX = 128;

/** The id of a run below a run: by the request that it answers and the attempts used. Machine interface. */
export function childRunId(parent: string, request: string, attempts: number): string {
  const child = `${parent}~${request}~${attempts}`;
  if (child.length <= RUN_ID_MAX) return child;
  return `${hashText(parent, nativeSha256).slice(0, 32)}~${request}~${attempts}`;
}

/**
 * The port of `agent-0`: source `run`. The task is the goal of the leaf with what it must hold; what it wrote
 * is the output. It is gone on with where it was cut off. `bound`: what one try may spend, which its run is
 * held to. An abandoned task is a failed try, and its cost counts.
 */
export function agentPort(
  { runId, store, policy, task, toolset, blobs, machine }: AgentLeaf,
  bound: Spent,
): Port {
  return {
    source: 'run',
    proposer: 'agent-0',
    bound: () => bound,
    perform: async ({ id, body }, { key, signal }) => {
      const { goal } = body as unknown as Bodies['resolve'];
      const child = childRunId(runId, id, Number(key.split('/').at(-1) ?? '0'));
      const start: GenesisInput = {
        run_id: child,
        ts_base: child,
        policy,
        input: { text: goal, session: [], deadline_us: null },
      };
      const driven = await driveTask({
        ...task,
        start,
        runId: child,
        store,
        onAppend: () => undefined,
        drive: async (_machine, driving) =>
          drive(machine, start, { budget: { limits: bound }, ...driving, store, signal }),
      });
      if (driven._tag === 'Left') throw new Error(driven.left.code);
      const { ended } = driven.right;
      if (ended._tag === 'Left') throw new Error(ended.left.code);
      signal.throwIfAborted();
      const { end, head } = ended.right;
      if (end !== 'success' && end !== 'refused') throw new Error(`the task of the agent is ${end}`);
      const records = await readRecords(store, child);
      const result = resultIn(records);
      const spent = result?.costs.spent ?? {};
      const cites = [{ ...head }];
      if (result === null || end === 'refused')
        return {
          failure: {
            code: 'malformed',
            final: true,
            detail: { code: 'abandoned', detail: { why: result?.reason ?? '' } },
          },
          spent,
          cites,
        };
      const files = await filesJson(blobs, await writtenIn(records, toolset, signal));
      await keepValue(blobs, { run: child, files, summary: result.summary });
      return { value: answerFromLeaf(child, files, result.summary), spent, cites };
    },
  };
}

async function readRecords(store: Pick<Store, 'read'>, runId: string): Promise<readonly EvidenceRecord[]> {
  const records: EvidenceRecord[] = [];
  for await (const line of store.read(runId)) {
    const record = soundRecord(line);
    if (record === null) break;
    records.push(record);
  }
  return records;
}

function resultIn(records: readonly EvidenceRecord[]): FinalResult | null {
  const found = records.find(
    ({ kind, payload }) =>
      kind === 'artifact' && isObject(payload) && field(payload, 'name') === 'final_result',
  );
  return found === undefined
    ? null
    : (field(found.payload as JsonObject, 'content') as unknown as FinalResult);
}

/** The files that a task wrote: as its ledger says, else as they are now. */
async function writtenIn(
  records: readonly EvidenceRecord[],
  toolset: Toolset,
  signal: AbortSignal,
): Promise<readonly LeafFile[]> {
  const files: LeafFile[] = [];
  for (const [path, known] of filesWrittenIn(records)) {
    const text = known ?? (await textNow(path, toolset, signal));
    if (text !== null) files.push({ path, bytes: Buffer.from(text, 'utf8') });
  }
  return files;
}

async function textNow(path: string, toolset: Toolset, signal: AbortSignal): Promise<string | null> {
  let text: string | null = null;
  const read = await toolset.run(
    { tool: 'read_file', input: { path } },
    { signal, onOutput: (output) => void (text = output) },
  );
  return read.status === 'ok' ? text : null;
}
