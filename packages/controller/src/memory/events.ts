/**
 * What happens in a memory. Events explain all of the state, and hold every number a decision rests on.
 * Source: machine interface; dec-M11.
 *
 * @module
 */
import type { Digest } from '@assay/kernel';
import { closed, integer, oneOf, type TypeOf } from '@assay/kernel/shape';
import { SEQUENCE, type Megram } from './megram.js';
import type { MemoryPolicy } from './policy.js';
import type { Recall, RecallQuery } from './recall.js';
import { TAG_NAME, type TagName } from './tag.js';

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
