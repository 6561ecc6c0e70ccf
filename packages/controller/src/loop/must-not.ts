/**
 * What bears on a plan: what memory advises and what the solver blocked, merged by memory's own rule
 * (dec-M6). Source: 003 §R2 "MUST NOT Set"; dec-G15, dec-G16, dec-M4.
 *
 * @module
 */
import { bearingOf, type Bearing } from './bearing.js';
import { NO_RECALL } from '../protocol/recall.js';
import type { Target } from '../protocol/tools.js';
import type { ControllerState } from './state.js';

/**
 * How memory and the last directive bear on this round. A tool whose class is blocked is blocked by its name:
 * the solver lists both.
 */
export function bearing({
  recall,
  history,
  directive,
}: Pick<ControllerState, 'recall' | 'history' | 'directive'>): Bearing {
  return bearingOf(recall ?? NO_RECALL, {
    tools: directive?.blocked_tools ?? [],
    targets: history.blocked_targets,
  });
}

/** Tools about which memory is of two minds, on any input, and single targets: `*` stands for any. */
export function cautionOf({ caution_targets, caution_tools }: Bearing): readonly Target[] {
  return [...caution_tools.map((tool) => ({ tool, target: '*' })), ...caution_targets];
}
