/**
 * What R7 tells a memory about a round. Fire and forget: whoever hosts the run hands it on, and nothing here waits for it.
 * Source: 002 §R7 "Skills", §6b; dec-M1 to dec-M3, dec-M20.
 *
 * @module
 */
import type { GgsEvaluation } from '../ggs/evaluation.js';
import { megramsOf } from '../memory/drafts.js';
import { isDirective } from '../memory/quantization.js';
import { intentSlug } from '../memory/tag.js';
import type { Step } from './asking.js';
import { message } from './message.js';
import type { ControllerState } from './state.js';

/** Tells memory about a round, where there is anything to tell. `before`: the state in which the round was evaluated. */
export function tellMemory(step: Step, before: ControllerState, evaluation: GgsEvaluation): void {
  const { task, directive: last } = before;
  if (task === null) return;
  const { directive, blocked_tools, blocked_targets_added, failed_criterion, gap_trend } = evaluation;
  const prev = last !== null && isDirective(last.directive) ? { directive: last.directive, blocked_tools: last.blocked_tools } : null;
  const content = failed_criterion?.text ?? task.intent;
  const megrams = megramsOf({ directive, intent: intentSlug(task.intent), blocked_tools, blocked_targets: blocked_targets_added, content, prev, d_fell: gap_trend === 'improving' });
  if (megrams.length > 0) step.emit(message('R7', 'R5', 'Megram', { task: task.label, megrams }));
}
