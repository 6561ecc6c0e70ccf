/**
 * What a plan must not do, from memory and from the directive together. Source: 002 §R2 "Merged MUST NOT
 * set"; 003 §R2; dec-M6.
 *
 * @module
 */
import { compareText } from '@assay/kernel';
import { isAmong, type Target } from '../protocol/tools.js';
import type { Recall } from '../memory/recall.js';
import { readTarget, readTool } from '../memory/tag.js';

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
