/**
 * The state of a memory and how events fold into it. Source: machine interface; dec-M11.
 *
 * @module
 */
import {
  absurd,
  isRequestId,
  ok,
  PersistentMap,
  type Json,
  type Rejection,
  type Result,
} from '@assay/kernel';
import { decodeBy, integer, mapOf, oneOf, record, text, type Shape, type ValueOf } from '@assay/kernel/shape';
import { DISTILLING, INVITATION_KINDS, type Distilling, type MemoryEvent } from './events.js';
import { SEQUENCE, type Megram } from './megram.js';
import { defaultMemoryPolicy, parseMemoryPolicy, type MemoryPolicy } from './policy.js';
import {
  EMPTY_SHELF,
  megramsIn,
  SHELF,
  tagOn,
  listTags,
  withMegram,
  withoutMegram,
  withTag,
  type Shelf,
} from './shelf.js';
import type { TagName } from './tag.js';

const POLICY: Shape<MemoryPolicy> = (value) => (parseMemoryPolicy(value)._tag === 'Right' ? null : '');
const REQUEST_ID = text(isRequestId);

const KEPT = record({
  policy: POLICY,
  /** The latest recorded time; nothing may be dated before it. */
  clock_us: integer(0),
  tags: SHELF,
  /** Answers of runs already taken, by kind and cited head, with the sequence of the decision. */
  cited: mapOf(SEQUENCE),
  /** Open invitations: request id by kind. */
  invitations: mapOf(REQUEST_ID, oneOf(INVITATION_KINDS)),
  /** Promotions that wait for their text, by request id. */
  distilling: mapOf(DISTILLING, REQUEST_ID),
});

/** A memory under way. */
export type MemoryState = Omit<ValueOf<typeof KEPT>, 'tags'> & { readonly shelf: Shelf };

/** Writes a state. Linear in all that is remembered. */
export function encode({ shelf, ...rest }: MemoryState): Json {
  return KEPT.to({ ...rest, tags: shelf });
}

/**
 * Reads a state back. Total on any JSON: it may come from a snapshot somebody else made. Error `bad_state`
 * {path}.
 */
export function decode(json: Json): Result<Rejection, MemoryState> {
  const read = decodeBy(KEPT, json, faultIn);
  if (read._tag === 'Left') return read;
  const { tags, ...rest } = read.right;
  return ok({ ...rest, shelf: tags });
}

/** Nothing is from after the clock, and a promotion waits at a tag that is there: what empties it withdraws it. */
function faultIn({ clock_us, tags, distilling }: ValueOf<typeof KEPT>): string | null {
  const isPast = ({ created_at_us, last_recalled_at_us }: Megram): boolean =>
    Math.max(created_at_us, last_recalled_at_us ?? 0) <= clock_us;
  if (!listTags(tags).every((tag) => [...megramsIn(tag)].every(isPast))) return '/tags';
  return [...distilling].every(([, waiting]) => tagOn(tags, waiting) !== null && waiting.at_us <= clock_us)
    ? null
    : '/distilling';
}

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
