/** The state of a `tally` poll: what happens in it, how events fold, how it is written and read back. */
import { PersistentMap, type Digest, type Json, type Rejection, type Result } from '@assay/kernel';
import {
  decodeBy,
  digest,
  integer,
  list,
  mapOf,
  nullable,
  record,
  text,
  type ValueOf,
} from '@assay/kernel/shape';

/**
 * Limits of a poll. `voters` and `quorum`: how many are asked, how many must vote. `attempts`: per ballot.
 */
export type TallyPolicy = { readonly voters: number; readonly quorum: number; readonly attempts: number };
/** What a poll is about. */
export type TallyInput = { readonly question: string; readonly options: readonly string[] };

/** What a voter is asked. */
export type BallotBody = {
  readonly voter: number;
  readonly question: string;
  readonly options: readonly string[];
};
/** What anyone may be told or may order: a notice, or the end of the poll. */
export type NoticeBody = { readonly question: string };

/** What answers mean. */
export type TallyAnswer =
  | { readonly t: 'ballot'; readonly option: string }
  | { readonly t: 'note'; readonly text: string }
  | { readonly t: 'end' };

/** What happens in a poll. */
export type TallyEvent =
  | {
      readonly t: 'posed';
      readonly question: string;
      readonly options: readonly string[];
      readonly quorum: number;
      readonly seed: Digest;
    }
  | { readonly t: 'continued'; readonly seed: Digest }
  | { readonly t: 'asked'; readonly voter: number; readonly id: string }
  | { readonly t: 'invited'; readonly id: string }
  | { readonly t: 'voted'; readonly id: string; readonly option: string; readonly claim: Digest }
  | { readonly t: 'abstained'; readonly id: string; readonly code: string }
  | { readonly t: 'noted'; readonly text: string; readonly node: Digest }
  | { readonly t: 'silenced' };

/** Far above what votes or notices can come to, and far enough below what adding to it could leave. */
const count = integer(0, 1e12);
const state = record({
  question: text(),
  options: list(text()),
  quorum: count,
  seed: nullable(digest),
  /** Open ballots by request id. */
  waiting: mapOf<number>(count),
  /** Request id of the standing invitation, null once nobody listens. */
  invitation: nullable(text()),
  votes: mapOf<number>(count),
  /** First claim for each option in this ledger: later ones contradict it. */
  claims: mapOf<Digest>(digest),
  abstained: count,
  /** Notices by text, each with its place. */
  notes: mapOf<number>(count),
  lastNote: nullable(digest),
});

/**
 * A poll under way. Tables are persistent maps, written as arrays of pairs: their keys come from evidence, and they
 * grow without bound.
 */
export type TallyState = ValueOf<typeof state>;

/** The state before the first event. */
export const EMPTY: TallyState = {
  question: '',
  options: [],
  quorum: 0,
  seed: null,
  waiting: PersistentMap.empty(),
  invitation: null,
  votes: PersistentMap.empty(),
  claims: PersistentMap.empty(),
  abstained: 0,
  notes: PersistentMap.empty(),
  lastNote: null,
};

/** Folds one event. Total. */
export function evolve(poll: TallyState, event: TallyEvent): TallyState {
  switch (event.t) {
    case 'posed':
      return {
        ...poll,
        question: event.question,
        options: event.options,
        quorum: event.quorum,
        seed: event.seed,
      };
    case 'continued':
      // The graph of a continuation starts empty: nodes of the base are no ends of its edges.
      return { ...poll, seed: event.seed, claims: PersistentMap.empty(), lastNote: null };
    case 'asked':
      return { ...poll, waiting: poll.waiting.set(event.id, event.voter) };
    case 'invited':
      return { ...poll, invitation: event.id };
    case 'voted':
      return {
        ...poll,
        waiting: poll.waiting.delete(event.id),
        votes: poll.votes.set(event.option, (poll.votes.get(event.option) ?? 0) + 1),
        claims: poll.claims.has(event.option) ? poll.claims : poll.claims.set(event.option, event.claim),
      };
    case 'abstained':
      return { ...poll, waiting: poll.waiting.delete(event.id), abstained: poll.abstained + 1 };
    case 'noted':
      return { ...poll, notes: poll.notes.set(event.text, poll.notes.size), lastNote: event.node };
    case 'silenced':
      return { ...poll, invitation: null };
  }
}

/** Writes a state. */
export const encode: (state: TallyState) => Json = state.to;

/**
 * Reads a state back. Total on any JSON: it may come from a snapshot somebody else made. Errors: `bad_state`.
 */
export function decode(json: Json): Result<Rejection, TallyState> {
  return decodeBy(state, json, ({ invitation, waiting }) =>
    invitation !== null && waiting.has(invitation) ? '/invitation' : null,
  );
}
