/**
 * Scores: integers in parts per million, rounded down, every part on the record. Source: intent I10, I11.
 *
 * A criterion that is not applicable is out of the weights for all readings.
 */
import { groupBy } from '../collections/look-up.js';
import { measureAnchoring } from './anchors.js';
import type { Candidate } from './answers.js';
import { findHeld } from './bearing.js';
import { listQuotes, type Claim } from './claim.js';
import { accountedBy, renderStatement } from './bearing.js';
import type { Scoring } from './scoring.js';
import { measureDisclosure, type Openness } from './markers.js';
import { CRITERIA, PPM, type Criterion, type Policy } from './policy.js';
import type { PinAtom } from './pin.js';
import type { Quote } from './seed.js';
import type { SeedFacts } from './seed-facts.js';
import { locateQuote } from './stretches.js';
import { admittedBy, isWithin } from './solutions.js';

/**
 * One criterion of one reading: num / den as ppm, rounded down; den 0 and `applicable` false if it does
 * not apply.
 */
export type ScorePart = {
  readonly criterion: Criterion;
  readonly weight: number;
  readonly applicable: boolean;
  readonly num: number;
  readonly den: number;
  readonly ppm: number;
};

/** A reading's parts and their weighted mean, rounded down. */
export type Score = { readonly parts: readonly ScorePart[]; readonly total: number };

/** What scores depend on besides the reading: policy, pin, and what the machine itself finds in the seed. */
export type ScoreBasis = {
  readonly policy: Policy;
  readonly pin: readonly PinAtom[];
  readonly facts: SeedFacts;
};

/** The same reading as it came from one proposer or several: the first by slot stands for it. */
export type Supported = { readonly candidate: Candidate; readonly supporters: readonly Candidate[] };

type Share = { readonly num: number; readonly den: number } | null;

/** Scores readings against one another. Quadratic in the readings (for agreement), linear in their claims. */
export function scoreReadings(readings: readonly Supported[], basis: ScoreBasis): readonly Score[] {
  const atoms = new Map(readings.map((reading) => [reading, listAtoms(reading.candidate)] as const));
  const isDemanding = readings.some(({ candidate }) =>
    candidate.reading.commits.some(({ kind }) => kind !== 'question'),
  );
  const lists = groupBy(
    readings.flatMap(({ supporters }) => supporters),
    ({ from }) => from.slot,
  );
  const shares = readings.map(
    (reading): Readonly<Record<Criterion, Share>> => ({
      coverage: coverage(reading.candidate, basis.facts.scoring),
      grounding: isDemanding ? grounding(reading.candidate, basis.facts.scoring) : null,
      disclosure: disclosure(reading.candidate, basis.facts.open),
      pin: pinned(reading.candidate, basis.pin),
      agreement: agreement(reading, atoms),
      specificity: specificity(reading.candidate, basis.facts.anchors),
      order: order(reading.supporters, lists),
      confidence: confidence(reading.supporters),
    }),
  );
  const applicable = new Set(CRITERIA.filter((criterion) => shares.every((own) => own[criterion] !== null)));
  return shares.map((own) =>
    total(
      CRITERIA.map((criterion) =>
        part(criterion, basis.policy.weights[criterion], applicable.has(criterion) ? own[criterion] : null),
      ),
    ),
  );
}

/** Scoring units that some claim accounts for / scoring units. Not applicable to a seed without them. */
function coverage({ reading }: Candidate, scoring: Scoring): Share {
  return scoring.total === 0 ? null : { num: accountedBy(scoring, reading.commits), den: scoring.total };
}

/** All words that claims speak for: their own, and those of their actors, conditions and exceptions. */
export function claimedQuotes(claims: readonly Claim[]): readonly Quote[] {
  return claims.flatMap((claim) => listQuotes(claim).map(([, quote]) => quote));
}

/**
 * Demands that the sentence of their quote bears out / demands: of one modality and atom, those borne out
 * count once for each sentence, and the others once. A question is none; a reading that demands nothing owes
 * nothing, and does not take the criterion out of the sum for the others. Not applicable where none demands.
 */
function grounding({ reading }: Candidate, scoring: Scoring): Share {
  let [num, den] = [0, 0];
  for (const same of groupBy(
    reading.commits.filter(({ kind }) => kind !== 'question'),
    renderStatement,
  ).values()) {
    const borne = same.filter((claim) => findHeld(claim, scoring)?.isBorneOut);
    const sentences = new Set(borne.map(({ quote }) => quote && locateQuote(scoring.sentences, quote))).size;
    num += sentences;
    den += sentences + (borne.length < same.length ? 1 : 0);
  }
  return den === 0 ? { num: 1, den: 1 } : { num, den };
}

/**
 * (1 + markers that an assumption names) / (1 + markers + assumptions that name none): pays for saying what
 * is assumed.
 */
function disclosure({ claims, reading }: Candidate, open: Openness): Share {
  const { named, idle } = measureDisclosure(claims, reading, open);
  return { num: 1 + named, den: 1 + open.markers.length + idle };
}

/**
 * (anchors shared with the seed − anchors invented, at least 0) / anchors of the seed: invented numbers cost.
 * Not applicable to a seed without anchors.
 */
function specificity({ claims, reading }: Candidate, anchors: ReadonlySet<string>): Share {
  if (anchors.size === 0) return null;
  const { shared, invented } = measureAnchoring(claims, reading, anchors);
  return { num: Math.max(0, shared - invented), den: anchors.size };
}

/** Pins that some claim affirms (it allows nothing the pin excludes) / pins. */
function pinned({ claims }: Candidate, pin: readonly PinAtom[]): Share {
  if (pin.length === 0) return null;
  return {
    num: pin.filter((one) => claims.some((claim) => isAffirming(claim, one))).length,
    den: pin.length,
  };
}

/** True if a claim affirms a pin: it is no question, and allows nothing that the pin excludes. */
export function isAffirming({ kind, modality, atom }: Claim, pin: PinAtom): boolean {
  return kind !== 'question' && atom !== null && affirms({ modality, atom }, pin);
}

/** True if a stated atom affirms a pinned one. */
export function affirms(stated: PinAtom, pin: PinAtom): boolean {
  return (
    stated.atom.key === pin.atom.key &&
    isWithin(admittedBy(stated.modality, stated.atom), admittedBy(pin.modality, pin.atom))
  );
}

/**
 * Mean over the other proposers of the best overlap (Jaccard) of atoms, each under its modality, with one of
 * their readings. Not applicable to one proposer.
 */
function agreement(reading: Supported, atoms: ReadonlyMap<Supported, ReadonlySet<string>>): Share {
  const own = atoms.get(reading) ?? new Set<string>();
  const best = new Map<string, number>();
  for (const [other, theirs] of atoms) {
    for (const { from } of other.supporters)
      best.set(from.slot, Math.max(best.get(from.slot) ?? 0, jaccard(own, theirs)));
  }
  const others = [...best].filter(([slot]) => slot !== reading.candidate.from.slot);
  return best.size < 2
    ? null
    : { num: others.reduce((sum, [, ppm]) => sum + ppm, 0), den: others.length * PPM };
}

/**
 * (n − k) / n for place k of n among the readings of the proposer's own list that no veto stopped; of several
 * supporters the best. Zero-sum, and said openly.
 */
function order(supporters: readonly Candidate[], lists: ReadonlyMap<string, readonly Candidate[]>): Share {
  const shares = supporters.map((own) => {
    const list = lists.get(own.from.slot) ?? [own];
    return { num: list.filter(({ index }) => index >= own.index).length, den: list.length };
  });
  return shares.reduce((best, next) => (next.num * best.den > best.num * next.den ? next : best));
}

/** The greatest confidence a supporter gave. Not applicable where some reading has none. */
function confidence(supporters: readonly Candidate[]): Share {
  const given = supporters.map(({ from }) => from.confidence_ppm).filter((ppm) => ppm !== null);
  return given.length === 0 ? null : { num: Math.max(...given), den: PPM };
}

function part(criterion: Criterion, weight: number, share: Share): ScorePart {
  if (share === null) return { criterion, weight, applicable: false, num: 0, den: 0, ppm: 0 };
  return { criterion, weight, applicable: true, ...share, ppm: Math.trunc((share.num * PPM) / share.den) };
}

function total(parts: readonly ScorePart[]): Score {
  const counted = parts.filter(({ applicable }) => applicable);
  const weights = counted.reduce((sum, { weight }) => sum + weight, 0);
  const sum = counted.reduce((products, { weight, ppm }) => products + weight * ppm, 0);
  return { parts, total: weights === 0 ? 0 : Math.trunc(sum / weights) };
}

function listAtoms({ claims }: Candidate): ReadonlySet<string> {
  return new Set(
    claims.flatMap((claim) =>
      claim.atom === null || claim.kind === 'question' ? [] : [renderStatement(claim)],
    ),
  );
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((item) => b.has(item)).length;
  const union = a.size + b.size - shared;
  return union === 0 ? 0 : Math.trunc((shared * PPM) / union);
}
