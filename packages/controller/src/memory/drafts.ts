/**
 * What the goal gradient writes to memory about a round: a pure function of its directive.
 * Source: 002 §R7 "Skills", §6b; dec-M1, dec-M2, dec-M3, dec-M5, dec-M20.
 */
import { cutText } from '@assay/kernel';
import type { MegramDraft } from './writing.js';
import type { MemoryDirective } from './quantization.js';
import { byTag, CONTENT_UNITS_MAX, intentTag, pathTag, toolTag, type TagName } from './tag.js';

/** What one evaluation says to memory. Lists in any order; what stands twice counts once. */
export type WrittenRound = {
  readonly directive: MemoryDirective;
  /** The slug of the task's intent, see `intentSlug`. */
  readonly intent: string;
  /** Tools this directive blocks. */
  readonly blocked_tools: readonly string[];
  /** Targets this directive blocks. */
  readonly blocked_targets: readonly { readonly tool: string; readonly target: string }[];
  /** What is to be remembered in words: the failed criterion, or what was achieved. Cut to 4,000 units. */
  readonly content: string;
  /** The directive of the round before and the tools it blocked; null in the first round. */
  readonly prev: { readonly directive: MemoryDirective; readonly blocked_tools: readonly string[] } | null;
  /** Whether the distance D is lower than in the round before. */
  readonly d_fell: boolean;
};

/**
 * The Megrams of a round, in ascending order of tag, at most 256.
 *
 * - `accept`, `success`, `abandon`: one, at the intent (dec-M20: one per result, however many rounds led to
 *   it).
 * - `change_approach`: one per blocked tool (dec-M1).
 * - `change_path`: one per blocked target.
 * - `refine`: one per blocked target, without preference there, and one per tool of these targets (dec-M2).
 * - `break_symmetry`: none yet. When the next round shows that D fell, one per tool it had blocked (dec-M3).
 */
export function listMegrams(round: WrittenRound): readonly MegramDraft[] {
  return [...breakthrough(round), ...ownDrafts(round)].slice(0, DRAFTS_MAX);
}

/** Most Megrams of a round: as many as one write takes. */
const DRAFTS_MAX = 256;

function breakthrough({ content, d_fell, prev }: WrittenRound): readonly MegramDraft[] {
  if (prev === null || prev.directive !== 'break_symmetry' || !d_fell) return [];
  return drafts('break_symmetry', prev.blocked_tools.map(toolTag), content);
}

function ownDrafts({
  blocked_targets,
  blocked_tools,
  content,
  directive,
  intent,
}: WrittenRound): readonly MegramDraft[] {
  switch (directive) {
    case 'accept':
    case 'success':
    case 'abandon':
      return drafts(directive, [intentTag(intent)], content);
    case 'change_approach':
      return drafts(directive, blocked_tools.map(toolTag), content);
    case 'change_path':
      return drafts(
        directive,
        blocked_targets.map(({ target, tool }) => pathTag(tool, target)),
        content,
      );
    case 'refine':
      return drafts(
        directive,
        blocked_targets.flatMap(({ target, tool }) => [pathTag(tool, target), toolTag(tool)]),
        content,
      );
    case 'break_symmetry':
      return [];
  }
}

/** One draft per tag, however often it is named. */
function drafts(state: MemoryDirective, tags: readonly TagName[], content: string): readonly MegramDraft[] {
  const sorted = tags.toSorted(byTag);
  const once = sorted.filter((tag, index) => {
    const before = sorted[index - 1];
    return before === undefined || byTag(before, tag) !== 0;
  });
  return once.map(({ entity, space }) => ({
    content: cutText(content, CONTENT_UNITS_MAX),
    entity,
    space,
    state,
  }));
}
