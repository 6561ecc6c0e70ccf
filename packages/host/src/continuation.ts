/**
 * What a continuation stands on, looked at before it is driven: calls that its base made, or began, must not
 * be made again under another key. Source: ledger format, "Base".
 */
import { compareRequestIds, type Base, type Digest, type Run, type Sha256, type State } from '@assay/kernel';
import { HashOnlyIntegrity } from '@assay/kernel/hash-only';
import type { CallNotes } from './call-notes.js';
import type { DriveError } from './drive-options.js';
import { LastGroup, readPayload } from './load.js';
import { LostCalls } from './lost-calls.js';
import { readRunId, readSequence, soundRecord, type Store, StoreReadError, deriveKey } from './store.js';
import type { Timer } from './timer.js';

/** With what a base is looked at. `notes`: of the calls begun, null where nobody keeps any. */
type BaseLook = {
  readonly store: Pick<Store, 'read'>;
  readonly notes: CallNotes | null;
  readonly timer: Timer;
  readonly sha256: Sha256;
};

/**
 * Why a continuation is not to be driven yet, or null: `rejected` with the first code that applies,
 * `base_mismatch` {run_id, count, found}, `base_closed` or `base_went_on` {run_id, count, records}, or
 * `base_under_way` {run_id, requests}. The guide "Drive runs" says what each means and what is not seen.
 *
 * Null also if the base is not in this store. What the last decision of the base still owes is not known here
 * (artifacts). It holds for the moment of the reading. Costs a reading of the base, its hashes and links, no
 * deriving. Rejects with `StoreReadError`, and with `CallNotesError` if the notes cannot be read.
 */
export async function baseFault(
  { genesis: { base } }: Pick<Run<unknown, unknown>, 'genesis'>,
  { store, notes, timer, sha256 }: BaseLook,
): Promise<DriveError | null> {
  if (base === null || base.snapshot === null) return null;
  const { run_id, count, snapshot } = base;
  const seen = await look({ ...base, snapshot }, store, sha256);
  if (seen === null) return null;
  const { found, genesis, isClosed, records } = seen;
  if (found !== null || genesis === null) return rejected('base_mismatch', { run_id, count, found });
  if (isClosed) return rejected('base_closed', { run_id, count, records });
  if (records > count) return rejected('base_went_on', { run_id, count, records });
  const requests =
    notes === null
      ? []
      : await underWay(
          genesis,
          snapshot,
          new LostCalls(notes, run_id, { timer, signal: new AbortController().signal }),
        );
  return requests.length === 0 ? null : rejected('base_under_way', { run_id, requests });
}

/**
 * True where a stored run has recorded an answer of its own. Reads its first group and one record more.
 * Rejects with `StoreReadError`.
 */
export async function hasAnswers(runId: string, store: Pick<Store, 'read'>): Promise<boolean> {
  for await (const line of store.read(runId)) if (soundRecord(line)?.kind === 'proposal') return true;
  return false;
}

/** What a base is found to be. `records`: its head's count; `genesis`: hash of its first record. */
type Seen = {
  readonly found: 'ledger' | 'head' | 'group' | 'state' | null;
  readonly records: number;
  readonly isClosed: boolean;
  readonly genesis: Digest | null;
};

async function look(
  base: Base & { readonly snapshot: State },
  store: Pick<Store, 'read'>,
  sha256: Sha256,
): Promise<Seen | null> {
  try {
    return await seenIn(base, store.read(base.run_id), sha256);
  } catch (error) {
    if (error instanceof StoreReadError && error.error.code === 'not_found') return null;
    throw error;
  }
}

async function seenIn(
  base: Base & { readonly snapshot: State },
  lines: AsyncIterable<Uint8Array>,
  sha256: Sha256,
): Promise<Seen> {
  const { run_id, count, hash, snapshot } = base;
  const given = { head: { run_id, count, hash }, state: snapshot };
  const artifacts = Object.keys(snapshot.artifacts).length;
  const integrity = new HashOnlyIntegrity(sha256);
  const group = new LastGroup();
  let isErased = false;
  let seen: Seen = { found: 'head', records: 0, isClosed: false, genesis: null };
  for await (const line of lines) {
    const sound = integrity.feed(line);
    if (sound._tag === 'Left') return { ...seen, found: 'ledger' };
    const record = sound.right;
    if (seen.genesis === null && readRunId(record) !== run_id) return { ...seen, found: 'ledger' };
    const records = (readSequence(record.ts) ?? 0) + 1;
    if (record.kind === 'decision') {
      isErased = record.payload === undefined;
      // Only the last decision before the head is parsed: an artifact for each name may follow it.
      group.begin(records <= count && records + artifacts >= count ? readPayload(line) : null);
    } else {
      group.add(record);
    }
    let { found } = seen;
    if (records === count) found = group.fault(given, record, sha256);
    // Its hash is what it was, and what it said of the state is gone: as where a verifier has not checked it.
    if (
      records === count &&
      found === 'state' &&
      isErased &&
      (record.kind === 'decision' || record.kind === 'artifact')
    )
      found = null;
    if (records === count + 1 && found === null && record.kind !== 'proposal') found = 'group';
    seen = { found, records, isClosed: record.kind === 'close', genesis: seen.genesis ?? record.record_hash };
  }
  return seen;
}

/**
 * Requests that wait in this state and whose call is noted under the key of their next attempt: that of an
 * attempt that is recorded is another.
 */
async function underWay(genesis: Digest, { open }: State, noted: LostCalls): Promise<readonly string[]> {
  const requests: string[] = [];
  for (const [id, { rejections }] of Object.entries(open))
    if ((await noted.before(deriveKey(genesis, id, rejections), Infinity)).length > 0) requests.push(id);
  return requests.sort(compareRequestIds);
}

function rejected(
  code: string,
  detail: { readonly [key: string]: string | number | null | readonly string[] },
): DriveError {
  return { code: 'rejected', rejection: { code, detail } };
}
