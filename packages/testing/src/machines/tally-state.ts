/** The state of a `tally` poll: what happens in it, how events fold, how it is written and read back. */
import {
  err,
  isArray,
  isDigest,
  isObject,
  ok,
  PersistentMap,
  type Digest,
  type Json,
  type Rejection,
  type Result,
} from '@assay/kernel';

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

/**
 * A poll under way. Tables are persistent maps: their keys come from evidence, and they grow without bound.
 */
export type TallyState = {
  readonly question: string;
  readonly options: readonly string[];
  readonly quorum: number;
  readonly seed: Digest | null;
  /** Open ballots by request id. */
  readonly waiting: PersistentMap<number>;
  /** Request id of the standing invitation, null once nobody listens. */
  readonly invitation: string | null;
  readonly votes: PersistentMap<number>;
  /** First claim for each option in this ledger: later ones contradict it. */
  readonly claims: PersistentMap<Digest>;
  readonly abstained: number;
  /** Notices by text, each with its place. */
  readonly notes: PersistentMap<number>;
  readonly lastNote: Digest | null;
};

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
export function evolve(state: TallyState, event: TallyEvent): TallyState {
  switch (event.t) {
    case 'posed':
      return {
        ...state,
        question: event.question,
        options: event.options,
        quorum: event.quorum,
        seed: event.seed,
      };
    case 'continued':
      // The graph of a continuation starts empty: nodes of the base are no ends of its edges.
      return { ...state, seed: event.seed, claims: PersistentMap.empty(), lastNote: null };
    case 'asked':
      return { ...state, waiting: state.waiting.set(event.id, event.voter) };
    case 'invited':
      return { ...state, invitation: event.id };
    case 'voted':
      return {
        ...state,
        waiting: state.waiting.delete(event.id),
        votes: state.votes.set(event.option, (state.votes.get(event.option) ?? 0) + 1),
        claims: state.claims.has(event.option) ? state.claims : state.claims.set(event.option, event.claim),
      };
    case 'abstained':
      return { ...state, waiting: state.waiting.delete(event.id), abstained: state.abstained + 1 };
    case 'noted':
      return { ...state, notes: state.notes.set(event.text, state.notes.size), lastNote: event.node };
    case 'silenced':
      return { ...state, invitation: null };
  }
}

/** Writes a state. Text from evidence is never an object key: tables are arrays of pairs. */
export function encode(state: TallyState): Json {
  const { abstained, claims, invitation, lastNote, notes, options, question, quorum, seed, votes, waiting } =
    state;
  // Keys in canonical order, so that the state text is the runtime's own writing.
  return {
    abstained,
    claims: claims.sorted(),
    invitation,
    lastNote,
    notes: notes.sorted(),
    options,
    question,
    quorum,
    seed,
    votes: votes.sorted(),
    waiting: waiting.sorted(),
  };
}

/**
 * Reads a state back. Total on any JSON: it may come from a snapshot somebody else made. Errors: `bad_state`.
 */
export function decode(json: Json): Result<Rejection, TallyState> {
  if (!isObject(json) || Object.keys(json).length !== Object.keys(EMPTY).length) return BAD_STATE;
  const { abstained, invitation, lastNote, options, question, quorum, seed } = json;
  const claims = readTable(json['claims'], isDigest);
  const notes = readTable(json['notes'], isCount);
  const votes = readTable(json['votes'], isCount);
  const waiting = readTable(json['waiting'], isCount);
  if (claims === null || notes === null || votes === null || waiting === null) return BAD_STATE;
  if (
    !isCount(abstained) ||
    !isCount(quorum) ||
    typeof question !== 'string' ||
    !isArray(options) ||
    !options.every(isText)
  )
    return BAD_STATE;
  if (
    !(invitation === null || (isText(invitation) && !waiting.has(invitation))) ||
    !(seed === null || isDigest(seed)) ||
    !(lastNote === null || isDigest(lastNote))
  )
    return BAD_STATE;
  return ok({
    abstained,
    claims,
    invitation,
    lastNote,
    notes,
    options,
    question,
    quorum,
    seed,
    votes,
    waiting,
  });
}

const BAD_STATE: Result<Rejection, never> = err({ code: 'bad_state', detail: null });

function isText(value: Json | undefined): value is string {
  return typeof value === 'string';
}

/** Far above what votes or notices can come to, and far enough below what adding to it could leave. */
const COUNT_MAX = 1e12;

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= COUNT_MAX;
}

function readTable<V extends Json>(
  table: Json | undefined,
  isValue: (value: Json | undefined) => value is V,
): PersistentMap<V> | null {
  if (!isArray(table)) return null;
  let map = PersistentMap.empty<V>();
  for (const row of table) {
    if (!isArray(row) || row.length !== 2) return null;
    const [key, value] = row;
    if (typeof key !== 'string' || !isValue(value) || map.has(key)) return null;
    map = map.set(key, value);
  }
  return map;
}
