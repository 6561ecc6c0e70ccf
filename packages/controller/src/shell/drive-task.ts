/**
 * Doing a task to its end, begun now or before: who answers what, on which clock, and what is noted for
 * whoever goes on with it. What a run shows, kept while it is driven, for whoever decides or judges the next
 * move. Source: calls/C4.
 */
import {
  err,
  ok,
  openRun,
  type Digest,
  type EvidenceRecord,
  type GenesisInput,
  type Result,
  ledgerRecord,
  type Base,
} from '@assay/kernel';
import {
  findCast,
  controller,
  roundsIn,
  type CastRole,
  type RoundSeen,
  type Target,
  defaultPolicy,
  readBody,
  type CallAnswer,
} from '../index.js';
import { ASK_KINDS } from '../protocol/requests.js';
import {
  lastClockReading,
  nativeSha256,
  StoreReadError,
  type Dialogue,
  type DriveOptions,
  type KeptDoneCalls,
  type Outputs,
  type Port,
  type Store,
  type StoreError,
  soundRecord,
} from '@assay/host';
import { type Evidence, NO_EVIDENCE } from '../evidence/index.js';
import { callPort } from './executor/call-port.js';
import type { TaskTool } from './executor/mcp-tools.js';
import { confirmPort, type Held } from './roles/confirming.js';
import { type RolePorts, controlPorts } from './roles/players.js';
import { readField, readText } from '@assay/kernel/shape';
import { withRecord } from '../evidence/evidence.js';

/**
 * Sub-tasks of one group that work at once; they are recorded in the order in which they were asked, so that
 * who is faster does not show.
 */
export const TASK_CONCURRENCY = 4;

/** Kinds of requests that a model may answer by judging: a time limit holds for these, and not for work. */
export const JUDGED_KINDS: readonly string[] = ASK_KINDS.filter((kind) => findCast(kind) !== null);

/** What the driver of a task is given. */
type TaskDrive = Required<Pick<DriveOptions, 'ports' | 'concurrency' | 'order' | 'onEvent'>>;

/**
 * A task. `start`: a new run, or the id of a stored one. `portsOf`: who answers for a role. `person`: who is
 * asked to confirm; null where nobody is here, so that what was not named beforehand (`confirmed`) waits.
 * `recall`: a memory. `outputs`: whole outputs of calls. `done`: where calls are noted; null where nothing can
 * be resumed.
 * `drive`: drives the controller to its end.
 */
export type Task<T> = {
  readonly start: GenesisInput | string;
  readonly runId: string;
  readonly store: Store;
  readonly tools: readonly TaskTool[];
  readonly portsOf: (role: CastRole) => RolePorts;
  readonly person: Dialogue | null;
  readonly confirmed: readonly Target[];
  readonly recall: Port | null;
  readonly outputs: Outputs;
  readonly done: KeptDoneCalls | null;
  readonly onAppend: (records: readonly EvidenceRecord[], rounds: readonly RoundSeen[]) => void;
  readonly drive: (machine: typeof controller, driving: TaskDrive) => Promise<T>;
};

/**
 * Does a task. `found`: records that were stored before. Leaves the store open. A store that cannot be read
 * is an error; what `drive` throws is passed on.
 */
export async function driveTask<T>({
  start,
  runId,
  store,
  tools,
  portsOf,
  person,
  confirmed,
  recall,
  outputs,
  done,
  onAppend,
  drive,
}: Task<T>): Promise<Result<StoreError, { readonly ended: T; readonly found: number }>> {
  const last = await lastReading(store, runId);
  if (last._tag === 'Left') return last;
  // A clock that was set back meanwhile does not go back in the run.
  const now = (): number => Math.max(last.right, Math.floor(Date.now() * 1_000));
  const genesis = typeof start === 'string' ? null : genesisHash(start);
  // Before the store is asked: what is noted from now on may be of another process that begins this run.
  const beginAnew = genesis === null ? undefined : await done?.anew(genesis);
  const before = await store.head(runId);
  if (before._tag === 'Left') return before;
  if (before.right === null) await beginAnew?.();
  const kept = await keptEvidence(store, runId, typeof start === 'string' ? null : (start.base ?? null));
  if (kept._tag === 'Left') return kept;
  const { evidence, units, held, add } = kept.right;
  const listed = (): Evidence['tools'] => evidence().tools;
  const open = before.right === null ? null : evidence().asked;
  const ended = await drive(controller, {
    ports: controlPorts(
      portsOf,
      { evidence, outputs },
      {
        call: callPort({ tools, listed, units, outputs, done }),
        confirm: confirmPort(person, confirmed, held, (id) => open?.has(id) ?? true),
        recall,
        now,
      },
    ),
    concurrency: TASK_CONCURRENCY,
    order: 'turn',
    onEvent: (event) => {
      if (event.type !== 'append') return;
      add(event.records);
      onAppend(event.records, roundsIn(event.records));
    },
  });
  return ok({ ended, found: before.right?.count ?? 0 });
}

/** The hash of the first record that a task will have; null if the machine refuses it, as driving it reports. */
function genesisHash(start: GenesisInput): Digest | null {
  const opened = openRun(controller, start, { sha256: nativeSha256 });
  return opened._tag === 'Left' ? null : opened.right.run.genesisRecord.record_hash;
}

async function lastReading(store: Store, runId: string): Promise<Result<StoreError, number>> {
  try {
    return ok(await lastClockReading(store, runId));
  } catch (error) {
    if (error instanceof StoreReadError) return err(error.error);
    throw error;
  }
}

/**
 * The evidence of one run. `units`: of an output that its policy shows; `held`: what a call said that was held
 * back, of this tool and target, if this is what it would lose; else null.
 */
type KeptEvidence = {
  readonly evidence: () => Evidence;
  readonly units: () => number;
  readonly held: (asked: Held) => string | null;
  readonly add: (records: readonly EvidenceRecord[]) => void;
};

/**
 * The evidence of a run, as far as it is stored: of a continuation its base first, if this store has it.
 * `base`: of one that is begun now. A store that cannot be read is an error.
 */
export async function keptEvidence(
  store: Pick<Store, 'read'>,
  runId: string,
  base: Base | null,
): Promise<Result<StoreError, KeptEvidence>> {
  let [evidence, units]: [Evidence, number] = [NO_EVIDENCE, defaultPolicy.limits.output];
  const held = new Map<string, string>();
  const add = (records: readonly EvidenceRecord[]): void => {
    for (const record of records) {
      const said = heldIn(evidence, record);
      if (said !== null) held.set(makeKey(said), said.output);
      evidence = withRecord(evidence, record);
      units = unitsIn(record) ?? units;
    }
  };
  try {
    const stored = await readRecords(store, runId, Infinity);
    const found = stored.length === 0 ? base : findBase(stored);
    for (const records of [...(await readBases(store, found)), stored]) add(records);
  } catch (error) {
    if (error instanceof StoreReadError) return err(error.error);
    throw error;
  }
  return ok({
    evidence: () => evidence,
    units: () => units,
    held: (asked) => held.get(makeKey(asked)) ?? null,
    add,
  });
}

/** The records that a continuation stands on, the oldest first; none where one of them is not here. */
async function readBases(
  store: Pick<Store, 'read'>,
  base: Base | null,
): Promise<readonly (readonly EvidenceRecord[])[]> {
  if (base === null) return [];
  const records = await readRecords(store, base.run_id, base.count);
  if (records.length < base.count) return [];
  const above = findBase(records);
  const earlier = await readBases(store, above);
  return above !== null && earlier.length === 0 ? [] : [...earlier, records];
}

async function readRecords(
  store: Pick<Store, 'read'>,
  runId: string,
  most: number,
): Promise<readonly EvidenceRecord[]> {
  const records: EvidenceRecord[] = [];
  try {
    for await (const line of store.read(runId)) {
      const record = records.length < most ? soundRecord(line) : null;
      if (record === null) break;
      records.push(record);
    }
  } catch (error) {
    if (error instanceof StoreReadError && error.error.code === 'not_found') return [];
    throw error;
  }
  return records;
}

function findBase([first]: readonly EvidenceRecord[]): Base | null {
  const genesis = first === undefined ? null : ledgerRecord(first);
  return genesis?.kind === 'genesis' ? (genesis.payload?.base ?? null) : null;
}

function unitsIn({ kind, payload }: EvidenceRecord): number | null {
  const limits = kind === 'genesis' ? readField(readField(payload, 'policy'), 'limits') : null;
  const units = readField(limits, 'output');
  return typeof units === 'number' ? units : null;
}

/** What the tool of an open `call` held back; whatever else says so is none. */
function heldIn(
  { asked }: Evidence,
  { kind, payload }: EvidenceRecord,
): (Held & { readonly output: string }) | null {
  const request = kind === 'proposal' ? asked.get(readText(payload, 'request_id')) : undefined;
  const value = readField(payload, 'value');
  const body = request?.kind === 'call' ? readBody('call', request.body) : null;
  if (body === null || readText(value, 'code') !== 'needs_confirmation') return null;
  const { target, loses, output } = value as unknown as CallAnswer;
  return { tool: body.tool, target, loses, output };
}

function makeKey({ tool, target, loses }: Held): string {
  return `${tool}\n${target ?? ''}\n${loses ?? ''}`;
}
