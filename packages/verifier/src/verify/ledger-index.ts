/**
 * Which record hash stands where, and where groups end: what comparing with another file needs, in about
 * 40 bytes a record.
 *
 * @module
 */
import { field, isDigest, isObject, RECORD_KINDS, type Digest, type EvidenceRecord } from '@assay/kernel';
import { DigestList } from './digest-list.js';

const NONE = -1;
const UNREAD = -2;
/** Kinds after which a group may end. */
const ENDS: readonly string[] = ['rejection', 'decision', 'artifact', 'close'];
/** Of these, the kinds after which it always does. */
const FINAL: readonly string[] = ['rejection', 'close'];
const KINDS: readonly string[] = RECORD_KINDS;

/**
 * The record hashes of one file by position, the ends of its groups, and the state hashes its decisions
 * carry.
 */
export class LedgerIndex {
  private readonly hashes: DigestList = new DigestList();
  private readonly stateHashes: DigestList = new DigestList();
  /**
   * Positions of the decisions, rising, and for each its place among the state hashes, or NONE, or UNREAD.
   */
  private readonly decisionAt: number[] = [];
  private readonly decisionState: number[] = [];
  /** Kinds as places in RECORD_KINDS, -1 for others: a small number each. */
  private readonly kinds: number[] = [];

  /** Number of records. */
  get count(): number {
    return this.hashes.count;
  }

  /** Enters the next record, whose integrity must hold. */
  add(record: EvidenceRecord): void {
    const position = this.count;
    this.hashes.push(record.record_hash);
    this.kinds.push(KINDS.indexOf(record.kind));
    if (record.kind !== 'decision') return;
    this.decisionAt.push(position);
    const hash = isObject(record.payload) ? field(record.payload, 'state_hash') : undefined;
    this.decisionState.push(isDigest(hash) ? this.stateHashes.count : hash === undefined ? UNREAD : NONE);
    if (isDigest(hash)) this.stateHashes.push(hash);
  }

  /** Record hash at a position, null outside of the file. */
  hashAt(position: number): Digest | null {
    return Number.isInteger(position) && position >= 0 && position < this.count
      ? this.hashes.at(position)
      : null;
  }

  /**
   * Whether a group ends with the record at this position: it is no genesis or proposal, and a proposal or
   * nothing follows. After a last decision or artifact more may have been due; `due`: how many records
   * re-derivation says are, null if it does not say. Only where it says none does that group end; else it
   * is not known (undefined).
   */
  endsGroup(position: number, due: number | null): boolean | undefined {
    const kind = this.kindAt(position) ?? '';
    const next = this.kindAt(position + 1);
    if (!ENDS.includes(kind) || (next !== null && next !== 'proposal')) return false;
    return next === 'proposal' || FINAL.includes(kind) || due === 0 ? true : undefined;
  }

  /**
   * The state hash of the decision to whose group the record at this position, which may end it, belongs;
   * null if there is none, or the group has a close; undefined if it cannot be read (an erased
   * decision, or a hash-only verification).
   */
  stateHashAt(position: number): Digest | null | undefined {
    const kind = this.kindAt(position);
    if (kind !== 'decision' && kind !== 'artifact') return null;
    const state = this.decisionState[lastAtMost(this.decisionAt, position)] ?? NONE;
    return state === UNREAD ? undefined : state === NONE ? null : this.stateHashes.at(state);
  }

  private kindAt(position: number): string | null {
    const kind = this.kinds[position];
    return kind === undefined ? null : (KINDS[kind] ?? '');
  }
}

/** Index of the last of some rising numbers that is at most `limit`, or -1. */
function lastAtMost(rising: readonly number[], limit: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((rising[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
