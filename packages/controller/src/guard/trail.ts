/**
 * Loops that a failure counter does not see: the trail of what tools did, and the patterns in it. Failures
 * are not asked for: a successful oscillation is a loop too. Source: planner-controller B.1, B.3 item 2;
 * dec-B3.
 *
 * @module
 */
import { closed, digest, integer, list, type Shape } from '@assay/kernel/shape';
import { compareText, type Digest } from '@assay/kernel';

/** When a pattern counts as a loop. 0 switches a pattern off. */
export type GuardPolicy = {
  /** The same (tool, input, output) this often among the last {@link TRAIL_MAX} calls that act or search. */
  readonly triples: number;
  /** A-B-A-B: two different calls in turn, this many times each. */
  readonly oscillation: number;
  /** Rounds in a row that did the same things with the same results. */
  readonly same_rounds: number;
};

/** Which pattern was found. */
export const GUARD_CODES = ['repeated_triple', 'oscillation', 'no_op_loop'] as const;
/** One of {@link GUARD_CODES}. */
export type GuardCode = (typeof GUARD_CODES)[number];

/**
 * The trail: digests of the last calls that act or search, oldest first; those of the round under way; the
 * digest of the round before, and how many rounds in a row it has been the same.
 */
export type Trail = {
  readonly calls: readonly Digest[];
  readonly round: readonly Digest[];
  readonly last_round: Digest | null;
  readonly same_rounds: number;
};

/** Calls that the trail remembers. */
export const TRAIL_MAX = 48;
/** No calls yet. */
export const NO_TRAIL: Trail = Object.freeze({ calls: [], last_round: null, round: [], same_rounds: 0 });
/** Defaults: three times the same, three times A-B, two rounds alike beyond the first. */
export const defaultGuardPolicy: GuardPolicy = Object.freeze({ triples: 3, oscillation: 3, same_rounds: 2 });

const COUNT_MAX = 1_000_000;
/** Shape of a {@link Trail}. */
export const TRAIL: Shape = (value) =>
  closed({
    calls: list(digest),
    round: list(digest),
    last_round: (item) => (item === null ? null : digest(item)),
    same_rounds: integer(0, COUNT_MAX),
  })(value);
/** Shape of a {@link GuardPolicy}. */
export const GUARD_POLICY: Shape = closed({
  triples: integer(0, TRAIL_MAX),
  oscillation: integer(0, TRAIL_MAX / 2),
  same_rounds: integer(0, 100),
});

/** The trail after a call. `call`: digest of its tool, input and output. */
export function followed(trail: Trail, call: Digest): Trail {
  return { ...trail, calls: [...trail.calls.slice(-(TRAIL_MAX - 1)), call], round: [...trail.round, call] };
}

/**
 * The trail after a round. `hash` makes one digest of what the round did; a round that did nothing counts as
 * different.
 */
export function roundEnded(trail: Trail, hash: (value: readonly Digest[]) => Digest): Trail {
  const last_round = trail.round.length === 0 ? null : hash([...trail.round].sort(compareText));
  const isSame = last_round !== null && last_round === trail.last_round;
  return { calls: trail.calls, last_round, round: [], same_rounds: isSame ? trail.same_rounds + 1 : 0 };
}

/** The first pattern that the trail shows, in the order of {@link GUARD_CODES}; null where there is none. */
export function loopIn(trail: Trail, policy: GuardPolicy): GuardCode | null {
  if (policy.triples > 0 && mostRepeated(trail.calls) >= policy.triples && !alternates(trail.calls, policy))
    return 'repeated_triple';
  if (alternates(trail.calls, policy)) return 'oscillation';
  return policy.same_rounds > 0 && trail.same_rounds >= policy.same_rounds ? 'no_op_loop' : null;
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
