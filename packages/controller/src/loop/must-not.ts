/**
 * What a plan must not use: what memory says against, and what the solver blocked. A block beats any preference (dec-M6).
 * Source: 003 §R2 "MUST NOT Set"; dec-M4, dec-M6, dec-M9, dec-G16, dec-G21.
 *
 * @module
 */
import { compareText } from '@assay/kernel';
import type { MustNot } from '../protocol/asks.js';
import type { SubTask } from '../protocol/plan.js';
import { memoryAction, type Recall, type TagPotential } from '../protocol/recall.js';
import type { Target, Tool } from '../protocol/tools.js';
import type { GgsEvaluation } from '../ggs/evaluation.js';
import type { ControllerState } from './state.js';

const TOOL_SPACE = 'tool:';
const PATH_ENTITY = 'path:';
const ENVIRONMENT = 'env:local';

/** Tag of a tool as a whole. Source: dec-M1. */
export function toolOf({ space, entity }: Pick<TagPotential, 'space' | 'entity'>): string | null {
  return space.startsWith(TOOL_SPACE) && entity === ENVIRONMENT ? space.slice(TOOL_SPACE.length) : null;
}

/** Tag of one input of a tool. Source: 002 §6b. */
export function targetOf({ space, entity }: Pick<TagPotential, 'space' | 'entity'>): Target | null {
  return space.startsWith(TOOL_SPACE) && entity.startsWith(PATH_ENTITY) ? { tool: space.slice(TOOL_SPACE.length), target: entity.slice(PATH_ENTITY.length) } : null;
}

/** Everything a plan of this round must not use: what memory avoids, then what the last directive blocks. Sorted, each once. */
export function mustNotOf({ recall, history }: Pick<ControllerState, 'recall' | 'history'>, directive: Pick<GgsEvaluation, 'blocked_tools' | 'blocked_classes'> | null, tools: readonly Tool[]): MustNot {
  const avoided = avoidedBy(recall);
  const ofClass = tools.filter((tool) => directive?.blocked_classes.includes(tool.class)).map(({ name }) => name);
  return {
    tools: sortedTexts([...avoided.flatMap((tag) => toolOf(tag) ?? []), ...(directive?.blocked_tools ?? []), ...ofClass]),
    targets: sortedTargets([...avoided.flatMap((tag) => targetOf(tag) ?? []), ...history.blocked_targets]),
    rules: rulesAgainst(recall),
  };
}

/** Tools and inputs about which memory is of two minds: a person is asked before they are used. Source: 002 "Action mapping". */
export function cautionOf(recall: Recall | null): readonly Target[] {
  const tags = (recall?.tags ?? []).filter((tag) => memoryAction(tag) === 'caution');
  return sortedTargets(tags.flatMap((tag) => targetOf(tag) ?? anyInputOf(toolOf(tag))));
}

/** What memory speaks for, as texts: tags to exploit, and practices it promoted. */
export function preferredBy(recall: Recall | null): readonly string[] {
  const tags = (recall?.tags ?? []).filter((tag) => memoryAction(tag) === 'exploit').map(({ space }) => space);
  return sortedTexts([...tags, ...(recall?.rules ?? []).filter(({ sign }) => sign > 0).map(({ content }) => content)]);
}

/** True where a sub-task would use something that is in a list of targets; `*` in the list stands for any input of its tool. */
export function touches({ uses }: Pick<SubTask, 'uses'>, targets: readonly Target[]): readonly Target[] {
  return uses.filter((use) => targets.some(({ tool, target }) => tool === use.tool && (target === use.target || target === ANY || use.target === ANY)));
}

const ANY = '*';

function anyInputOf(tool: string | null): readonly Target[] {
  return tool === null ? [] : [{ tool, target: ANY }];
}

/** Tags that memory says to avoid and that name a tool or an input of one; an intent is never forbidden (dec-M6). */
function avoidedBy(recall: Recall | null): readonly TagPotential[] {
  return (recall?.tags ?? []).filter((tag) => memoryAction(tag) === 'avoid' && tag.space.startsWith(TOOL_SPACE));
}

/** Constraints that memory promoted, and a note for each intent that went wrong before: texts for the planner, that forbid nothing by themselves. */
function rulesAgainst(recall: Recall | null): readonly string[] {
  const failed = (recall?.tags ?? []).filter((tag) => memoryAction(tag) === 'avoid' && !tag.space.startsWith(TOOL_SPACE)).map(({ space }) => `tasks like ${space} failed before`);
  return sortedTexts([...failed, ...(recall?.rules ?? []).filter(({ sign }) => sign < 0).map(({ content }) => content)]);
}

/** Texts in the order of their units, each once. */
export function sortedTexts(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort(compareText);
}

/** Targets by tool, then by input, each once. */
export function sortedTargets(targets: readonly Target[]): readonly Target[] {
  const byKey = new Map(targets.map(({ tool, target }) => [`${tool}\n${target}`, { tool, target }] as const));
  return [...byKey.keys()].sort(compareText).flatMap((key) => byKey.get(key) ?? []);
}

