/**
 * What R7 tells a memory about a round. Fire and forget: whoever hosts the run hands it on, and nothing here
 * waits for it. Source: 002 §R7 "Skills", §6b; dec-M1 to dec-M3, dec-M18, dec-M20; calls/C11.
 *
 * @module
 */
import type { GgsEvaluation } from '../ggs/evaluation.js';
import { listMegrams } from '../memory/drafts.js';
import { isDirective } from '../memory/quantization.js';
import { intentSlug } from '../memory/tag.js';
import { type Step, message } from './asking.js';
import type { ControllerState } from './state.js';

/** Tells memory about a round. `before`: the state in which the round was evaluated. */
export function tellMemory(step: Step, before: ControllerState, evaluation: GgsEvaluation): void {
  const { task, directive: last } = before;
  if (task === null) return;
  const { directive, blocked_tools, blocked_targets_added, failed_criterion, gap_trend } = evaluation;
  const prev =
    last !== null && isDirective(last.directive)
      ? { directive: last.directive, blocked_tools: last.blocked_tools }
      : null;
  const megrams = listMegrams({
    directive,
    intent: intentSlug(task.intent),
    blocked_tools,
    blocked_targets: blocked_targets_added,
    content: describeEnding(before, evaluation) ?? failed_criterion?.text ?? task.intent,
    prev,
    d_fell: gap_trend === 'improving',
  });
  if (megrams.length > 0) step.emit(message('R7', 'R5', 'Megram', { task: task.label, megrams }));
}

/** Tells which rules the plan of a round followed in vain. `before`: as for {@link tellMemory}. */
export function tellMisled(
  step: Step,
  { plan, recall, round }: ControllerState,
  { reason, failed_criterion }: GgsEvaluation,
): void {
  const practices = (recall?.rules ?? []).filter(({ sigma_ppm }) => sigma_ppm > 0);
  const rules = (plan?.follows ?? []).flatMap((at) => {
    const rule = practices[at];
    return rule === undefined ? [] : [{ rule: rule.id, space: rule.space, entity: rule.entity }];
  });
  if (rules.length === 0) return;
  const content = `${reason}: ${failed_criterion?.text ?? ''}`;
  step.emit(message('R2', 'R7', 'NegativeFeedback', { round, rules, content }));
}

/**
 * How a task ended, without any value of an input: of one that was done, the tools of each sub-task in order
 * with the shapes of their inputs, the rounds, and what was blocked; of one that was not, why and at which
 * tool. Null for a round that ends nothing.
 */
function describeEnding(
  { plan, progress, round, history }: ControllerState,
  { directive, reason }: GgsEvaluation,
): string | null {
  const subtasks = plan?.subtasks ?? [];
  if (directive === 'abandon') {
    const failed = subtasks.flatMap(({ id }) => progress.get(id)?.outcome ?? []);
    const [call] = failed.filter(({ status }) => status === 'failed').flatMap(({ calls }) => calls);
    return call === undefined ? reason : `${reason} at ${call.tool}`;
  }
  if (directive !== 'accept' && directive !== 'success') return null;
  const ways = subtasks.map(({ id }) => {
    const calls = (progress.get(id)?.calls ?? []).filter(({ status }) => status === 'ok');
    const steps = calls.map(({ tool, shape }) => `${tool}(${shape})`);
    return steps.filter((step, at) => step !== steps[at - 1]).join(' → ');
  });
  const blocked = history.blocked_targets.map(({ tool }) => tool);
  const parts = [
    ...ways.filter((way) => way !== ''),
    `rounds: ${round + 1}`,
    ...(blocked.length === 0 ? [] : [`blocked: ${[...new Set(blocked)].join(' ')}`]),
  ];
  return parts.join('; ');
}
