/**
 * What a perceiver makes of the user's words; success criteria and verdicts on them. Source: 003 §R1, §R2, §R4a; 002
 * §R7 "D"; dec-G3, dec-G4, dec-G7, dec-G19, dec-G20.
 */
import { isIntegral, tokenFault, type Json } from '@assay/kernel';
import {
  closed,
  flag,
  integer,
  list,
  nullable,
  oneOf,
  sized,
  text,
  type Shape,
  type TypeOf,
  matching,
} from '@assay/kernel/shape';

/**
 * How failing a criterion counts: `verifiable` fully, `plausible` by the share of its attempts that failed
 * (dec-G7).
 */
export const CRITERION_MODES = ['verifiable', 'plausible'] as const;
/** Classes of a failure. Source: dec-G3. */
export const FAILURE_CLASSES: readonly ['logical', 'environmental'] = ['logical', 'environmental'];

/** Longest text of a criterion, an intent or a reason, in UTF-16 units. */
export const TEXT_MAX = 2_000;
/** Longest evidence cited in a verdict. */
export const EVIDENCE_MAX = 1_000;

/** A list of at most so many items, and at least `min`. */
export function upTo<T>(max: number, item: Shape<T>, min = 0): Shape<readonly T[]> {
  return list(item, ({ length }) => length >= min && length <= max, min > 0 ? { min, max } : { max });
}

/** A text that says something, of at most {@link TEXT_MAX} units. */
export const PHRASE: Shape<string> = text(isPhrase, { pattern: /\S/, max: TEXT_MAX });
const ID = /^\d{1,4}\.(?:\d{1,4}|t)(?:\.\d{1,4})?$/;
/** An id that the machine derives: see {@link isLocalId}. */
export const LOCAL_ID: Shape<string> = text(isLocalId, { pattern: ID });

/** Any JSON that may stand in a decision: no fractions, since numbers that decide are integers. */
export const WHOLE: Shape<Json> = (value) => (isIntegral(value) && tokenFault(value) === null ? null : '');

const DRAFT = { text: PHRASE, mode: oneOf(CRITERION_MODES), hard: flag, check: WHOLE };
export const CRITERION_DRAFT = closed(DRAFT);
/**
 * A criterion as a planner proposes it. `hard`: unmet, it stands in the way of success at any distance
 * (dec-G4). `check`: data for who judges it, evidence to the machine.
 */
export type CriterionDraft = TypeOf<typeof CRITERION_DRAFT>;

export const CRITERION = closed({ id: LOCAL_ID, ...DRAFT });
/** A criterion of a plan: its id is the machine's (dec-G20). */
export type Criterion = TypeOf<typeof CRITERION>;

const VERDICT = closed({
  criterion: LOCAL_ID,
  verdict: oneOf(['pass', 'fail']),
  failure_class: nullable(oneOf(FAILURE_CLASSES)),
  evidence: sized(0, EVIDENCE_MAX),
  calls: upTo(256, integer(0, 255)),
});
/**
 * What a validator says of one criterion. A failure has a class (dec-G3); a pass has none. `calls`: those
 * that show it, by number (calls/C6).
 */
export type Verdict = TypeOf<typeof VERDICT>;

/** Shape of a list of verdicts. */
export const VERDICTS: Shape<readonly Verdict[]> = list(VERDICT);

/** A text that says something and is not too long. */
export function isPhrase(value: string): boolean {
  return value.length <= TEXT_MAX && /\S/.test(value);
}

/**
 * An id the machine derives from a position: `<round>.<sub-task>`, `<round>.<sub-task>.<criterion>`, or
 * `<round>.t.<criterion>` for a criterion of the task. It holds nothing of the run, so recorded answers match
 * across runs.
 */
function isLocalId(value: string): boolean {
  return ID.test(value);
}

/** One earlier turn of a session. Source: 003 §R1 "rolling session history". */
export type SessionTurn = { readonly input: string; readonly summary: string };

/** Turns of a session that a perceiver is given. */
export const SESSION_MAX = 5;
/** Longest text of the user, in UTF-16 units. */
export const USER_TEXT_MAX = 20_000;
/** Longest summary of an earlier turn. */
export const SUMMARY_MAX = 4_000;

/** Shape of the turns of a session. */
export const SESSION: Shape<readonly SessionTurn[]> = upTo(
  SESSION_MAX,
  closed({ input: sized(0, USER_TEXT_MAX), summary: sized(0, SUMMARY_MAX) }),
);

export const TASK_SPEC = closed({
  label: matching(/^[a-z][a-z0-9_]{0,63}$/),
  intent: PHRASE,
  constraints: closed({ scope: nullable(sized(0, TEXT_MAX)), deadline_us: nullable(integer(0)) }),
  refers_to: nullable(integer(0, SESSION_MAX - 1)),
});
/**
 * A task as a perceiver proposes it. `label` is a name for people, never an id (dec-G20). `refers_to`: index
 * of the earlier turn that the user's words refer to, from the oldest. `deadline_us`: microseconds of the
 * run's clock.
 */
export type TaskSpec = TypeOf<typeof TASK_SPEC>;
