/** Flips: the smallest change in each family that makes another reading the winner. Source: intent I12. */
import { compareText, type Json } from '../json.js';
import type { Context } from '../machine/types.js';
import { listCandidates, type SlotAnswer } from './answers.js';
import { renderAtom, type Atom } from './atom.js';
import type { Claim } from './claim.js';
import { areApart, keyOfPin, parsePin, PINS_MAX, type PinAtom } from './pin.js';
import { CRITERIA, WEIGHT_MAX, type Criterion, type Policy } from './policy.js';
import { compareTied, rankCandidates, type Ranked, type Ranking } from './ranking.js';
import { affirms } from './score.js';
import { readFacts, type SeedFacts } from './seed-facts.js';
import { OPPOSITE } from './solutions.js';
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
 * The smallest flip of each family, null if there is none. `searched_all` is false if a family was too
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
 * winner by place, then those of the other readings by rank. Null if there is no winner to change.
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

/** One pin as it is written, `{key: value}`. */
type WrittenPin = { readonly [key: string]: Json };

type Demand = Claim & { readonly atom: Atom };

/**
 * Pins to add, each once, in the order in which they are tried: what another reading demands and the winner
 * does not affirm; the ban of a flag that the winner holds; then what any reading says, since a winner that
 * holds both sides of a contradiction falls over either; then the opposite of what any says. Left out is what
 * no pin can say, what stands under a key that is written already, and what cannot hold beside `pin`.
 * `winner`, `others`: claims, by rank of their readings. Linear in the claims times the winner's claims and
 * the pins. Source: intent I12.
 */
function pinsToTry(
  winner: readonly Claim[],
  others: readonly Claim[],
  pin: readonly PinAtom[],
): readonly WrittenPin[] {
  const [own, theirs] = [winner.filter(isDemand), others.filter(isDemand)];
  const rivals = theirs.filter(
    (claim) => claim.modality === 'must' && !own.some((held) => affirms(held, claim)),
  );
  const flags = own.filter(
    ({ modality, atom }) => modality !== 'must_not' && atom.value === true && atom.op === '=',
  );
  const written = [
    ...rivals.map(({ atom }) => pinFor(atom)),
    ...flags.map(opposite),
    ...[...theirs, ...own].map(affirming),
    ...[...own, ...theirs].map(opposite),
  ];
  const taken = new Set(pin.map(keyOfPin));
  const known = new Set<string>();
  return written.filter((one) => {
    const parsed = parsePin(one);
    const [made] = parsed._tag === 'Right' ? parsed.right : [];
    if (made === undefined || taken.has(keyOfPin(made)) || pin.some((other) => areApart(other, made)))
      return false;
    const text = `${made.modality} ${renderAtom(made.atom)}`;
    return !known.has(text) && known.add(text).size > 0;
  });
}

function isDemand(claim: Claim): claim is Demand {
  return claim.kind !== 'question' && claim.atom !== null;
}

/** The pin that admits what a claim admits. */
function affirming(claim: Demand): WrittenPin {
  return claim.modality === 'must_not' ? denying(claim.atom) : pinFor(claim.atom);
}

/** The pin that admits what a claim rules out. */
function opposite(claim: Demand): WrittenPin {
  return claim.modality === 'must_not' ? pinFor(claim.atom) : denying(claim.atom);
}

/**
 * A flag is denied by its ban, or by demanding it; anything else by the comparison that holds where its own
 * does not.
 */
function denying(atom: Atom): WrittenPin {
  const { key, op, value } = atom;
  if (typeof value !== 'boolean') return pinFor({ ...atom, op: OPPOSITE[op] });
  return (op === '=') === value ? { [`no_${key}`]: true } : { [key]: true };
}

function pinFor({ key, op, value, unit }: Atom): WrittenPin {
  return { [key]: typeof value === 'object' || op !== '=' || unit !== null ? { op, value, unit } : value };
}
