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

/** A ledger of which any record can be had by its position, without reading those before. */
export type Positions = { readonly count: number; readonly at: (position: number) => EvidenceRecord };

/** Who gave an answer, on one side; null where there is none. */
export type Answerer = { readonly source: string; readonly proposer: string } | null;

/**
 * Where two runs part. `by`: equal record hashes (one ledger is the beginning of the other up to there), equal
 * state hashes, or everything compared. `anchor`: the position up to which the hashes are equal, null without.
 * `record`: positions of the first record that differs in both; `read`: how many records were looked at.
 */
export type Bisection = {
  readonly by: 'record_hash' | 'state_hash' | 'whole';
  readonly anchor: number | null;
  readonly read: number;
  readonly at: DiffPlace | null;
  readonly causes: readonly DiffCause[];
  readonly answer: (DiffPlace & { readonly by: { readonly a: Answerer; readonly b: Answerer } }) | null;
};

const WINDOW = 256;
/** Records looked through for a state hash before a place is given up. */
const SCAN_MAX = 4_096;

/**
 * Bisects two ledgers whose records hold each for itself. With equal state hashes at a decision what comes
 * before it is not read: earlier decisions may differ and have come to the same state. O(log n) reads to find
 * the place, then in windows; linear where there are no hashes to compare.
 */
export function bisect(a: Positions, b: Positions): Bisection {
  const looked = new Set<string>();
  const side =
    (name: string, { at }: Positions): ((position: number) => EvidenceRecord) =>
    (position) => {
      looked.add(`${name}${position}`);
      return at(position);
    };
  const [left, right] = [side('a', a), side('b', b)];
  const both = Math.min(a.count, b.count);
  const isSameRun = both > 0 && left(0).record_hash === right(0).record_hash;
  const anchor = isSameRun
    ? lastEqual(both, (position) =>
        left(position).record_hash === right(position).record_hash ? position : null,
      )
    : lastEqual(both, (position) => sameState(position, left, right));
  const by = anchor === null ? 'whole' : isSameRun ? 'record_hash' : 'state_hash';
  const first = anchor === null ? 1 : isSameRun ? groupOf(anchor, left) : groupAfter(anchor, both, left);
  for (let size = WINDOW; ; size *= 8) {
    const parts = [windowOf(left, a.count, first, size), windowOf(right, b.count, first, size)] as const;
    const diff = diffLedgers(parts[0], parts[1], (one) => anchor !== null && isHash(one));
    const isWhole = first + size >= Math.max(a.count, b.count);
    // Where a window ends is no difference.
    const isInside =
      diff.kind === 'differs' && [diff.at.a, diff.at.b].every((at) => at === null || at < size / 2);
    if (isWhole || isInside) return { by, anchor, read: looked.size, ...found(diff, parts, first - 1) };
  }
}

/** The genesis and a window of records: positions in it count from the genesis. */
function windowOf(
  at: (position: number) => EvidenceRecord,
  count: number,
  first: number,
  size: number,
): readonly EvidenceRecord[] {
  const length = Math.max(0, Math.min(size, count - first));
  return [at(0), ...Array.from({ length }, (_, index) => at(first + index))];
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
  left: (position: number) => EvidenceRecord,
  right: (position: number) => EvidenceRecord,
): number | null {
  for (let at = position; at > 0 && position - at < SCAN_MAX; at -= 1) {
    const hash = stateHash(left(at));
    if (hash !== null && stateHash(right(at)) !== null) return hash === stateHash(right(at)) ? at : null;
  }
  return null;
}

function stateHash({ kind, payload }: EvidenceRecord): Json {
  return kind === 'decision' && payload !== undefined
    ? (payload as unknown as DecisionPayload).state_hash
    : null;
}

/** Where the group after the one of a position begins. */
function groupAfter(position: number, count: number, at: (position: number) => EvidenceRecord): number {
  let next = position + 1;
  while (next < count && at(next).kind !== 'proposal') next += 1;
  return next;
}

/** Where the group of a position begins: its answer may have been equal and what follows not. */
function groupOf(position: number, at: (position: number) => EvidenceRecord): number {
  let first = position;
  while (first > 1 && at(first).kind !== 'proposal') first -= 1;
  return Math.max(1, first);
}
