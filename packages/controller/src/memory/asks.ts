/**
 * What a memory asks for and stands ready to be told, and a decision of it under construction.
 *
 * @module
 */
import type { Deciding, Decision, Digest, Head } from '@assay/kernel';
import type { InvitationKind, MemoryEvent, Polarity } from './events.js';
import type { MegramState } from './quantization.js';
import type { MemoryState } from './state.js';
import type { TagName } from './tag.js';

/** What an invitation says: nothing but its kind. */
type InvitationBody = { readonly invites: InvitationKind };

/** One text of the evidence, and how often it stands there. */
export type Evidence = { readonly state: MegramState; readonly content: string; readonly count: number };

/**
 * What is asked for when a dream decided on a rule: the rule in words, from these texts. Holds no id, so
 * recorded answers match across runs.
 */
export type DistilBody = TagName & {
  readonly polarity: Polarity;
  readonly attention_nano: number;
  readonly decision_nano: number;
  readonly evidence: readonly Evidence[];
};

/** What a memory asks. */
export type MemoryBody = InvitationBody | DistilBody;
/** A decision of a memory. */
export type MemoryDecision = Decision<MemoryEvent, MemoryBody>;
/** A decision under construction. */
export type MemoryStep = Deciding<MemoryState, MemoryEvent, MemoryBody>;
/** What a decision holds beside its events and asks. */
export type Aftermath = Omit<MemoryDecision, 'events' | 'asks'>;

/** The kind under which feedback on a rule is known, in {@link citedKey}. */
export function feedbackKind(rule: Digest): string {
  return `feedback:${rule}`;
}

/**
 * The key under which an answer that cites a head is known: what was taken once is not taken again. See
 * `MemoryState.cited`.
 */
export function citedKey(kind: string, { count, hash, run_id }: Head): string {
  return `${kind} ${run_id} ${count} ${hash}`;
}
