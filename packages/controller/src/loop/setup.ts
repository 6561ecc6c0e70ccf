/**
 * What a run of the controller starts with. Source: 003 "System Architecture".
 *
 * @module
 */
import type { Policy } from '../policy/policy.js';
import type { SessionTurn } from '../protocol/task.js';

/**
 * What the user gave: words, the turns before, and until when it must be done, in microseconds of the run's
 * clock (calls/C13).
 */
export type ControllerInput = {
  readonly text: string;
  readonly session: readonly SessionTurn[];
  readonly deadline_us: number | null;
};

/** What a run starts with. */
export type Setup = { readonly policy: Policy; readonly input: ControllerInput };
