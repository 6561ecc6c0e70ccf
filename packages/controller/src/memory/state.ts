/**
 * The state of a memory and how events fold into it. What happens in a memory. Events explain all of the
 * state, and hold every number a decision rests on. Source: machine interface; dec-M11.
 */
import {
  absurd,
  isRequestId,
  ok,
  PersistentMap,
  type Json,
  type Rejection,
  type Result,
  type Digest,
} from '@assay/kernel';
import {
  decodeBy,
  integer,
  mapOf,
  oneOf,
  record,
  text,
  type Shape,
  type ValueOf,
  closed,
  type TypeOf,
} from '@assay/kernel/shape';
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
  type Tag,
} from './shelf.js';
import { type TagName, TAG_NAME } from './tag.js';
import type { Recall, RecallQuery } from './recall.js';

/** What anyone may bring to a memory: each kind is a standing invitation. */
export const INVITATION_KINDS = ['dream', 'end', 'feedback', 'forget', 'recall', 'write'] as const;
/** One of `INVITATION_KINDS`. */
export type InvitationKind = (typeof INVITATION_KINDS)[number];

const POLARITIES = ['best_practice', 'constraint'] as const;
/** What a rule says: what worked, or what must not be done. Source: 002 §6e. */
export type Polarity = (typeof POLARITIES)[number];

/** The fields of a {@link Distilling}, each by its shape. */
const DISTILLING_FIELDS = {
  ...TAG_NAME,
  polarity: oneOf(POLARITIES),
  at_us: integer(0),
  attention_nano: integer(0),
  decision_nano: integer(-Number.MAX_SAFE_INTEGER),
  /** Sequence of that dream: evidence up to it makes the rule. */
  upto: SEQUENCE,
};
export const DISTILLING = closed(DISTILLING_FIELDS);
/** A promotion that waits for its text. The numbers are those of the dream that decided on it. */
export type Distilling = TypeOf<typeof DISTILLING>;

/** Why a promotion did not come about: the failure that was final, or what took its evidence away. */
export type Undistilled = 'no_text' | 'faded' | 'forgotten';

/** An event of a memory. */
export type MemoryEvent =
  | { readonly t: 'opened'; readonly policy: MemoryPolicy }
  | { readonly t: 'invited'; readonly kind: InvitationKind; readonly id: string }
  | { readonly t: 'unanswered'; readonly kind: InvitationKind; readonly code: string }
  /** An answer of a run, so that the same answer is known when it comes again. */
  | { readonly t: 'cited'; readonly key: string; readonly sequence: number }
  | { readonly t: 'wrote'; readonly task: string; readonly at_us: number; readonly count: number }
  | { readonly t: 'remembered'; readonly megram: Megram }
  | { readonly t: 'recalled'; readonly at_us: number; readonly query: RecallQuery; readonly reply: Recall }
  | {
      readonly t: 'dreamt';
      readonly at_us: number;
      readonly tags: number;
      readonly changed: number;
      readonly put_off: number;
    }
  /** All raw Megrams of a tag are gone: together they weighed less than the policy keeps. */
  | (TagName & { readonly t: 'faded'; readonly attention_nano: number; readonly count: number })
  /**
   * A rule lost its standing: everything else at its tag speaks against it. What is left of it is
   * `remembered` next.
   */
  | (TagName & { readonly t: 'demoted'; readonly id: Digest; readonly others_nano: number })
  | (Distilling & { readonly t: 'distilling'; readonly id: string })
  | (TagName & {
      readonly t: 'undistilled';
      readonly id: string;
      readonly why: Undistilled;
      readonly code: string | null;
    })
  /** A rule is `remembered` next. `supersedes`: the rule of the same polarity it stands in for. */
  | (TagName & {
      readonly t: 'promoted';
      readonly request: string;
      readonly upto: number;
      readonly supersedes: Digest | null;
    })
  /** A person's tombstone: of a whole tag, or of one Megram. */
  | (TagName & {
      readonly t: 'forgotten';
      readonly id: Digest | null;
      readonly count: number;
      readonly why: string;
      readonly at_us: number;
    })
  | { readonly t: 'ended'; readonly at_us: number };

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
      return { ...state, shelf: changeTag(state.shelf, event, (tag) => ({ ...tag, raw: null, count: 0 })) };
    case 'demoted':
      return { ...state, shelf: changeTag(state.shelf, event, (tag) => withoutMegram(tag, event.id)) };
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
        shelf: changeTag(state.shelf, event, (tag) =>
          event.id === null ? { ...tag, raw: null, count: 0, rules: [] } : withoutMegram(tag, event.id),
        ),
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

/** The shelf with a tag changed; the same shelf where it has no such tag. */
function changeTag(shelf: Shelf, name: TagName, change: (tag: Tag) => Tag): Shelf {
  const tag = tagOn(shelf, name);
  return tag === null ? shelf : withTag(shelf, change(tag));
}

function recalled(shelf: Shelf, rule: TagName & { readonly id: string }, at_us: number): Shelf {
  return changeTag(shelf, rule, (tag) => ({
    ...tag,
    rules: tag.rules.map((megram) =>
      megram.id === rule.id ? { ...megram, last_recalled_at_us: at_us } : megram,
    ),
  }));
}

/** The evidence of a promotion counts for no second one, and the rule it replaces is gone. */
function usedUp(shelf: Shelf, event: Extract<MemoryEvent, { readonly t: 'promoted' }>): Shelf {
  return changeTag(shelf, event, (tag) => {
    const used = { ...tag, used_to: Math.max(tag.used_to, event.upto) };
    return event.supersedes === null ? used : withoutMegram(used, event.supersedes);
  });
}
