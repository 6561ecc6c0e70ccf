/**
 * What a run of the controller starts with. Source: 003 "System Architecture".
 *
 * @module
 */
import type { Policy } from '../policy/policy.js';
import type { SessionTurn } from '../protocol/task.js';

/** What the user gave: words, and the turns before. */
export type ControllerInput = { readonly text: string; readonly session: readonly SessionTurn[] };

/** What a run starts with. */
export type Setup = { readonly policy: Policy; readonly input: ControllerInput };
