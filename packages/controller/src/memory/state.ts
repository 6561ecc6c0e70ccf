/**
 * The state of a memory and how events fold into it. Source: machine interface; dec-M11.
 *
 * @module
 */
import { absurd, PersistentMap } from '@assay/kernel';
import type { Distilling, MemoryEvent } from './events.js';
import { defaultMemoryPolicy, type MemoryPolicy } from './policy.js';
import { EMPTY_SHELF, tagOn, withMegram, withoutMegram, withTag, type Shelf } from './shelf.js';
import type { TagName } from './tag.js';

/** A memory under way. */
export type MemoryState = {
  readonly policy: MemoryPolicy;
  /** The latest recorded time; nothing may be dated before it. */
  readonly clock_us: number;
  readonly shelf: Shelf;
  /** Answers of runs already taken, by kind and cited head, with the sequence of the decision. */
  readonly cited: PersistentMap<number>;
  /** Open invitations: request id by kind. */
  readonly invitations: PersistentMap<string>;
  /** Promotions that wait for their text, by request id. */
  readonly distilling: PersistentMap<Distilling>;
};

/** The state before any event. */
export const EMPTY: MemoryState = Object.freeze({
  policy: defaultMemoryPolicy,
  clock_us: 0,
  shelf: EMPTY_SHELF,
  cited: PersistentMap.empty<number>(),
  invitations: PersistentMap.empty<string>(),
  distilling: PersistentMap.empty<Distilling>(),
});

/** Folds an event. Total. */
export function evolve(state: MemoryState, event: MemoryEvent): MemoryState {
  switch (event.t) {
    case 'opened':
      return { ...state, policy: event.policy };
    case 'invited':
      return { ...state, invitations: state.invitations.set(event.kind, event.id) };
    case 'unanswered':
      return { ...state, invitations: state.invitations.delete(event.kind) };
    case 'cited':
      return { ...state, cited: state.cited.set(event.key, event.sequence) };
    case 'wrote':
    case 'dreamt':
      return { ...state, clock_us: event.at_us };
    case 'remembered':
      return { ...state, shelf: withMegram(state.shelf, event.megram) };
    case 'recalled':
      return {
        ...state,
        clock_us: event.at_us,
        shelf: event.reply.rules.reduce((shelf, rule) => recalled(shelf, rule, event.at_us), state.shelf),
      };
    case 'faded':
      return { ...state, shelf: withoutRaw(state.shelf, event) };
    case 'demoted':
      return { ...state, shelf: without(state.shelf, event, event.id) };
    case 'distilling': {
      const { t: _, id, ...waiting } = event;
      return { ...state, distilling: state.distilling.set(id, waiting) };
    }
    case 'undistilled':
      return { ...state, distilling: state.distilling.delete(event.id) };
    case 'promoted':
      return {
        ...state,
        distilling: state.distilling.delete(event.request),
        shelf: usedUp(state.shelf, event),
      };
    case 'forgotten':
      return {
        ...state,
        clock_us: event.at_us,
        shelf: event.id === null ? withoutTag(state.shelf, event) : without(state.shelf, event, event.id),
      };
    case 'ended':
      return {
        ...state,
        clock_us: event.at_us,
        invitations: PersistentMap.empty(),
        distilling: PersistentMap.empty(),
      };
    default:
      return absurd(event);
  }
}

function recalled(shelf: Shelf, rule: TagName & { readonly id: string }, at_us: number): Shelf {
  const tag = tagOn(shelf, rule);
  if (tag === null) return shelf;
  return withTag(shelf, {
    ...tag,
    rules: tag.rules.map((megram) =>
      megram.id === rule.id ? { ...megram, last_recalled_at_us: at_us } : megram,
    ),
  });
}

function withoutRaw(shelf: Shelf, name: TagName): Shelf {
  const tag = tagOn(shelf, name);
  return tag === null ? shelf : withTag(shelf, { ...tag, raw: null, count: 0 });
}

function withoutTag(shelf: Shelf, name: TagName): Shelf {
  const tag = tagOn(shelf, name);
  return tag === null ? shelf : withTag(shelf, { ...tag, raw: null, count: 0, rules: [] });
}

function without(shelf: Shelf, name: TagName, id: Parameters<typeof withoutMegram>[1]): Shelf {
  const tag = tagOn(shelf, name);
  return tag === null ? shelf : withTag(shelf, withoutMegram(tag, id));
}

/** The evidence of a promotion counts for no second one, and the rule it replaces is gone. */
function usedUp(
  shelf: Shelf,
  event: TagName & { readonly upto: number; readonly supersedes: Parameters<typeof withoutMegram>[1] | null },
): Shelf {
  const tag = tagOn(shelf, event);
  if (tag === null) return shelf;
  const used = { ...tag, used_to: Math.max(tag.used_to, event.upto) };
  return withTag(shelf, event.supersedes === null ? used : withoutMegram(used, event.supersedes));
}
