/** A recorded run, read from its bytes and derived again: what is decided anew starts from it. */
import {
  err,
  LineSplitter,
  ok,
  RunIntegrity,
  type DerivedRecord,
  type EvidenceRecord,
  type Failed,
  type Follower,
  type Genesis,
  type Json,
  type Replayable,
  type Result,
  type Sha256,
} from '@assay/kernel';

/** A run that was derived again, with what its last decision owes. `end`: records up to its last whole group. */
export type DerivedParent = {
  readonly genesis: Genesis;
  readonly records: readonly DerivedRecord[];
  readonly end: number;
};

/** Why a ledger is no parent: a code of integrity, `foreign_chain`, or why it does not re-derive. */
export type Unusable = { readonly code: string; readonly record: number | null; readonly detail: Json };

/** A ledger whose integrity holds. Erased payloads are missing in `records`. */
export type SoundLedger = {
  readonly genesis: Genesis;
  readonly records: readonly EvidenceRecord[];
};

/**
 * Reads a ledger; it is kept whole. Errors, in this order: codes of integrity, `foreign_chain`,
 * `payload_erased` with the first record that has none.
 */
export function readSound(chunks: Iterable<Uint8Array>, sha256: Sha256): Result<Unusable, SoundLedger> {
  const integrity = new RunIntegrity({ sha256 });
  const splitter = new LineSplitter();
  const records: EvidenceRecord[] = [];
  const take = (bytes: Uint8Array, isEnded: boolean): boolean => {
    const fed = integrity.feed(bytes, isEnded);
    if (fed._tag === 'Right') records.push(fed.right);
    return fed._tag === 'Right';
  };
  reading: for (const chunk of chunks)
    for (const { bytes, isEnded } of splitter.push(chunk)) if (!take(bytes, isEnded)) break reading;
  for (const { bytes, isEnded } of splitter.end()) take(bytes, isEnded);
  const finished = integrity.finish();
  if (finished._tag === 'Left') {
    const { code, record, detail } = finished.left;
    return err({ code, record, detail });
  }
  if (finished.right.isForeign) return err({ code: 'foreign_chain', record: 0, detail: null });
  const erased = records.findIndex(({ payload }) => payload === undefined);
  const genesis = records[0]?.payload;
  return erased !== -1 || genesis === undefined
    ? err({ code: 'payload_erased', record: Math.max(0, erased), detail: null })
    : ok({ genesis: genesis as unknown as Genesis, records });
}

/**
 * Derives a run again, record by record; what its last decision still owes is added. `records`: their
 * integrity holds. Errors: why a replay stops.
 */
export function derivedAgain(
  machine: Replayable,
  { genesis, records }: SoundLedger,
): Result<Failed, DerivedParent> {
  const [first, ...rest] = records;
  if (first === undefined) return ok({ genesis, records: [], end: 0 });
  const whole: EvidenceRecord[] = [first];
  let end = 0;
  let followed: Result<Failed, Follower> = machine.begin(first, { checked: true });
  for (const record of rest) {
    if (followed._tag === 'Left') return followed;
    const { due } = followed.right;
    if (due.length === 0) end = whole.length;
    whole.push(due[0] ?? record);
    followed = followed.right.feed(record);
  }
  if (followed._tag === 'Left') return followed;
  const { due } = followed.right;
  const all: readonly EvidenceRecord[] = [...whole, ...due];
  return ok({ genesis, records: all as readonly DerivedRecord[], end: due.length === 0 ? all.length : end });
}

/** A run as it was recorded, where nobody has the code that decided it. */
export function asRecorded({ genesis, records }: SoundLedger): DerivedParent {
  return { genesis, records: records as readonly DerivedRecord[], end: records.length };
}
