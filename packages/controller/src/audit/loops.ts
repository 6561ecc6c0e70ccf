/**
 * Loops, successful ones too: the patterns of the machine's own guard, found as soon as they show and told
 * once each. Source: planner-controller B.1; dec-B3; scenario E4 c10.
 *
 * @module
 */
import { compareText, type Digest, type Sha256 } from '@assay/kernel';
import { followed, loopIn, NO_TRAIL, roundEnded, type GuardPolicy, type Trail } from '../guard/trail.js';
import { digestOf } from './digest.js';
import { ROUND_CALLS_MAX } from './state.js';
import { anomalyOnce, type Seen } from './window.js';

/** Follows the calls of an accepted answer, and tells of a pattern that one of them completes. */
export function acted(seen: Seen, calls: readonly Digest[], policy: GuardPolicy): Seen {
  return calls.reduce((before, call) => {
    const trail = withCall(before.run.trail, call);
    return completedBy({ ...before, run: { ...before.run, trail } }, trail, call, policy);
  }, seen);
}

/**
 * One call more; the round keeps one call beyond its limit, by which it is known to be too long to be
 * compared.
 */
function withCall(trail: Trail, call: Digest): Trail {
  const next = followed(trail, call);
  return trail.round.length > ROUND_CALLS_MAX ? { ...next, round: trail.round } : next;
}

/** Patterns are looked for in the end of the trail: what stands before the call was told when it came. */
function completedBy(seen: Seen, { calls }: Trail, call: Digest, policy: GuardPolicy): Seen {
  const same = calls.filter((other) => other === call);
  const isTriple = loopIn({ ...NO_TRAIL, calls: same }, { ...policy, oscillation: 0 }) !== null;
  const tail = calls.slice(-2 * policy.oscillation);
  const turns =
    policy.oscillation > 1 && loopIn({ ...NO_TRAIL, calls: tail }, { ...policy, triples: 0 }) !== null;
  const next = isTriple
    ? anomalyOnce(
        seen,
        'repeated_triple',
        call,
        `the same tool was called with the same input and gave the same output ${same.length} times`,
      )
    : seen;
  if (!turns) return next;
  const pair = [...new Set(tail)].sort(compareText).join(' ');
  return anomalyOnce(
    next,
    'oscillation',
    pair,
    `two calls take turns with the same results, ${policy.oscillation} times each; succeeding does not help`,
  );
}

/** Ends a round: did it do what the round before did, with the same results? */
export function roundOver(seen: Seen, policy: GuardPolicy, sha256: Sha256): Seen {
  const { run } = seen;
  const isTooLong = run.trail.round.length > ROUND_CALLS_MAX;
  const hash = (value: readonly Digest[]): Digest => digestOf(value, sha256) ?? unhashable();
  const trail = roundEnded(isTooLong ? { ...run.trail, round: [] } : run.trail, hash);
  const next = { ...seen, run: { ...run, trail } };
  if (loopIn({ ...trail, calls: [] }, policy) === null) return next;
  return anomalyOnce(
    next,
    'no_op_loop',
    trail.last_round ?? '',
    `${trail.same_rounds + 1} rounds in a row did the same with the same results`,
  );
}

function unhashable(): never {
  throw new RangeError('a list of digests has a canonical text');
}
