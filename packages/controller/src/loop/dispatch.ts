/**
 * Work by groups: sub-tasks of one sequence number run side by side, the next group gets their outputs; the
 * calls that are left are shared out when a group begins. Before that, what bears on a plan: what memory
 * advises and the solver blocked, merged by memory's own rule (dec-M6). What a plan must not do, from memory
 * and from the directive together. Source: 003 §R2 "sequence"; "MUST NOT Set"; dec-G15; dec-G16; dec-M4;
 * calls/C1; C4; 002 §R2 "Merged MUST NOT set"; 003 §R2; dec-M6.
 */
import { utf8Length, type Context, type Digest, compareText } from '@assay/kernel';
import type { SubTask } from '../protocol/plan.js';
import { ask, planned, started, type Step, message } from './asking.js';
import { describeProgress, type ControllerState } from './state.js';
import { NO_RECALL } from '../protocol/recall.js';
import { type Target, isAmong } from '../protocol/tools.js';
import type { Recall } from '../memory/recall.js';
import { readTarget, readTool } from '../memory/tag.js';

/** Starts the group with the lowest sequence number above `after`; false where there is none. */
export function dispatchNext(step: Step, after: number, context: Context): boolean {
  const { plan, costs, setup } = planned(step.state);
  const sequences = plan.subtasks.map(({ sequence }) => sequence).filter((sequence) => sequence > after);
  if (sequences.length === 0) return false;
  const next = Math.min(...sequences);
  const group = plan.subtasks.filter(({ sequence }) => sequence === next);
  const { calls, task_calls } = setup.policy.limits;
  const share = Math.floor(Math.max(0, task_calls - costs.tool_calls) / group.length);
  step.emit({ t: 'group_began', sequence: next });
  for (const subtask of group) begin(step, subtask, Math.min(calls, share), context, costs.depth);
  return true;
}

function begin(step: Step, subtask: SubTask, calls: number, context: Context, depth: number): void {
  const { plan, progress } = planned(step.state);
  const { id, sequence } = subtask;
  const prior = plan.subtasks
    .filter((other) => other.sequence < sequence)
    .map((other) => progress.get(other.id)?.outcome?.output ?? '');
  const seen = {
    calls: 0,
    digest: prior.length === 0 ? null : context.hash({ prior }),
    bytes: prior.reduce((sum, output) => sum + utf8Length(output), 0),
  };
  const task = deriveTask(step, subtask, context);
  step.emit(message('dispatcher', 'R3', 'SubTask', { subtask: id, task, calls, seen }));
  askStep(step, id, depth);
}

/** What an executor is told of a sub-task, as a digest: another task, another body (calls/C1). */
function deriveTask(
  step: Step,
  { intent, context: given, criteria, tools }: SubTask,
  context: Context,
): Digest {
  const { forbidden_tools, forbidden_targets } = bearing(started(step.state));
  const must_not = { tools: forbidden_tools, targets: forbidden_targets };
  return context.hash({ intent, context: given, criteria, tools, must_not });
}

/** Asks for the next move of a sub-task. */
export function askStep(step: Step, id: string, depth: number): void {
  const { task, attempt, seen } = describeProgress(step.state, id);
  ask(step, 'step', { subtask: id, task, attempt, seen }, id, depth);
}

/**
 * How memory and the last directive bear on this round. A tool whose class is blocked is blocked by its name:
 * the solver lists both.
 */
export function bearing({
  recall,
  history,
  directive,
}: Pick<ControllerState, 'recall' | 'history' | 'directive'>): Bearing {
  return findBearing(recall ?? NO_RECALL, {
    tools: directive?.blocked_tools ?? [],
    targets: history.blocked_targets,
  });
}

/** Tools about which memory is of two minds, on any input, and single targets: `*` stands for any. */
export function findCaution({ caution_targets, caution_tools }: Bearing): readonly Target[] {
  return [...caution_tools.map((tool) => ({ tool, target: '*' })), ...caution_targets];
}

/** What the directive of this round blocks. */
export type Blocked = { readonly tools: readonly string[]; readonly targets: readonly Target[] };

/**
 * How memory and directive bear on a plan. All lists are sorted, none names a thing twice, and no tool or
 * target stands in two of them.
 */
export type Bearing = {
  /** No sub-task may use these tools. */
  readonly forbidden_tools: readonly string[];
  /** No sub-task may use this tool on this target. */
  readonly forbidden_targets: readonly Target[];
  /** To be used behind a gate of confirmation. */
  readonly caution_tools: readonly string[];
  readonly caution_targets: readonly Target[];
  /** To be preferred. */
  readonly preferred_tools: readonly string[];
  /** How past tasks of this intent went, as advice: `avoid` hands over what failed and forbids nothing. */
  readonly intent: 'ignore' | 'exploit' | 'avoid' | 'caution';
  /**
   * Texts of constraints, and of what failed where the intent is to be avoided. They bind as text and forbid
   * no tool.
   */
  readonly constraints: readonly string[];
  /** Texts of best practices. */
  readonly practices: readonly string[];
};

/**
 * Merges what memory advises with what the directive blocks. A block always beats a preference; an `avoid` of
 * a tool or a target forbids it, an `avoid` of an intent hands over the recorded failures as constraints and
 * forbids nothing, since one abandoned task would else forbid its whole intent for days. Source: dec-M6.
 */
export function findBearing(recall: Recall, blocked: Blocked): Bearing {
  const toolsThat = (action: string): readonly string[] =>
    recall.tags.flatMap((tag) =>
      tag.action === action && readTarget(tag) === null ? (readTool(tag) ?? []) : [],
    );
  const targetsThat = (action: string): readonly Target[] =>
    recall.tags.flatMap((tag) => {
      const tool = readTool(tag);
      const target = readTarget(tag);
      return tag.action === action && tool !== null && target !== null ? [{ tool, target }] : [];
    });
  const forbidden_tools = sortedTexts([...blocked.tools, ...toolsThat('avoid')]);
  const forbidden_targets = sortedTargets([...blocked.targets, ...targetsThat('avoid')]);
  const isFree = (tool: string): boolean => !forbidden_tools.includes(tool);
  const isFreeTarget = (target: Target): boolean =>
    isFree(target.tool) && !isAmong(target, forbidden_targets);
  const caution_tools = sortedTexts(toolsThat('caution').filter(isFree));
  return {
    forbidden_tools,
    forbidden_targets,
    caution_tools,
    caution_targets: sortedTargets(targetsThat('caution').filter(isFreeTarget)),
    preferred_tools: sortedTexts(toolsThat('exploit').filter(isFree)),
    intent: recall.tags.find((tag) => readTool(tag) === null)?.action ?? 'ignore',
    constraints: [
      ...new Set([
        ...recall.rules.filter(({ sigma_ppm }) => sigma_ppm < 0).map(({ content }) => content),
        ...recall.failures,
      ]),
    ],
    practices: recall.rules.filter(({ sigma_ppm }) => sigma_ppm > 0).map(({ content }) => content),
  };
}

function sortedTexts(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted(compareText);
}

function sortedTargets(targets: readonly Target[]): readonly Target[] {
  const sorted = targets.toSorted(byTarget);
  return sorted.filter((target, index) => index === 0 || byTarget(sorted[index - 1] ?? target, target) !== 0);
}

function byTarget(a: Target, b: Target): number {
  return compareText(a.tool, b.tool) || compareText(a.target, b.target);
}
