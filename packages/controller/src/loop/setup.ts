/**
 * What a run of the controller starts with. Source: 003 "System Architecture".
 *
 * @module
 */
import { closed, integer, nullable, sized, type Shape, type TypeOf } from '@assay/kernel/shape';
import { parsePolicy, type Policy } from '../policy/policy.js';
import { SESSION, USER_TEXT_MAX } from '../protocol/task.js';

/** Shape of a {@link ControllerInput}. */
export const INPUT = closed({
  text: sized(0, USER_TEXT_MAX),
  session: SESSION,
  deadline_us: nullable(integer(0)),
});
/**
 * What the user gave: words, the turns before, and until when it must be done, in microseconds of the run's
 * clock (calls/C13).
 */
export type ControllerInput = TypeOf<typeof INPUT>;

const POLICY: Shape<Policy> = (value) => (parsePolicy(value)._tag === 'Right' ? null : '');
/** Shape of a {@link Setup}. */
export const SETUP = closed({ policy: POLICY, input: INPUT });
/** What a run starts with. */
export type Setup = TypeOf<typeof SETUP>;
