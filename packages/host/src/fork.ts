/** A fork, stored: a new run fed with what another one recorded. Source: ledger format, "Base". */
import {
  err,
  linkFault,
  ok,
  parseRecordLine,
  type Base,
  type EvidenceRecord,
  type GenesisInput,
  type Head,
  type Json,
  type Machine,
  type Result,
  type Run,
  type Sha256,
} from '@assay/kernel';
import { forkRun } from '@assay/kernel/fork';
import type { DriveError } from './drive-options.js';
import type { LoadError } from './load.js';
import { headAfter, readFault, readSequence, type Store, nativeSha256 } from './store.js';

/** Where a fork is stored and its parent is read: the same store unless `parent` says otherwise. */
type ForkOptions = {
  readonly store: Store;
  readonly parent?: Pick<Store, 'read'>;
  readonly sha256?: Sha256;
};

/**
 * A fork that was fed. `leftOver`: indices of the parent's proposal records that were not ({@link forkRun}).
 */
type Forked = { readonly head: Head; readonly leftOver: readonly number[] };

/**
 * Opens a fork, feeds it the parent's answers up to `base.count`, and stores it; nothing is performed, and
 * the parent is only read. Then `drive` it by its run id. Cut short by a crash, call it again: it goes on
 * where the stored records end, and does nothing if all are there or the fork was driven on already. See to
 * it that this has returned before the fork is driven.
 *
 * Errors: {@link DriveError}: of the parent `line`, or `ledger` if its links do not hold; `rejected` with
 * the code `base_mismatch` or the machine's; `exists` if the run stored under this id is another.
 */
export async function fork<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  genesis: GenesisInput & { readonly base: Base & { readonly snapshot: null } },
  options: ForkOptions,
): Promise<Result<DriveError, Forked>> {
  const { store, parent = store, sha256 = nativeSha256 } = options;
  const read = await readRecords(genesis.base, parent, sha256);
  if (read._tag === 'Left') return read;
  const forked = forkRun(machine, genesis, read.right, { sha256 });
  if (forked._tag === 'Left') return err({ code: 'rejected', rejection: forked.left });
  const { records, leftOver } = forked.right;
  const runId = genesis.run_id;
  const whole = headAfter(runId, null, records);
  const stored = await store.head(runId);
  if (stored._tag === 'Left') return err({ code: 'store', error: stored.left });
  let head = stored.right;
  if (head !== null && !(await isPart(records, head, store))) return err({ code: 'exists', run_id: runId });
  for (const group of groupRecords(records.slice(head?.count ?? 0))) {
    const appended = await store.append(runId, head, group);
    if (appended._tag === 'Left') return err({ code: 'store', error: appended.left });
    head = appended.right;
  }
  return ok({ head: head ?? whole, leftOver });
}

/**
 * Why a stored or new run is not to be driven yet: it is a fork that lacks answers of its parent, whose calls
 * would be made again. `rejected` with the code `unfed` {run_id, count, records}: how many of its records are
 * there, and how many belong there; null where it lacks none, or where this is not to be seen here. Costs a
 * replay of the parent as long as the fork has fewer records than its base.
 */
export async function unfed<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  { genesis, outcome }: Run<S, I, E, A>,
  head: Head,
  store: Pick<Store, 'read'>,
  sha256: Sha256,
): Promise<DriveError | null> {
  const { run_id, ts_base, policy, input, base } = genesis;
  if (outcome !== null || base === null || base.snapshot !== null || head.count >= base.count) return null;
  const read = await readRecords(base, store, sha256);
  // A parent that is elsewhere, or does not hold, says nothing of its fork.
  if (read._tag === 'Left')
    return read.left.code === 'store' && read.left.error.code !== 'not_found' ? read.left : null;
  const forked = forkRun(
    machine,
    { run_id, ts_base, policy, input, base: { ...base, snapshot: null } },
    read.right,
    { sha256 },
  );
  if (forked._tag === 'Left') return null;
  const { records } = forked.right;
  if (head.count >= records.length || records[head.count - 1]?.record_hash !== head.hash) return null;
  return {
    code: 'rejected',
    rejection: { code: 'unfed', detail: { run_id, count: head.count, records: records.length } },
  };
}

/** The parent's records up to the base's head and one more, their hashes and links checked. */
async function readRecords(
  { run_id, count }: Base,
  store: Pick<Store, 'read'>,
  sha256: Sha256,
): Promise<Result<LoadError, readonly EvidenceRecord[]>> {
  const records: EvidenceRecord[] = [];
  try {
    for await (const line of store.read(run_id)) {
      const envelope = parseRecordLine(line);
      if (envelope._tag === 'Left')
        return err({ code: 'line', record: records.length, reason: envelope.left });
      const record = envelope.right;
      const code = linkFault(record, records.at(-1)?.record_hash ?? null, null, sha256);
      if (code !== null) return err({ code: 'ledger', failed: { ...UNKNOWN, code, record: records.length } });
      records.push(record);
      if ((readSequence(record.ts) ?? 0) >= count) break;
    }
  } catch (error) {
    return readFault(error);
  }
  return ok(records);
}

/** True where the stored run begins as the fork does, or is a beginning of it. */
async function isPart(records: readonly EvidenceRecord[], head: Head, store: Store): Promise<boolean> {
  if (head.count <= records.length) return records[head.count - 1]?.record_hash === head.hash;
  for await (const line of store.read(head.run_id, records.length - 1)) {
    const envelope = parseRecordLine(line);
    return envelope._tag === 'Right' && envelope.right.record_hash === records.at(-1)?.record_hash;
  }
  return false;
}

/** Records in whole groups, several at a time: the first may be the rest of a group that a crash had cut. */
function groupRecords(records: readonly EvidenceRecord[]): readonly (readonly EvidenceRecord[])[] {
  const groups: EvidenceRecord[][] = [];
  for (const record of records) {
    const last = groups.at(-1);
    if (last === undefined || (record.kind === 'proposal' && last.length >= GROUP_MIN)) groups.push([record]);
    else last.push(record);
  }
  return groups;
}

const GROUP_MIN = 256;
const UNKNOWN = { check: 'integrity', field: null, expected: null, got: null } as const;
