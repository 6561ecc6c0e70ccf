/** State and events of a run. Events explain all of the state. Source: machine interface; intent I13. */
import { PersistentMap } from '../collections/persistent-map.js';
import type { Json } from '../json.js';
import { isName, isProposer, SOURCES } from '../ledger/names.js';
import {
  closed,
  digest,
  integer,
  list,
  nullable,
  oneOf,
  parseShape,
  text,
  type Shape,
  type TypeOf,
} from '../ledger/shape.js';
import type { Rejection } from '../machine/types.js';
import { absurd, err, ok, type Result } from '../result.js';
import type { Answered, SlotAnswer } from './answers.js';
import { ATOM } from './atom.js';
import { MODALITIES } from './claim.js';
import { completed, INTERPRETATIONS } from './interpretation.js';
import { parsePolicy, PPM, type Policy } from './policy.js';
import type { TieBreak } from './ranking.js';
import type { Reason } from './refusal.js';
import type { ScorePart } from './score.js';
import type { Veto } from './veto.js';

const name = text(isName);
const slot = text(isProposer);
const POLICY: Shape<Policy> = (value) => (parsePolicy(value)._tag === 'Right' ? null : '');
const SETUP = closed({
  seed_hash: digest,
  genesis_hash: digest,
  policy: POLICY,
  pin: list(closed({ modality: oneOf(MODALITIES), atom: ATOM })),
});
/** What a run is about, fixed when it opens. `genesis_hash`: hash of its first record. */
export type Setup = TypeOf<typeof SETUP>;

/**
 * How a run ended. `root`: id of the decision node, the committed intent root; null if no graph was drawn.
 */
export type Ended = { readonly status: 'success' | 'refused'; readonly root: string | null };

const ANSWERED: Shape<Answered> = closed({
  t: oneOf(['answered']),
  slot,
  source: oneOf(SOURCES),
  proposer: slot,
  proposal_hash: digest,
  confidence_ppm: nullable(integer(0, PPM)),
  readings: INTERPRETATIONS,
});
const FAILED = closed({ t: oneOf(['failed']), slot, code: name, why: nullable(name) });
const ANSWER: Shape<SlotAnswer> = (value) => (ANSWERED(value) === null ? null : FAILED(value));
const WAITING: Shape<readonly [string, string]> = (value) =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string') ? null : '';
const STATE = closed({
  setup: nullable(SETUP),
  waiting: list(WAITING),
  answers: list(ANSWER),
  ended: nullable(closed({ status: oneOf(['success', 'refused']), root: nullable(digest) })),
});

/** A run under way. `waiting`: slots by request id; `answers` by slot. */
export type IntentState = {
  readonly setup: Setup | null;
  readonly waiting: PersistentMap<string>;
  readonly answers: PersistentMap<SlotAnswer>;
  readonly ended: Ended | null;
};

/** The state as JSON: tables as arrays, since text from evidence is never an object key. */
export function encode({ setup, waiting, answers, ended }: IntentState): Json {
  return { setup, waiting: waiting.sorted(), answers: answers.sorted().map(([, answer]) => answer), ended };
}

/** Reads an encoded state. Error `bad_state` with {path}. By hand: `mapOf` is much to ship for two tables. */
export function decode(json: Json): Result<Rejection, IntentState> {
  const shaped = parseShape<TypeOf<typeof STATE>>(STATE, json);
  if (shaped._tag === 'Left') return err({ code: 'bad_state', detail: { path: shaped.left.path } });
  const { setup, waiting, answers, ended } = shaped.right;
  // What is read from a snapshot of somebody else may lack what a proposal may lack.
  const whole = answers.map((answer) =>
    answer.t === 'failed' ? answer : { ...answer, readings: answer.readings.map(completed) },
  );
  return ok({
    setup,
    waiting: PersistentMap.from(waiting),
    answers: PersistentMap.from(whole.map((answer) => [answer.slot, answer] as const)),
    ended,
  });
}

/** What happens in a run. The events of the last decision hold every veto and every part of every score. */
export type IntentEvent =
  | ({ readonly t: 'seeded' } & Setup)
  | { readonly t: 'asked'; readonly slot: string; readonly id: string }
  | { readonly t: 'answered'; readonly id: string; readonly answer: SlotAnswer }
  | {
      readonly t: 'vetoed';
      readonly slot: string;
      readonly index: number;
      readonly name: string;
      readonly vetoes: readonly Veto[];
    }
  | {
      readonly t: 'scored';
      readonly slot: string;
      readonly index: number;
      readonly name: string;
      readonly supporters: readonly string[];
      readonly parts: readonly ScorePart[];
      readonly total: number;
      readonly rank: number;
      readonly kept: boolean;
    }
  | { readonly t: 'chosen'; readonly name: string; readonly tie_break: TieBreak; readonly margin: number }
  | {
      readonly t: 'committed';
      readonly root: string;
      readonly claims: readonly string[];
      readonly contradictions: number;
      readonly depth: number;
      readonly nodes: number;
    }
  | { readonly t: 'refused'; readonly root: string | null; readonly reasons: readonly Reason[] };

/** The state before any event. */
export const EMPTY: IntentState = Object.freeze({
  setup: null,
  waiting: PersistentMap.empty<string>(),
  answers: PersistentMap.empty<SlotAnswer>(),
  ended: null,
});

/** Folds an event. Total. */
export function evolve(state: IntentState, event: IntentEvent): IntentState {
  switch (event.t) {
    case 'seeded': {
      const { t: _, ...setup } = event;
      return { ...state, setup };
    }
    case 'asked':
      return { ...state, waiting: state.waiting.set(event.id, event.slot) };
    case 'answered':
      return {
        ...state,
        waiting: state.waiting.delete(event.id),
        answers: state.answers.set(event.answer.slot, event.answer),
      };
    case 'committed':
      return { ...state, waiting: PersistentMap.empty(), ended: { status: 'success', root: event.root } };
    case 'refused':
      return { ...state, waiting: PersistentMap.empty(), ended: { status: 'refused', root: event.root } };
    case 'vetoed':
    case 'scored':
    case 'chosen':
      return state;
    default:
      return absurd(event);
  }
}
