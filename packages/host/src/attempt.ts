/**
 * What one attempt at a request came to, as the proposals that may stand for it.
 * Source: machine interface, "After inadmissible or proposal_shape"; 004 L8361.
 *
 * @module
 */
import { advance, field, InvariantError, isObject, type FailureCode, type Json, type JsonObject, type Refused, type Request, type Run, type Spent, type Step } from '@assay/kernel';
import type { PortFault } from './bound-port.js';
import type { Charges, Shortage } from './budget.js';
import { classOfError, FAILURE_RULES, type FailureClass } from './failure-class.js';
import { copyOf, objectIn, ownValue } from './foreign.js';
import { failureOf, malformed, proposalOf, unanswerable, type Speaker } from './proposal.js';

/**
 * An attempt that is over. `proposal` is recorded; where the kernel does not take it, the first of `others` that it takes. `retryAfterMs`:
 * the next attempt waits, at least so long; null where it does not wait. `isCharged`: what it cost counts, told or not.
 */
export type Attempt = { readonly proposal: unknown; readonly others: (refused: Refused) => readonly unknown[]; readonly retryAfterMs: number | null; readonly spent: JsonObject; readonly isCharged: boolean };

/**
 * A port gave an answer: its copy, so that nothing the port does to it later is recorded. After a failure the next attempt waits as after
 * one that was raised; `malformed` says that the other side did answer.
 */
export function answered(request: Request, port: Speaker, answer: unknown): Attempt {
  const given = proposalOf(request, port, answer);
  const copy = copyOf(given);
  const spent = objectIn(ownValue(answer, 'spent')) ?? {};
  if (copy._tag === 'Left') {
    const [first, ...others] = malformed(request, port, answer, { code: 'inadmissible', path: copy.left.path, reason: copy.left.code });
    return { proposal: first, others: () => others, retryAfterMs: null, spent, isCharged: true };
  }
  const failure = isObject(copy.right) ? field(copy.right, 'failure') : undefined;
  const waits = isObject(failure) && field(failure, 'code') !== ('malformed' satisfies FailureCode);
  return { proposal: copy.right, others: (refused) => malformed(request, port, copy.right, refused), retryAfterMs: waits ? 0 : null, spent, isCharged: true };
}

/** A port raised: the failure of the error's class, `unavailable` where it has none. `charged`: the cost it had told of. */
export function raised(request: Request, port: Speaker, error: unknown, charged: JsonObject): Attempt {
  const failureClass = classOfError(error);
  const { code, isFinal, waits, isCharged } = failureClass === null ? UNCLASSIFIED : FAILURE_RULES[failureClass];
  const detail: Json = failureClass === null ? null : { class: failureClass };
  const told = objectIn(ownValue(error, 'spent')) ?? {};
  const cost = isEmpty(told) ? charged : told;
  const bare = failureOf(request, port, { code, final: isFinal, detail });
  const provenance = { ...objectIn(ownValue(error, 'provenance')), ...(isCharged || isEmpty(cost) ? {} : { uncharged: cost }) };
  const charging = { ...bare, spent: isCharged ? cost : {} };
  return { proposal: { ...charging, provenance }, others: () => [charging, bare], retryAfterMs: waits ? waitIn(error) : null, spent: cost, isCharged };
}

/** Nothing came before a deadline: that of the call, or of the whole drive, which is final. `isBegun`: the call was made. */
export function timedOut(request: Request, port: Speaker, deadline: 'call' | 'run', charged: JsonObject, isBegun: boolean): Attempt {
  const bare = failureOf(request, port, { code: 'timeout', final: deadline === 'run', detail: { class: 'timeout' satisfies FailureClass, deadline } });
  return { proposal: { ...bare, spent: charged }, others: () => [bare], retryAfterMs: deadline === 'run' ? null : 0, spent: charged, isCharged: isBegun };
}

/** Nobody answers this request, or one whose source it does not accept, or who is no port (`fault`): such a one could be asked for ever. */
export function unanswered(request: Request, fault: PortFault | null): Attempt {
  return { proposal: unanswerable(request, fault), others: () => [], retryAfterMs: null, spent: {}, isCharged: false };
}

/** The budget does not cover this request: it is not performed. */
export function overBudget(request: Request, port: Speaker, shortage: Shortage): Attempt {
  return { proposal: failureOf(request, port, { code: 'denied', final: true, detail: shortage }), others: () => [], retryAfterMs: null, spent: {}, isCharged: false };
}

/** An attempt with what it is charged beside what it told; the provenance says how much of the cost that is. */
export function withCharges(attempt: Attempt, charges: Charges): Attempt {
  if (isEmpty(charges.lost) && isEmpty(charges.untold)) return attempt;
  const others = (refused: Refused): readonly unknown[] => {
    const bare = attempt.others(refused);
    return [...bare.map((proposal) => withCharge(proposal, charges)), ...bare];
  };
  return { ...attempt, proposal: withCharge(attempt.proposal, charges), others };
}

/** A proposal with what it is charged; as it is where nothing is, or where it is no proposal. */
export function withCharge(proposal: unknown, { lost, calls, untold }: Charges): unknown {
  const more = [lost, untold].filter((each) => !isEmpty(each));
  const [whole, spent, provenance] = [objectIn(proposal), objectIn(ownValue(proposal, 'spent')), objectIn(ownValue(proposal, 'provenance'))];
  if (more.length === 0 || whole === null || spent === null || provenance === null) return proposal;
  const note = { ...(isEmpty(lost) ? {} : { lost_calls: calls, lost_charged: lost }), ...(isEmpty(untold) ? {} : { untold_charged: untold }) };
  return { ...whole, spent: more.reduce(added, spent), provenance: { ...provenance, ...note } };
}

/** The step an attempt makes. A defect of the host where none of its proposals can be recorded. */
export function stepOf<S, I, E extends Json, A extends Json>(run: Run<S, I, E, A>, request: Request, attempt: Attempt): Step<S, I, E, A> {
  const step = advance(run, attempt.proposal);
  if (step._tag === 'Right') return step.right;
  for (const other of attempt.others(step.left)) {
    const failed = advance(run, other);
    if (failed._tag === 'Right') return failed.right;
  }
  throw new InvariantError('drive', `the host's own answer to request ${request.id} was refused: ${step.left.code}`);
}

/** What a port raises without a class: it may be anything, so it is tried again. */
const UNCLASSIFIED = { code: 'unavailable', isFinal: false, waits: true, isCharged: true } as const;

function waitIn(error: unknown): number {
  const asked = ownValue(error, 'retryAfterMs');
  return typeof asked === 'number' && asked > 0 ? asked : 0;
}

function isEmpty(spent: JsonObject): boolean {
  return Object.keys(spent).length === 0;
}

function added(all: JsonObject, more: Spent): JsonObject {
  const sum: Record<string, Json> = { ...all };
  for (const [unit, amount] of Object.entries(more)) {
    const before = Object.hasOwn(sum, unit) ? (sum[unit] ?? 0) : 0;
    // What is no amount stays, for the kernel to refuse.
    if (typeof before === 'number') sum[unit] = before + amount;
  }
  return sum;
}
