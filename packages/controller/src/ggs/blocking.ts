/**
 * What the next plan must not use. Source: 002 §R7 "Dynamic MUST NOT Injection"; dec-G15, dec-G16, dec-G21.
 *
 * @module
 */
import { absurd, compareText } from '@assay/kernel';
import type { GgsTarget, GgsTool, GgsInput } from './input.js';
import type { GgsPolicy } from './policy.js';
import type { Directive } from './table.js';

/** What a directive forbids, each list sorted and without doubles. */
export type Blocked = {
  /** Names; for this directive only (dec-G16). */
  readonly tools: readonly string[];
  /** Classes whose tools are all forbidden: `break_symmetry` wants another class of tool. */
  readonly classes: readonly string[];
  /** Every input that failed for the environment's sake so far (law-G11). */
  readonly targets: readonly GgsTarget[];
  /** Those of them that this round added. */
  readonly added: readonly GgsTarget[];
};

/** Tools of failing sub-tasks of this round and all before it. */
export function failingTools(input: GgsInput): readonly GgsTool[] {
  return merge(input.history.failing_tools, input.failing_tools, byTool);
}

/**
 * What a directive forbids. `change_approach`: the tools of this round's failing sub-tasks. `break_symmetry`:
 * those of all rounds, and every tool of their classes (dec-G15). `change_path` and `refine` forbid no tool
 * and add this round's failing inputs. Inputs once forbidden stay so under every action; the ends forbid
 * nothing.
 */
export function blockedBy(directive: Directive, input: GgsInput, mode: GgsPolicy['blocking_mode']): Blocked {
  const targets = input.history.blocked_targets;
  switch (directive) {
    case 'accept':
    case 'success':
    case 'abandon':
      return { tools: [], classes: [], targets: [], added: [] };
    case 'change_approach':
      return { tools: spared(listNames(input.failing_tools), input, mode), classes: [], targets, added: [] };
    case 'break_symmetry': {
      const failing = failingTools(input);
      const classes = distinct(failing.flatMap((tool) => (tool.class === null ? [] : [tool.class]))).filter(
        (name) => mode === 'literal' || !SPARED.includes(name),
      );
      const alike = input.tools.filter((tool) => tool.class !== null && classes.includes(tool.class));
      return { tools: spared(listNames([...failing, ...alike]), input, mode), classes, targets, added: [] };
    }
    case 'change_path':
    case 'refine': {
      const known = new Set(targets.map(makeKey));
      const added = merge(
        [],
        input.failing_targets.filter((target) => !known.has(makeKey(target))),
        byTarget,
      );
      return { tools: [], classes: [], targets: merge(targets, added, byTarget), added };
    }
    default:
      return absurd(directive);
  }
}

/** Classes without which nothing can be done: they are never blocked whole (calls/C7). */
const SPARED: readonly string[] = ['read', 'write'];

/** Names without the first tool of a spared class all of whose tools are among them. */
function spared(
  names: readonly string[],
  { tools }: GgsInput,
  mode: GgsPolicy['blocking_mode'],
): readonly string[] {
  if (mode === 'literal') return names;
  const last = SPARED.flatMap((name) => {
    const alike = tools.filter((tool) => tool.class === name);
    return alike.every(({ tool }) => names.includes(tool)) ? alike.slice(0, 1) : [];
  });
  return names.filter((name) => !last.some(({ tool }) => tool === name));
}

/** True where a directive that forbids tools leaves none of those there are (dec-G16). */
export function leavesNoTool(blocked: Blocked, tools: readonly GgsTool[]): boolean {
  if (blocked.tools.length === 0 || tools.length === 0) return false;
  const names = new Set(blocked.tools);
  return tools.every(({ tool }) => names.has(tool));
}

function makeKey({ tool, target }: GgsTarget): string {
  return `${tool.length}:${tool}${target}`;
}

function listNames(tools: readonly GgsTool[]): readonly string[] {
  return distinct(tools.map(({ tool }) => tool));
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted(compareText);
}

function byTarget(a: GgsTarget, b: GgsTarget): number {
  return compareText(a.tool, b.tool) || compareText(a.target, b.target);
}

function byTool(a: GgsTool, b: GgsTool): number {
  return compareText(a.tool, b.tool) || compareText(a.class ?? '', b.class ?? '');
}

/** Both lists in order, none twice; the first list itself where the second adds nothing. */
function merge<T>(kept: readonly T[], more: readonly T[], order: (a: T, b: T) => number): readonly T[] {
  if (more.length === 0) return kept;
  const all = [...kept, ...more].toSorted(order);
  return all.filter((item, index) => {
    const before = all[index - 1];
    return before === undefined || order(before, item) !== 0;
  });
}
