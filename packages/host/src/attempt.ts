/**
 * What one attempt at a request came to, as the proposals that may stand for it.
 * Source: machine interface, "After inadmissible or proposal_shape"; 004 L8361.
 */
import {
  advance,
  err,
  field,
  InvariantError,
  isObject,
  ok,
  type FailureCode,
  type Json,
  type JsonObject,
  type Refused,
  type Request,
  type Result,
  type Run,
  type Step,
} from '@assay/kernel';
import type { PortFault } from './bound-port.js';
import type { Charges, Shortage } from './budget.js';
import { chargedProposals, type Charged } from './lost-calls.js';
import { classOfError, FAILURE_RULES, type FailureClass } from './failure-class.js';
import {
  copyValue,
  makeFailure,
  malformed,
  objectIn,
  ownValue,
  makeProposal,
  type Speaker,
  unanswerable,
} from './proposal.js';

/**
 * An attempt that is over. `proposal` is recorded; where the kernel does not take it, the first of `others`
 * that it takes. `retryAfterMs`: the next attempt waits, at least so long; null where it does not wait.
 * `isCharged`: what it cost counts, told or not.
 */
export type Attempt = {
  readonly proposal: unknown;
  readonly others: (refused: Refused) => readonly unknown[];
  readonly retryAfterMs: number | null;
  readonly spent: JsonObject;
  readonly isCharged: boolean;
};

/**
 * A port gave an answer: its copy, so that nothing the port does to it later is recorded. After a failure the
 * next attempt waits as after one that was raised; `malformed` says that the other side did answer.
 */
export function answered(request: Request, port: Speaker, answer: unknown): Attempt {
  const given = makeProposal(request, port, answer);
  const copy = copyValue(given);
  const spent = objectIn(ownValue(answer, 'spent')) ?? {};
  if (copy._tag === 'Left') {
    const [first, ...others] = malformed(request, port, answer, {
      code: 'inadmissible',
      path: copy.left.path,
      reason: copy.left.code,
    });
    return { proposal: first, others: () => others, retryAfterMs: null, spent, isCharged: true };
  }
  const failure = isObject(copy.right) ? field(copy.right, 'failure') : undefined;
  const waits = isObject(failure) && field(failure, 'code') !== ('malformed' satisfies FailureCode);
  return {
    proposal: copy.right,
    others: (refused) => malformed(request, port, copy.right, refused),
    retryAfterMs: waits ? 0 : null,
    spent,
    isCharged: true,
  };
}

/**
 * A port raised: the failure of the error's class, `unavailable` where it has none. `charged`: the cost it
 * had told of.
 */
export function raised(request: Request, port: Speaker, error: unknown, charged: JsonObject): Attempt {
  const failureClass = classOfError(error);
  const { code, isFinal, waits, isCharged } =
    failureClass === null ? UNCLASSIFIED : FAILURE_RULES[failureClass];
  const detail: Json = failureClass === null ? null : { class: failureClass };
  const told = objectIn(ownValue(error, 'spent')) ?? {};
  const cost = isEmpty(told) ? charged : told;
  const bare = makeFailure(request, port, { code, final: isFinal, detail });
  const provenance = {
    ...objectIn(ownValue(error, 'provenance')),
    ...(isCharged || isEmpty(cost) ? {} : { uncharged: cost }),
  };
  const charging = { ...bare, spent: isCharged ? cost : {} };
  return {
    proposal: { ...charging, provenance },
    others: () => [charging, bare],
    retryAfterMs: waits ? waitIn(error) : null,
    spent: cost,
    isCharged,
  };
}

/**
 * Nothing came before a deadline: that of the call, or of the whole drive, which is final. `isBegun`: the
 * call was made.
 */
export function timedOut(
  request: Request,
  port: Speaker,
  deadline: 'call' | 'run',
  charged: JsonObject,
  isBegun: boolean,
): Attempt {
  const bare = makeFailure(request, port, {
    code: 'timeout',
    final: deadline === 'run',
    detail: { class: 'timeout' satisfies FailureClass, deadline },
  });
  return {
    proposal: { ...bare, spent: charged },
    others: () => [bare],
    retryAfterMs: deadline === 'run' ? null : 0,
    spent: charged,
    isCharged: isBegun,
  };
}

/** An attempt without a call: nothing else to record, nothing to wait for, nothing spent. */
const NOT_PERFORMED = { others: () => [], retryAfterMs: null, spent: {}, isCharged: false } as const;

/**
 * Nobody answers this request, or one whose source it does not accept, or who is no port (`fault`): such a
 * one could be asked for ever.
 */
export function unanswered(request: Request, fault: PortFault | null): Attempt {
  return { ...NOT_PERFORMED, proposal: unanswerable(request, fault) };
}

/** The budget does not cover this request: it is not performed. */
export function overBudget(request: Request, port: Speaker, shortage: Shortage): Attempt {
  return {
    ...NOT_PERFORMED,
    proposal: makeFailure(request, port, { code: 'denied', final: true, detail: shortage }),
  };
}

/** A step, and whether its answer stands in the ledger without what it ought to be charged. */
export type Recorded<S, I, E extends Json, A extends Json> = {
  readonly step: Step<S, I, E, A>;
  readonly isShort: boolean;
};

/**
 * The step an attempt makes: of its proposals the first that the kernel takes, each with its charges rather
 * than without. An answer is never given up for its charges. A defect of the host where none can be recorded.
 */
export function makeStep<S, I, E extends Json, A extends Json>(
  run: Run<S, I, E, A>,
  request: Request,
  attempt: Attempt,
  charges: Charges,
): Recorded<S, I, E, A> {
  const first = firstTaken(run, chargedProposals(run, request.id, attempt.proposal, charges));
  if (first._tag === 'Right') return first.right;
  const others = attempt.others(first.left).map((other) => chargedProposals(run, request.id, other, charges));
  const charging = firstTaken(
    run,
    others.flat().sort((one, other) => Number(one.isShort) - Number(other.isShort)),
  );
  if (charging._tag === 'Right') return charging.right;
  throw new InvariantError(
    'drive',
    `the host's own answer to request ${request.id} was refused: ${first.left.code}`,
  );
}

/** The step of the first that is taken, else why the last was refused. */
function firstTaken<S, I, E extends Json, A extends Json>(
  run: Run<S, I, E, A>,
  all: readonly Charged[],
): Result<Refused, Recorded<S, I, E, A>> {
  let refused: Result<Refused, never> = err({ code: 'inadmissible', path: '', reason: null });
  for (const { proposal, isShort } of all) {
    const step = advance(run, proposal);
    if (step._tag === 'Right') return ok({ step: step.right, isShort });
    refused = step;
  }
  return refused;
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
