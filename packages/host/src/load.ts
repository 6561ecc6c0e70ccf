/** Taking up a stored run: its ledger read back, every record judged, every decision derived again. */
import {
  err,
  type EvidenceRecord,
  type Failed,
  field,
  follow,
  followFrom,
  type Head,
  type IntegrityFault,
  isObject,
  type Json,
  type KernelOptions,
  type Machine,
  ok,
  parseRecordLine,
  type ReadCode,
  type Result,
  type Run,
  type RunFollower,
  RunIntegrity,
  type Sha256,
  type Snapshot,
  hashState,
} from '@assay/kernel';
import { readFault, type Store, type StoreError } from './store.js';

/**
 * Why a stored run can not be taken up. `store`: the store's own reason; `line`: a stored line is no record
 * (index, reason); `ledger`: the ledger does not hold, or this machine derives something else.
 */
export type LoadError =
  | { readonly code: 'store'; readonly error: StoreError }
  | { readonly code: 'line'; readonly record: number; readonly reason: ReadCode | 'shape' | 'version' }
  | { readonly code: 'ledger'; readonly failed: Failed | IntegrityFault };

/**
 * A run as its stored ledger has it. `due`: records that the ledger lacks to the end of its last group;
 * `head`: where it ends.
 */
export type Stored<S, I, E extends Json, A extends Json> = {
  readonly run: Run<S, I, E, A>;
  readonly due: readonly EvidenceRecord[];
  readonly head: Head;
};

/** What hears of each answer: the run before it, the run after it and the records of its group. */
type Told<S, I, E extends Json, A extends Json> = (
  before: Run<S, I, E, A>,
  step: { readonly run: Run<S, I, E, A>; readonly records: readonly EvidenceRecord[] },
) => void;

/**
 * Reads a run back as strictly as a verifier: integrity record by record, and every decision derived again.
 * The follower stands after the last stored record; `due` are the records that the stored ledger lacks to the
 * end of its last group. `told` hears of each answer. Errors: {@link LoadError}. Changes nothing.
 */
export async function loadRun<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  runId: string,
  store: Pick<Store, 'read'>,
  options: KernelOptions = {},
  told: Told<S, I, E, A> | null = null,
): Promise<Result<LoadError, RunFollower<S, I, E, A>>> {
  const reading = new Reading(machine, options, told);
  try {
    for await (const line of store.read(runId)) {
      const fault = reading.accept(line);
      if (fault !== null) return err(fault);
    }
  } catch (error) {
    return readFault(error);
  }
  return reading.follower === null
    ? err({ code: 'store', error: { code: 'not_found', run_id: runId } })
    : ok(reading.follower);
}

/**
 * Goes on from a run that stands at the end of a group, as {@link loadRun}. Null where a line is not what is
 * derived. `from`: sequence of the first line to read.
 */
export async function goOn<S, I, E extends Json, A extends Json>(
  run: Run<S, I, E, A>,
  store: Pick<Store, 'read'>,
  from: number,
  options: KernelOptions,
): Promise<Result<LoadError, Stored<S, I, E, A>> | null> {
  let follower = followFrom(run, from, options);
  try {
    for await (const line of store.read(run.genesis.run_id, from)) {
      const record = parseRecordLine(line);
      const fed = record._tag === 'Left' ? record : follower.feed(record.right);
      if (fed._tag === 'Left') return null;
      follower = fed.right;
    }
  } catch (error) {
    return readFault(error);
  }
  return ok(follower);
}

/** A ledger read so far. */
class Reading<S, I, E extends Json, A extends Json> {
  follower: RunFollower<S, I, E, A> | null = null;
  private readonly machine: Machine<S, I, E, A>;
  private readonly options: KernelOptions;
  private readonly told: Told<S, I, E, A> | null;
  private readonly integrity: RunIntegrity;

  constructor(machine: Machine<S, I, E, A>, options: KernelOptions, told: Told<S, I, E, A> | null) {
    this.machine = machine;
    this.options = options;
    this.told = told;
    this.integrity = new RunIntegrity(options);
  }

  accept(line: Uint8Array): LoadError | null {
    const judged = this.integrity.feed(line, true, this.follower?.next ?? null);
    if (judged._tag === 'Left') return refused(judged.left);
    const options = { ...this.options, checked: true };
    const fed: Result<Failed, RunFollower<S, I, E, A>> = this.follower === null
      ? follow(this.machine, judged.right, options)
      : this.follower.feed(judged.right, line.length);
    if (fed._tag === 'Left') return { code: 'ledger', failed: fed.left };
    const before = this.follower;
    this.follower = fed.right;
    if (this.told !== null && before !== null && judged.right.kind === 'proposal')
      this.told(before.run, { run: fed.right.run, records: [judged.right, ...fed.right.due] });
    return null;
  }
}

function refused(fault: IntegrityFault): LoadError {
  switch (fault.code) {
    case 'size':
    case 'depth':
    case 'encoding':
    case 'shape':
    case 'version':
      return { code: 'line', record: fault.record, reason: fault.code };
    default:
      return { code: 'ledger', failed: fault };
  }
}

/** The group that is being read. */
export class LastGroup {
  private stateHash: Json = null;

  begin(decision: Json): void {
    this.stateHash = isObject(decision) ? (field(decision, 'state_hash') ?? null) : null;
  }

  add({ kind }: EvidenceRecord): void {
    if (kind !== 'artifact') this.stateHash = null;
  }

  /** Whether what was taken at a head is of the run after this record. Null where it is. */
  fault(
    { head, state }: Pick<Snapshot, 'head' | 'state'>,
    last: EvidenceRecord,
    sha256: Sha256,
  ): 'head' | 'state' | null {
    if (last.record_hash !== head.hash) return 'head';
    return this.stateHash !== null && this.stateHash === hashState(state, { sha256 }) ? null : 'state';
  }
}

/** The payload of a line whose hashes hold; it is read only, never recorded. Null where it was erased. */
export function readPayload(line: Uint8Array): Json {
  const read: unknown = JSON.parse(new TextDecoder().decode(line));
  return isObject(read as Json) ? (field(read as { readonly [key: string]: Json }, 'payload') ?? null) : null;
}
