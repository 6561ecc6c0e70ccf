/**
 * What a perceiver makes of the user's words. Source: 003 §R1; dec-G19, dec-G20.
 *
 * @module
 */
import { closed, integer, matching, nullable, sized, type Shape } from '@assay/kernel/shape';
import { PHRASE, TEXT_MAX, upTo } from './criteria.js';

/** One earlier turn of a session. Source: 003 §R1 "rolling session history". */
export type SessionTurn = { readonly input: string; readonly summary: string };

/**
 * A task as a perceiver proposes it. `label` is a name for people, never an id (dec-G20). `refers_to`: index
 * of the earlier turn that the user's words refer to, from the oldest. `deadline_us`: microseconds of the
 * run's clock.
 */
export type TaskSpec = {
  readonly label: string;
  readonly intent: string;
  readonly constraints: { readonly scope: string | null; readonly deadline_us: number | null };
  readonly refers_to: number | null;
};

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

/** Shape of a {@link TaskSpec}. */
export const TASK_SPEC: Shape<TaskSpec> = closed({
  label: matching(/^[a-z][a-z0-9_]{0,63}$/),
  intent: PHRASE,
  constraints: closed({
    scope: nullable(sized(0, TEXT_MAX)),
    deadline_us: nullable(integer(0)),
  }),
  refers_to: nullable(integer(0, SESSION_MAX - 1)),
});
