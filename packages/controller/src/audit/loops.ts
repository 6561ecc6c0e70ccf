/**
 * Loops, successful ones too: the patterns of the machine's own guard, found as soon as they show and told
 * once each. Source: planner-controller B.1; dec-B3; scenario E4 c10; calls/C12.
 *
 * @module
 */
import { compareText, PersistentMap, type Digest, type Sha256 } from '@assay/kernel';
import { isNoOpLoop, patternIn, roundEnded, TRAIL_MAX, type GuardPolicy } from '../guard/trail.js';
import { computeDigest } from './reading.js';
import { ROUND_CALLS_MAX, SUBTASKS_SEEN_MAX, type RunSeen } from './state.js';
import { anomalyOnce, type Seen } from './window.js';

/** Follows a call of a sub-task that acts or searches, and tells of the pattern that it completes. */
export function acted(seen: Seen, subtask: string, call: Digest, policy: GuardPolicy): Seen {
  const { run } = seen;
  const { calls, round, rounds } = run.trail;
  const before = calls.get(subtask) ?? [];
  if (before.length === 0 && calls.size >= SUBTASKS_SEEN_MAX) return seen;
  const now = [...before, call].slice(-TRAIL_MAX);
  // The round keeps one call beyond its limit, by which it is known to be too long to be compared.
  const trail = {
    calls: calls.set(subtask, now),
    round: round.length > ROUND_CALLS_MAX ? round : [...round, call],
    rounds,
  };
  return completedBy({ ...seen, run: { ...run, trail } }, subtask, now, call, policy);
}

/** Patterns are looked for in the end of the trail: what stands before the call was told when it came. */
function completedBy(
  seen: Seen,
  subtask: string,
  calls: readonly Digest[],
  call: Digest,
  policy: GuardPolicy,
): Seen {
  const same = calls.filter((other) => other === call);
  const isRepeated = patternIn(same, { ...policy, oscillation: 0 }) !== null;
  const tail = calls.slice(-2 * policy.oscillation);
  const turns = policy.oscillation > 1 && patternIn(tail, { ...policy, triples: 0 }) !== null;
  const next = isRepeated
    ? anomalyOnce(
        seen,
        'repeated_triple',
        `${subtask} ${call}`,
        `the same tool did the same to one target and gave the same output ${same.length} times`,
      )
    : seen;
  if (!turns) return next;
  return anomalyOnce(
    next,
    'oscillation',
    [subtask, ...[...new Set(tail)].sort(compareText)].join(' '),
    `two calls take turns with the same results, ${policy.oscillation} times each; succeeding does not help`,
  );
}

/** Ends a round: did it do what the round before did, with the same results? */
export function roundOver(seen: Seen, policy: GuardPolicy, sha256: Sha256): Seen {
  const { run } = seen;
  const { round, rounds: before } = run.trail;
  const hash = (value: readonly Digest[]): Digest => computeDigest(value, sha256) ?? unhashable();
  const rounds = roundEnded(before, round.length > ROUND_CALLS_MAX ? [] : round, hash);
  const trail: RunSeen['trail'] = { calls: PersistentMap.empty(), round: [], rounds };
  const next = { ...seen, run: { ...run, trail } };
  if (!isNoOpLoop(rounds, policy)) return next;
  return anomalyOnce(
    next,
    'no_op_loop',
    rounds.last_round ?? '',
    `${rounds.same_rounds + 1} rounds in a row did the same with the same results`,
  );
}

function unhashable(): never {
  throw new RangeError('a list of digests has a canonical text');
}
