/**
 * The first decision in which two runs of one machine part, found by hashes where both have them.
 *
 * @module
 */
import {
  isObject,
  type DecisionPayload,
  type EvidenceRecord,
  type Json,
  type RecordedProposal,
} from '@assay/kernel';
import { diffLedgers, type DiffCause, type DiffPlace, type LedgerDiff } from '../diff/diff.js';
import { isHash } from './parting.js';

/** Who gave an answer, on one side; null where there is none. */
export type Answerer = { readonly source: string; readonly proposer: string } | null;

/**
 * Where two runs part. `by`: equal record hashes (one ledger is the beginning of the other up to there), equal
 * state hashes, or everything compared. `anchor`: the position up to which the hashes are equal, null without.
 * `not_compared`: the last position before which equal states stood for comparing, 0 where all was compared.
 */
export type Bisection = {
  readonly by: 'record_hash' | 'state_hash' | 'whole';
  readonly anchor: number | null;
  readonly not_compared: number;
  readonly at: DiffPlace | null;
  readonly causes: readonly DiffCause[];
  readonly answer: (DiffPlace & { readonly by: { readonly a: Answerer; readonly b: Answerer } }) | null;
};

/** Records looked through for a state hash before a place is given up. */
const SCAN_MAX = 4_096;

/**
 * Bisects two ledgers whose integrity holds. `isDerived`: every decision of both was derived again; without it
 * state hashes are claims and nothing rests on them. What comes before the last equal state is not compared,
 * unless nothing differs after it. Linear.
 */
export function bisect(
  a: readonly EvidenceRecord[],
  b: readonly EvidenceRecord[],
  isDerived: boolean,
): Bisection {
  const both = Math.min(a.length, b.length);
  const isSameRun = both > 0 && a[0]?.record_hash === b[0]?.record_hash;
  if (isSameRun) {
    const anchor = lastEqual(both, (at) => (a[at]?.record_hash === b[at]?.record_hash ? at : null));
    return { by: 'record_hash', anchor, not_compared: 0, ...found(diffLedgers(a, b), [a, b], 0) };
  }
  const anchor = isDerived ? lastEqual(both, (at) => sameState(at, a, b)) : null;
  if (anchor !== null) {
    const shift = groupAfter(anchor, both, a) - 1;
    const parts = [tailOf(a, shift), tailOf(b, shift)] as const;
    const diff = diffLedgers(...parts, isHash);
    if (diff.kind === 'differs')
      return { by: 'state_hash', anchor, not_compared: shift, ...found(diff, parts, shift) };
  }
  return { by: 'whole', anchor: null, not_compared: 0, ...found(diffLedgers(a, b), [a, b], 0) };
}

/** The genesis and the records after a position: places in it count from the genesis. */
function tailOf(records: readonly EvidenceRecord[], position: number): readonly EvidenceRecord[] {
  return [...records.slice(0, 1), ...records.slice(position + 1)];
}

function found(
  diff: LedgerDiff,
  [a, b]: readonly [readonly EvidenceRecord[], readonly EvidenceRecord[]],
  shift: number,
): Pick<Bisection, 'at' | 'causes' | 'answer'> {
  if (diff.kind === 'equal') return { at: null, causes: diff.givenDifferently, answer: null };
  const moved = (place: DiffPlace): DiffPlace => ({
    ...place,
    a: place.a === null ? null : place.a + shift,
    b: place.b === null ? null : place.b + shift,
  });
  const { proposal } = diff;
  return {
    at: moved(diff.at),
    causes: diff.causes,
    answer:
      proposal === null
        ? null
        : { ...moved(proposal), by: { a: answererAt(a, proposal.a), b: answererAt(b, proposal.b) } },
  };
}

function answererAt(records: readonly EvidenceRecord[], position: number | null): Answerer {
  const payload = position === null ? null : records[position]?.payload;
  if (payload === undefined || payload === null || !isObject(payload)) return null;
  const { source, proposer } = payload as unknown as RecordedProposal;
  return { source, proposer };
}

/** The last position at or before which two ledgers are equal, by binary search; null where there is none. */
function lastEqual(count: number, equalAt: (position: number) => number | null): number | null {
  let [low, high] = [-1, count];
  let best: number | null = null;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const at = equalAt(middle);
    if (at === null) high = middle;
    else {
      best = Math.max(best ?? 0, at);
      low = middle;
    }
  }
  return best;
}

/** The nearest position at or before this one where both have a state hash, if it is the same; else null. */
function sameState(
  position: number,
  a: readonly EvidenceRecord[],
  b: readonly EvidenceRecord[],
): number | null {
  for (let at = position; at > 0 && position - at < SCAN_MAX; at -= 1) {
    const [left, right] = [stateHash(a[at]), stateHash(b[at])];
    if (left !== null && right !== null) return left === right ? at : null;
  }
  return null;
}

function stateHash(record: EvidenceRecord | undefined): Json {
  return record?.kind === 'decision' && record.payload !== undefined
    ? (record.payload as unknown as DecisionPayload).state_hash
    : null;
}

/** Where the group after the one of a position begins. */
function groupAfter(position: number, count: number, records: readonly EvidenceRecord[]): number {
  let next = position + 1;
  while (next < count && records[next]?.kind !== 'proposal') next += 1;
  return next;
}
