/**
 * Loops that a failure counter does not see: the trail of what tools did, and the patterns in it. Failures
 * are not asked for: a successful oscillation is a loop too. Source: planner-controller B.1, B.3 item 2;
 * dec-B3.
 */
import { closed, digest, integer, nullable, type Shape } from '@assay/kernel/shape';
import { compareText, type Digest } from '@assay/kernel';

/** When a pattern counts as a loop. 0 switches a pattern off. */
export type GuardPolicy = {
  /** The same (tool, target, output) this often among the last {@link TRAIL_MAX} calls that act or search. */
  readonly triples: number;
  /** A-B-A-B: two different calls in turn, this many times each. */
  readonly oscillation: number;
  /** Rounds in a row that did the same things with the same results. */
  readonly same_rounds: number;
};

/** Patterns among the calls of one sub-task. */
export type Pattern = 'repeated_triple' | 'oscillation';

/** Rounds that did the same: the digest of what the last one did, and how many before it were like it. */
export type Rounds = { readonly last_round: Digest | null; readonly same_rounds: number };

/** Calls in which a pattern is looked for. */
export const TRAIL_MAX = 48;
/** No round yet. */
export const NO_ROUNDS: Rounds = Object.freeze({ last_round: null, same_rounds: 0 });
/** Defaults: three times the same, three times A-B, two rounds alike beyond the first. */
export const defaultGuardPolicy: GuardPolicy = Object.freeze({ triples: 3, oscillation: 3, same_rounds: 2 });

const COUNT_MAX = 1_000_000;
export const ROUNDS: Shape<Rounds> = closed({
  last_round: nullable(digest),
  same_rounds: integer(0, COUNT_MAX),
});
export const GUARD_POLICY: Shape<GuardPolicy> = closed({
  triples: integer(0, TRAIL_MAX),
  oscillation: integer(0, TRAIL_MAX / 2),
  same_rounds: integer(0, 100),
});

/**
 * The rounds after one more. `calls`: what it did, in any order; `hash` makes one digest of it. A round that
 * did nothing counts as different.
 */
export function roundEnded(
  before: Rounds,
  calls: readonly Digest[],
  hash: (value: readonly Digest[]) => Digest,
): Rounds {
  const last_round = calls.length === 0 ? null : hash(calls.toSorted(compareText));
  const isSame = last_round !== null && last_round === before.last_round;
  return { last_round, same_rounds: isSame ? before.same_rounds + 1 : 0 };
}

/** True where so many rounds in a row did the same that going on is no use. */
export function isNoOpLoop({ same_rounds }: Rounds, policy: GuardPolicy): boolean {
  return policy.same_rounds > 0 && same_rounds >= policy.same_rounds;
}

/** The first pattern in the last {@link TRAIL_MAX} of these calls, which hold no looks; null where there is none. */
export function patternIn(all: readonly Digest[], policy: GuardPolicy): Pattern | null {
  const calls = all.slice(-TRAIL_MAX);
  if (alternates(calls, policy)) return 'oscillation';
  return policy.triples > 0 && mostRepeated(calls) >= policy.triples ? 'repeated_triple' : null;
}

function mostRepeated(calls: readonly Digest[]): number {
  const counts = new Map<Digest, number>();
  let most = 0;
  for (const call of calls) {
    const count = (counts.get(call) ?? 0) + 1;
    counts.set(call, count);
    most = Math.max(most, count);
  }
  return most;
}

/** A-B-A-B anywhere in the trail, each `oscillation` times. */
function alternates(calls: readonly Digest[], { oscillation }: GuardPolicy): boolean {
  if (oscillation < 2) return false;
  let run = 1;
  for (let index = 1; index < calls.length; index += 1) {
    const isTurn = calls[index] !== calls[index - 1] && (run === 1 || calls[index] === calls[index - 2]);
    run = isTurn ? run + 1 : calls[index] === calls[index - 1] ? 1 : 2;
    if (run >= 2 * oscillation) return true;
  }
  return false;
}
