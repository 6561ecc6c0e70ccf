/**
 * What R7 tells a memory about a round. Fire and forget: whoever hosts the run hands it on, and nothing here
 * waits for it. Source: 002 §R7 "Skills", §6b; dec-M1 to dec-M3, dec-M20.
 *
 * @module
 */
import type { GgsEvaluation } from '../ggs/evaluation.js';
import { megramsOf } from '../memory/drafts.js';
import { isDirective } from '../memory/quantization.js';
import { intentSlug } from '../memory/tag.js';
import { isAmong, type Target } from '../protocol/tools.js';
import type { Step } from './asking.js';
import { message } from './message.js';
import type { ControllerState } from './state.js';

/**
 * Tells memory about a round, where there is anything to tell. `before`: the state in which the round was
 * evaluated. That nobody confirmed an action says nothing of its tool or its input, and is not remembered
 * against them (003 §9, Law 3).
 */
export function tellMemory(step: Step, before: ControllerState, evaluation: GgsEvaluation): void {
  const { task, directive: last } = before;
  if (task === null) return;
  const { directive, blocked_tools, blocked_targets_added, failed_criterion, gap_trend } = evaluation;
  const prev =
    last !== null && isDirective(last.directive)
      ? { directive: last.directive, blocked_tools: last.blocked_tools }
      : null;
  const content = failed_criterion?.text ?? task.intent;
  const isTelling = toldBy(before);
  const tools = blocked_tools.filter((tool) => isTelling((use) => use.tool === tool));
  const targets = blocked_targets_added.filter((target) => isTelling((use) => isAmong(use, [target])));
  const megrams = megramsOf({
    directive,
    intent: intentSlug(task.intent),
    blocked_tools: tools,
    blocked_targets: targets,
    content,
    prev,
    d_fell: gap_trend === 'improving',
  });
  if (megrams.length > 0) step.emit(message('R7', 'R5', 'Megram', { task: task.label, megrams }));
}

/**
 * Tells of a tool or a target whether its being blocked speaks of it: not where only sub-tasks used it that
 * nobody allowed to begin.
 */
function toldBy({ plan, progress }: ControllerState): (isMeant: (use: Target) => boolean) => boolean {
  const failed = (plan?.subtasks ?? []).flatMap(({ id }) => progress.get(id)?.outcome ?? []);
  const usedBy = (outcomes: typeof failed): readonly Target[] => outcomes.flatMap(({ used }) => used);
  const withheld = usedBy(failed.filter(({ reason }) => reason === 'not_confirmed'));
  const used = usedBy(
    failed.filter(({ reason, status }) => status === 'failed' && reason !== 'not_confirmed'),
  );
  return (isMeant) => !withheld.some(isMeant) || used.some(isMeant);
}
