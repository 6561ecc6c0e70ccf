/**
 * What the auditor makes of each message of a controller run: it holds the route against the routing table,
 * then judges the content; a loop is told once, as soon as it shows. Source: 003 §R6 "Skills"; "ggs_thrashing";
 * §7; dec-B1 to dec-B4; dec-B6; law-G12; law-M6; planner-controller B.1; scenario E4 c10; calls/C12.
 */
import {
  cutText,
  hashCanonical,
  isDigest,
  orThrow,
  type Json,
  type Sha256,
  compareText,
  PersistentMap,
  type Digest,
} from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { planned, taskGiven, unmetNow } from './drift.js';
import { type AuditPolicy, NAME_MAX, ROUND_CALLS_MAX, SUBTASKS_SEEN_MAX, type RunSeen } from './state.js';
import { readCount, readList, shown } from './outcomes.js';
import { anomaly, boundary, toolsCalled, troubled, type Seen, trended, anomalyOnce } from './window.js';
import { isRouted } from '../protocol/roles.js';
import { compare, parseRational, ratio, renderRational, type Rational } from '../ggs/rational.js';
import { isNoOpLoop, patternIn, roundEnded, TRAIL_MAX, type GuardPolicy } from '../guard/trail.js';

/** Hears one event of a decision; what is no message is bookkeeping of the machine. */
export function heard(seen: Seen, event: Json, policy: AuditPolicy, sha256: Sha256): Seen {
  const t = readText(event, 't');
  if (t === 'called') return called(seen, event, policy);
  if (t === 'breached') return breached(seen, event);
  if (t !== 'message') return seen;
  const kind = readText(event, 'kind');
  const body = readField(event, 'body');
  const next = checkRoute(seen, { from: readText(event, 'from'), to: readText(event, 'to'), kind });
  switch (kind) {
    case 'TaskSpec':
      return taskGiven(next, body, sha256);
    case 'DispatchManifest':
      return planned(next, body, sha256);
    case 'CorrectionSignal':
      return corrected(next, body);
    case 'PlanDirective': {
      const evaluation = readField(body, 'evaluation');
      return evaluated(
        unmetNow(roundOver(next, policy.guard, sha256), readList(evaluation, 'unmet'), sha256),
        cutText(readText(evaluation, 'directive'), NAME_MAX),
        readField(evaluation, 'D'),
      );
    }
    case 'FinalResult':
      return ended(roundOver(next, policy.guard, sha256), body);
    default:
      return next;
  }
}

/** One call: counted by tool and status, and followed where it acts or searches. */
function called(seen: Seen, event: Json, policy: AuditPolicy): Seen {
  const call = readField(event, 'call');
  const status = cutText(readText(call, 'status'), NAME_MAX);
  const tool = cutText(readText(call, 'tool'), NAME_MAX);
  const counted = toolsCalled(seen, [{ tool, status, calls: 1 }]);
  const next = TROUBLE.includes(status) ? troubled(counted, 'trouble') : counted;
  const triple = readText(call, 'triple');
  return readText(call, 'kind') === 'look' || !isDigest(triple)
    ? next
    : acted(next, cutText(readText(event, 'subtask'), NAME_MAX), triple, policy.guard);
}

/** Statuses of a call that is in trouble. Source: calls/C12. */
const TROUBLE = ['error', 'timeout', 'interrupted'];

function breached(seen: Seen, event: Json): Seen {
  const which = `call ${readCount(event, 'n') ?? ''} of sub-task ${shown(readText(event, 'subtask'))}`;
  return anomaly(
    seen,
    'unconfirmed_action',
    `what cannot be undone was done without a person's confirmation: ${which}`,
  );
}

function corrected(seen: Seen, body: Json): Seen {
  const { run, window } = seen;
  const next = {
    ...seen,
    run: { ...run, corrections: run.corrections + 1 },
    window: { ...window, corrections: window.corrections + 1 },
  };
  switch (readText(body, 'failure_class')) {
    case 'environmental':
      return troubled(next, 'environmental_retries');
    case 'logical':
      return troubled(next, 'logical_retries');
    default:
      return next;
  }
}

function ended(seen: Seen, body: Json): Seen {
  const { run } = seen;
  const again = run.results > 0 ? boundary(seen, 'second_final_result', 'the task was ended before') : seen;
  const directive = cutText(readText(body, 'directive'), NAME_MAX);
  const [reason, why] = [readText(body, 'reason'), readText(body, 'why')];
  const end = {
    outcome: directive,
    reason: cutText(why === '' ? reason : `${reason}: ${why}`, NAME_MAX),
  };
  return evaluated(
    { ...again, run: { ...again.run, results: run.results + 1, end } },
    directive,
    readField(readField(body, 'loss'), 'D'),
  );
}

/** Route of a message as a ledger has it: any texts. */
type RouteSeen = { readonly from: string; readonly to: string; readonly kind: string };

/**
 * Judges the route of a message; of several faults the first in this order: no names, R6 speaks, not from R7,
 * no route.
 */
function checkRoute(seen: Seen, { from, to, kind }: RouteSeen): Seen {
  const route = `${shown(from)} to ${shown(to)}: ${shown(kind)}`;
  if (from === '' || to === '' || kind === '')
    return boundary(seen, 'malformed_message', 'a message names no sender, no receiver or no kind');
  if (from === 'R6')
    return boundary(
      seen,
      'auditor_speaks',
      `${route}; the auditor speaks to the operator alone, and in no run`,
    );
  if ((kind === 'FinalResult' || kind === 'Megram') && from !== 'R7')
    return boundary(seen, 'not_from_r7', `${route}; only R7 sends it`);
  return isRouted(from, to, kind)
    ? seen
    : boundary(seen, 'unrouted_message', `${route}; there is no such route`);
}

const BREAK = 'break_symmetry';

/**
 * Hears an evaluation: a directive, and the distance it rests on. `D` is {ppm, exact}. A distance that cannot
 * be read is not known to have decreased: whoever hides it is thrashing no less.
 */
export function evaluated(seen: Seen, directive: string, D: Json): Seen {
  const { run } = seen;
  const now = distanceIn(readText(D, 'exact'));
  const before = run.distance === null ? null : parseRational(run.distance);
  const next = { ...seen, run: { ...run, directive, distance: now === null ? null : renderRational(now) } };
  const moved = now === null || before === null ? null : compare(now, before);
  const told =
    now === null
      ? next
      : trended(next, moved === null || moved === 0 ? 'stable' : moved < 0 ? 'improving' : 'worsening');
  const isThrashing = directive === BREAK && run.directive === BREAK && (moved === null || moved >= 0);
  return isThrashing
    ? anomaly(
        told,
        'ggs_thrashing',
        `${BREAK} twice in a row, and the distance went from ${shown(run.distance ?? 'unknown')} ` +
          `to ${shown(next.run.distance ?? 'unknown')}`,
      )
    : told;
}

/** A distance as another program may have written it: not always in lowest terms. Null for anything else. */
function distanceIn(exact: string): Rational | null {
  const found = /^([0-9]{1,500})\/([1-9][0-9]{0,499})$/.exec(exact);
  return found === null ? null : ratio(BigInt(found[1] ?? '0'), BigInt(found[2] ?? '1'));
}

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
  const hash = (value: readonly Digest[]): Digest => orThrow(hashCanonical(value, sha256));
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
