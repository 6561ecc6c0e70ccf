/** The attack no check of a file can see: another answer, and everything after it derived again. */
import {
  begin,
  isArray,
  isObject,
  logicalTime,
  type EvidenceRecord,
  type Follower,
  type Json,
  type JsonObject,
  type Sha256,
} from '@assay/kernel';
import {
  chained,
  type Edit,
  encodeFile,
  type Forged,
  type ForgeOptions,
  hashValue,
  type Step,
  withChanges,
} from './edit.js';

/**
 * Changes one recorded proposal and lets the machine derive what follows, so that the forged ledger is the
 * ledger of a run that could have been. Tried from the last accepted answer to the first, with the value of
 * another answer to the same kind of request, then a list in it shortened or reversed, then another
 * proposer's name; the first that ends as the original does counts.
 */
export function rederived(records: readonly EvidenceRecord[], options: ForgeOptions): Forged | null {
  const proposals = records.flatMap((record, index) =>
    record.kind === 'proposal' && isObject(record.payload) && records[index + 1]?.kind !== 'rejection'
      ? [index]
      : [],
  );
  for (const isThorough of [true, false]) {
    for (const record of [...proposals].reverse()) {
      for (const edit of listRecordEdits(records, record, isThorough, options.sha256)) {
        const forged = rerun(records, options, { at: record, payload: edit.value });
        if (forged !== null && forged.at(-1)?.record_hash !== records.at(-1)?.record_hash)
          return {
            bytes: encodeFile(forged),
            done: 'an answer changed, every decision after it derived again',
            record,
            edit,
          };
      }
    }
  }
  return null;
}

/** One proposal's payload replaced by another. */
type Replacement = { readonly at: number; readonly payload: Json };

/**
 * The ledger that the recorded answers lead to, one of them replaced or none. Null if it cannot be
 * derived, where the replaced answer is rejected, or where the run does not end as it did.
 */
export function rerun(
  records: readonly EvidenceRecord[],
  options: ForgeOptions,
  replaced: Replacement | null,
): readonly EvidenceRecord[] | null {
  const [genesis] = records;
  const first = genesis === undefined ? null : begin(options.machines, genesis);
  if (genesis === undefined || first === null || first._tag === 'Left') return null;
  const writer = new Writer(genesis, first.right, options.sha256);
  if (!writer.settle()) return null;
  for (const [index, record] of records.entries()) {
    if (record.kind !== 'proposal' || record.payload === undefined || writer.isClosed) continue;
    const isReplaced = index === replaced?.at;
    if (
      !writer.answer(isReplaced ? replaced.payload : record.payload) ||
      (isReplaced && writer.isRejecting) ||
      !writer.settle()
    )
      return null;
  }
  return writer.isClosed === (records.at(-1)?.kind === 'close') ? writer.written : null;
}

/** A ledger being derived: answers go in, what follows is written. */
class Writer {
  readonly written: EvidenceRecord[];
  private follower: Follower;
  private readonly base: string;
  private readonly sha256: Sha256;

  constructor(genesis: EvidenceRecord, follower: Follower, sha256: Sha256) {
    this.sha256 = sha256;
    this.written = [genesis];
    this.follower = follower;
    this.base = genesis.ts.slice(0, genesis.ts.lastIndexOf('#'));
  }

  get isClosed(): boolean {
    return this.follower.outcome !== null;
  }

  get isRejecting(): boolean {
    return this.follower.due[0]?.kind === 'rejection';
  }

  /** Records an answer; false if it cannot be recorded. */
  answer(payload: Json): boolean {
    const [made] = chained(
      [{ ts: logicalTime(this.base, this.follower.head.count), kind: 'proposal', payload }],
      this.sha256,
      this.follower.head.hash,
    );
    return made !== undefined && this.take(made);
  }

  /** Writes all that is due; false if it does not follow. */
  settle(): boolean {
    return this.follower.due.every((due) => this.take(due));
  }

  private take(record: EvidenceRecord): boolean {
    const next = this.follower.feed(record);
    if (next._tag === 'Left') return false;
    this.written.push(record);
    this.follower = next.right;
    return true;
  }
}

/** Other payloads for one proposal, its hash computed again, likeliest first. */
function listRecordEdits(
  records: readonly EvidenceRecord[],
  record: number,
  isThorough: boolean,
  sha256: Sha256,
): readonly Edit[] {
  const payload = records[record]?.payload;
  if (payload === undefined || !isObject(payload)) return [];
  const { value = null, proposer: named } = payload;
  const proposer = typeof named === 'string' ? named : '';
  if (!isThorough) return [proposed(payload, sha256, 'proposer', proposer, `${proposer.slice(0, 120)}-2`)];
  const rivals = records.flatMap((other) =>
    other.kind === 'proposal' && isObject(other.payload) && other.payload['failure'] === null
      ? [other.payload['value'] ?? null]
      : [],
  );
  const others = rivals.filter((rival) => hashValue(rival, sha256) !== hashValue(value, sha256));
  return [...others, ...listEdits(value)].map((to) => proposed(payload, sha256, 'value', value, to));
}

function proposed(
  payload: JsonObject,
  sha256: Sha256,
  key: 'value' | 'proposer',
  from: Json,
  to: Json,
): Edit {
  const changed: JsonObject = { ...payload, [key]: to };
  const { source = null, confidence = null, value = null } = changed;
  const proposal_hash = hashValue({ source, confidence, value }, sha256);
  return {
    path: `/payload/${key}`,
    from,
    to,
    value: withChanges(changed, { at: ['proposal_hash'], to: proposal_hash }),
  };
}

/** The value with its first list of two or more shortened, from the front and from the end, then reversed. */
function listEdits(value: Json): readonly Json[] {
  const found = firstList(value, []);
  if (found === null) return [];
  const { at, list } = found;
  return [list.slice(1), list.slice(0, -1), [...list].reverse()].map((to) => withChanges(value, { at, to }));
}

/** The first list of two or more; a shorter one is looked into at its first item. */
function firstList(
  value: Json,
  at: readonly Step[],
): { readonly at: readonly Step[]; readonly list: readonly Json[] } | null {
  if (isArray(value)) return value.length > 1 ? { at, list: value } : firstList(value[0] ?? null, [...at, 0]);
  if (!isObject(value)) return null;
  for (const [key, item] of Object.entries(value)) {
    const found = key === '__proto__' ? null : firstList(item, [...at, key]);
    if (found !== null) return found;
  }
  return null;
}
