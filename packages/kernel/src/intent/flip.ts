/**
 * Flips: the smallest change in each family that makes another reading the winner. Source: intent I12.
 *
 * @module
 */
import { compareText, type Json } from '../json.js';
import type { Context } from '../machine/types.js';
import { listCandidates, type SlotAnswer } from './answers.js';
import { keyOfPin, parsePin, PINS_MAX, type PinAtom } from './pin.js';
import { pinsToTry } from './pin-flip.js';
import { CRITERIA, WEIGHT_MAX, type Criterion, type Policy } from './policy.js';
import { compareTied, rankCandidates, type Ranked, type Ranking } from './ranking.js';
import { readFacts, type SeedFacts } from './seed-facts.js';
import { smallestWeightChange } from './weight-flip.js';

/** What a ranking rests on. */
export type Grounds = {
  readonly seedText: string;
  readonly policy: Policy;
  readonly pin: readonly PinAtom[];
  readonly answers: readonly SlotAnswer[];
};

/**
 * One change. `pin_added`: as a pin is written, `{key: value}`. `commit_removed`: by place in the proposed
 * list of commits.
 */
export type Change =
  | { readonly t: 'weight'; readonly criterion: Criterion; readonly from: number; readonly to: number }
  | { readonly t: 'pin_removed'; readonly key: string }
  | { readonly t: 'pin_added'; readonly pin: { readonly [key: string]: Json } }
  | { readonly t: 'proposal_removed'; readonly slot: string }
  | { readonly t: 'commit_removed'; readonly slot: string; readonly index: number; readonly commit: number };

/** Where a reading stands. */
export type ReadingPlace = { readonly slot: string; readonly index: number; readonly name: string };

/** A change and the reading that wins under it. */
export type Flip = { readonly change: Change; readonly winner: ReadingPlace };

/** The families of changes. */
export const FLIP_FAMILIES = ['weight', 'pin', 'proposal', 'commit'] as const;
/** One of {@link FLIP_FAMILIES}. */
export type FlipFamily = (typeof FLIP_FAMILIES)[number];

/**
 * The smallest flip of each family, null where there is none. `searched_all` is false where a family was too
 * large to try whole; null then means none among those tried. Of pins to add, all those are tried that
 * `pinsToTry` names: they are without end otherwise.
 */
export type Flips = {
  readonly [family in FlipFamily]: {
    readonly flip: Flip | null;
    readonly tried: number;
    readonly searched_all: boolean;
  };
};

/** Most changes tried in a family whose members are tried one by one. */
export const FLIP_TRIES_MAX = 512;

/**
 * Ranks what was answered, as the machine does at the end of a run. `facts`: those of the seed, where they
 * are known already.
 */
export function rankAnswers(
  { seedText, policy, pin, answers }: Grounds,
  context: Pick<Context, 'run_id' | 'hash'>,
  facts: SeedFacts = readFacts(seedText, answers),
): Ranking {
  return rankCandidates(
    listCandidates(policy.proposers, answers, facts.seed, context.hash),
    { policy, pin, facts },
    context,
  );
}

/** The grounds after one change. A removed proposal leaves its slot without readings. */
export function applyChange(grounds: Grounds, change: Change): Grounds {
  const { policy, pin, answers } = grounds;
  switch (change.t) {
    case 'weight':
      return {
        ...grounds,
        policy: { ...policy, weights: { ...policy.weights, [change.criterion]: change.to } },
      };
    case 'pin_removed':
      return { ...grounds, pin: pin.filter((one) => keyOfPin(one) !== change.key) };
    case 'pin_added': {
      const added = parsePin(change.pin);
      return added._tag === 'Left'
        ? grounds
        : { ...grounds, pin: [...pin, ...added.right].sort((a, b) => compareText(keyOfPin(a), keyOfPin(b))) };
    }
    case 'proposal_removed':
      return { ...grounds, answers: answers.filter(({ slot }) => slot !== change.slot) };
    case 'commit_removed':
      return {
        ...grounds,
        answers: answers.map((answer) =>
          answer.slot === change.slot ? withoutCommit(answer, change.index, change.commit) : answer,
        ),
      };
  }
}

/**
 * Finds the smallest flip of each family: of weights the least difference (then by criterion, then the lower
 * weight), of the others the first one in order: pins removed by key, then pins added; slots; commits of the
 * winner by place, then those of the other readings by rank. Null where there is no winner to change.
 */
export function findFlips(grounds: Grounds, context: Pick<Context, 'run_id' | 'hash'>): Flips | null {
  const facts = readFacts(grounds.seedText, grounds.answers);
  const ranking = rankAnswers(grounds, context, facts);
  const [winner] = ranking.kept;
  if (winner === undefined) return null;
  const attempt = (change: Change): Flip | null => {
    const [next] = rankAnswers(applyChange(grounds, change), context, facts).kept;
    // The same commitments from another slot are the same winner.
    return next === undefined || next.candidate.key === winner.candidate.key || isSupportedBy(next, winner)
      ? null
      : { change, winner: describePlace(next) };
  };
  return {
    weight: weightFlip(grounds, ranking, attempt),
    pin: findFirst(pinChanges(grounds, ranking), attempt),
    proposal: findFirst(proposalChanges(grounds), attempt),
    commit: findFirst(commitChanges(ranking), attempt),
  };
}

function weightFlip(
  { policy }: Grounds,
  ranking: Ranking,
  attempt: (change: Change) => Flip | null,
): Flips['weight'] {
  const found = smallestWeightChange(
    [...ranking.kept, ...ranking.pruned].sort(compareTied).map(({ score }) => score.parts),
    policy.weights,
    WEIGHT_MAX,
  );
  return {
    flip: found === null ? null : attempt({ t: 'weight', ...found }),
    tried: CRITERIA.length,
    searched_all: true,
  };
}

function findFirst(changes: readonly Change[], attempt: (change: Change) => Flip | null): Flips['pin'] {
  const within = changes.slice(0, FLIP_TRIES_MAX);
  for (const [index, change] of within.entries()) {
    const flip = attempt(change);
    if (flip !== null) return { flip, tried: index + 1, searched_all: true };
  }
  return { flip: null, tried: within.length, searched_all: within.length === changes.length };
}

function pinChanges({ pin }: Grounds, { kept, pruned, vetoed }: Ranking): readonly Change[] {
  const removed = pin.map((one): Change => ({ t: 'pin_removed', key: keyOfPin(one) }));
  const [winner, ...others] = [...kept, ...pruned, ...vetoed].map(({ candidate }) => candidate.claims);
  const added = pin.length >= PINS_MAX ? [] : pinsToTry(winner ?? [], others.flat(), pin);
  return [...removed, ...added.map((one): Change => ({ t: 'pin_added', pin: one }))];
}

function proposalChanges({ policy, answers }: Grounds): readonly Change[] {
  const answering = answers.filter((answer) => answer.t === 'answered' && answer.readings.length > 0);
  // With fewer left than the policy asks for there would be no winner at all.
  return answering.length - 1 < policy.min_proposals
    ? []
    : policy.proposers
        .filter((slot) => answering.some((answer) => answer.slot === slot))
        .map((slot) => ({ t: 'proposal_removed', slot }));
}

function commitChanges({ kept, pruned, vetoed }: Ranking): readonly Change[] {
  return [...kept, ...pruned, ...vetoed].flatMap(({ candidate }) =>
    candidate.reading.commits.map(
      (_, commit): Change => ({
        t: 'commit_removed',
        slot: candidate.from.slot,
        index: candidate.index,
        commit,
      }),
    ),
  );
}

function withoutCommit(answer: SlotAnswer, index: number, commit: number): SlotAnswer {
  if (answer.t === 'failed') return answer;
  return {
    ...answer,
    readings: answer.readings.map((reading, place) => {
      if (place !== index) return reading;
      // Places behind the removed commit move up; a pair that pointed at it is gone.
      const contradictions = reading.contradictions
        .filter(([a, b]) => a !== commit && b !== commit)
        .map(([a, b]) => [a > commit ? a - 1 : a, b > commit ? b - 1 : b] as const);
      return { ...reading, commits: reading.commits.filter((_, at) => at !== commit), contradictions };
    }),
  };
}

function isSupportedBy({ supporters }: Ranked, { candidate }: Ranked): boolean {
  return supporters.some(({ from, index }) => from.slot === candidate.from.slot && index === candidate.index);
}

function describePlace({ candidate }: Ranked): ReadingPlace {
  return { slot: candidate.from.slot, index: candidate.index, name: candidate.reading.name };
}
