/**
 * The blueprint: what was decided, from which words, against what, and what stays open. Source: intent I16.
 *
 * It holds no run id, no node id and no record hash: runs of the same request by the same answers give the
 * same blueprint.
 */
import {
  describeIdentity,
  findQuestionClass,
  readClaimText,
  type ClaimKind,
  type Modality,
  type QuestionClass,
  type Scope,
} from './claim.js';
import type { Json } from '../json.js';
import type { Atom } from './atom.js';
import { isMentioned, type Commitment, type Provenance } from './commitment.js';
import type { ClaimedContradiction, Contradiction } from './contradiction.js';
import type { Resolution, SettledBy } from './resolution.js';
import type { PinAtom } from './pin.js';
import type { Ranked, Ranking, TieBreak } from './ranking.js';
import { claimedQuotes, isAffirming } from './score.js';
import { coveredBy } from './bearing.js';
import type { SalientKind, SalientUnit } from './salient.js';
import type { Quote, SeedText } from './seed.js';
import type { Veto } from './veto.js';

/** Version of the blueprint's shape. */
export const BLUEPRINT_FORMAT = 'assay-blueprint/1';

/** Words of the seed with their place in code points. */
export type Cited = { readonly text: string; readonly start: number; readonly end: number };

/** A claim of the blueprint. `id` is stable: it hashes kind, modality, atom and words. */
export type BlueprintClaim = {
  readonly id: string;
  readonly kind: ClaimKind;
  readonly modality: Modality;
  readonly text: string;
  readonly quote: Quote | null;
  readonly atom: Atom | null;
  readonly scope: { readonly [part in keyof Scope]: Cited | null };
  readonly provenance: Provenance;
  readonly refines: string | null;
};

/**
 * A reading that was not chosen, and why: out by veto, scored lower, beyond the first K, or `first` and yet
 * refused.
 */
export type Loser = {
  readonly name: string;
  readonly slot: string;
  readonly index: number;
  readonly reason: 'vetoed' | 'outscored' | 'pruned' | 'first';
  readonly total: number | null;
  readonly vetoes: readonly Veto[];
};

/**
 * What stays open: the claim that asks, its class, the words that raised it, and what kind of answer would
 * settle it.
 */
export type OpenQuestion = {
  readonly claim: string;
  readonly class: QuestionClass | null;
  readonly raised_by: Cited | null;
  readonly settled_by: Settlement;
};
/** Kinds of answers that settle a question. */
export type Settlement =
  | 'measure_and_threshold'
  | 'calendar_date'
  | 'which_one'
  | 'bound'
  | 'translation'
  | 'how_far'
  | 'which_side'
  | 'statement';

/** The artifact `blueprint`. */
export type Blueprint = {
  readonly format: typeof BLUEPRINT_FORMAT;
  readonly seed_hash: string;
  readonly intent: {
    readonly name: string;
    readonly summary: string;
    readonly assumptions: readonly string[];
    readonly total: number;
    readonly supporters: readonly Supporter[];
  };
  readonly pin: readonly (PinAtom & { readonly mentioned: boolean; readonly affirmed: boolean })[];
  readonly claims: readonly BlueprintClaim[];
  readonly decisions: readonly {
    readonly chosen: string;
    readonly tie_break: TieBreak;
    readonly losers: readonly Loser[];
  }[];
  readonly contradictions: readonly BlueprintContradiction[];
  readonly questions: readonly OpenQuestion[];
  readonly coverage: { readonly covered: number; readonly units: number };
  readonly uncovered: readonly (Cited & { readonly kind: SalientKind; readonly clause: Cited })[];
};

/**
 * Two claims by id that cannot both hold. `derived` ones follow from the atoms, `claimed` ones are a
 * proposer's word. `by`: what settled it, null while it is open. `rejected`: side b where it is no claim of
 * this blueprint, with the reading that holds it.
 */
export type BlueprintContradiction = {
  readonly a: string;
  readonly b: string;
  readonly basis: 'derived' | 'claimed';
  readonly why: Contradiction['why'] | ClaimedContradiction['why'];
  readonly state: 'open' | 'resolved';
  readonly by: SettledBy | null;
  readonly rejected: {
    readonly reading: string;
    readonly modality: Modality;
    readonly atom: Atom | null;
    readonly text: string;
    readonly quote: Quote | null;
  } | null;
};

/** Who proposed a reading. */
export type Supporter = {
  readonly slot: string;
  readonly proposer: string;
  readonly source: string;
  readonly proposal_hash: string;
};

/** What a blueprint is made of. */
export type BlueprintParts = {
  readonly seed: SeedText;
  readonly seedHash: string;
  readonly pin: readonly PinAtom[];
  readonly units: readonly SalientUnit[];
  readonly winner: Ranked;
  readonly ranking: Ranking;
  readonly commitments: readonly Commitment[];
  readonly contradictions: readonly Contradiction[];
  readonly claimed: readonly ClaimedContradiction[];
  readonly resolutions: readonly Resolution[];
  readonly hash: (value: Json) => string;
};

/** Builds the blueprint. Linear in the claims times the pins. */
export function makeBlueprint(parts: BlueprintParts): Blueprint {
  const { seed, winner, commitments } = parts;
  const { claims, reading } = winner.candidate;
  const covered = coveredBy(parts.units, claimedQuotes(claims));
  return {
    format: BLUEPRINT_FORMAT,
    seed_hash: parts.seedHash,
    intent: {
      name: reading.name,
      summary: reading.intent_summary,
      assumptions: reading.assumptions,
      total: winner.score.total,
      supporters: listSupporters(winner),
    },
    pin: parts.pin.map((one) => ({
      ...one,
      mentioned: isMentioned(one, claims),
      affirmed: claims.some((claim) => isAffirming(claim, one)),
    })),
    claims: commitments.map((commitment) => makeClaim(commitment, seed)),
    decisions: [
      { chosen: reading.name, tie_break: parts.ranking.tieBreak, losers: listLosers(parts.ranking, winner) },
    ],
    contradictions: listContradictions(parts),
    questions: [
      ...commitments
        .filter(({ claim }) => claim.kind === 'question')
        .map((commitment) => makeQuestion(commitment, seed)),
      ...parts.claimed.flatMap(({ b }) => conflictQuestion(commitments[b], seed)),
    ],
    coverage: { covered: covered.size, units: parts.units.length },
    uncovered: parts.units
      .filter((_, index) => !covered.has(index))
      .map(({ kind, quote, clause }) => ({ kind, ...cite(quote, seed), clause: cite(clause, seed) })),
  };
}

/** Open ones first (derived, then claimed), then the settled ones. */
function listContradictions({
  commitments,
  contradictions,
  claimed,
  resolutions,
  seed,
  hash,
}: BlueprintParts): readonly BlueprintContradiction[] {
  const readId = (place: number): string => commitments[place]?.id ?? '';
  const open =
    (basis: 'derived' | 'claimed') =>
    ({ a, b, why }: Contradiction | ClaimedContradiction): BlueprintContradiction => ({
      a: readId(a),
      b: readId(b),
      basis,
      why,
      state: 'open',
      by: null,
      rejected: null,
    });
  const settled = resolutions.map((one): BlueprintContradiction => {
    const { by, why } = one;
    const shared = { a: readId(one.a), basis: 'derived', why, state: 'resolved', by } as const;
    if (one.by === 'scope') return { ...shared, b: readId(one.b), rejected: null };
    const { modality, atom, quote } = one.rejected;
    return {
      ...shared,
      b: hash(describeIdentity(one.rejected, seed)),
      rejected: { reading: one.reading, modality, atom, text: readClaimText(one.rejected, seed), quote },
    };
  });
  return [...contradictions.map(open('derived')), ...claimed.map(open('claimed')), ...settled];
}

/** What a claimed contradiction asks: which side holds. */
function conflictQuestion(commitment: Commitment | undefined, seed: SeedText): readonly OpenQuestion[] {
  if (commitment === undefined) return [];
  const { id, claim } = commitment;
  return [
    {
      claim: id,
      class: 'conflict',
      raised_by: claim.quote === null ? null : cite(claim.quote, seed),
      settled_by: 'which_side',
    },
  ];
}

/** The words of a quote with their place. */
export function cite(quote: Quote, seed: SeedText): Cited {
  return { text: seed.slice(quote), ...quote };
}

/** Who proposed a reading, by slot in the policy's order. */
export function listSupporters({ supporters }: Ranked): readonly Supporter[] {
  return supporters.map(({ from: { slot, proposer, source, proposal_hash } }) => ({
    slot,
    proposer,
    source,
    proposal_hash,
  }));
}

/**
 * Every reading but the winner (null: the run was refused): scored ones best first, then the vetoed ones as
 * proposed.
 */
export function listLosers({ kept, pruned, vetoed }: Ranking, winner: Ranked | null): readonly Loser[] {
  const scored = (list: readonly Ranked[], reason: Loser['reason']): readonly Loser[] =>
    list
      .filter((reading) => reading !== winner)
      .map((reading) => ({
        ...describePlace(reading.candidate),
        reason: winner === null && reading === kept[0] ? 'first' : reason,
        total: reading.score.total,
        vetoes: [],
      }));
  const out = vetoed.map(
    ({ candidate, vetoes }): Loser => ({
      ...describePlace(candidate),
      reason: 'vetoed',
      total: null,
      vetoes,
    }),
  );
  return [...scored(kept, 'outscored'), ...scored(pruned, 'pruned'), ...out];
}

function describePlace({
  reading,
  from,
  index,
}: Ranked['candidate']): Pick<Loser, 'name' | 'slot' | 'index'> {
  return { name: reading.name, slot: from.slot, index };
}

function makeClaim({ id, claim, text, provenance, refines }: Commitment, seed: SeedText): BlueprintClaim {
  const { kind, modality, quote, atom, scope } = claim;
  const part = (one: Quote | null): Cited | null => (one === null ? null : cite(one, seed));
  return {
    id,
    kind,
    modality,
    text,
    quote,
    atom,
    scope: { actor: part(scope.actor), condition: part(scope.condition), exception: part(scope.exception) },
    provenance,
    refines,
  };
}

const SETTLED_BY: Readonly<Record<QuestionClass, Settlement>> = {
  vague: 'measure_and_threshold',
  relative_date: 'calendar_date',
  referent: 'which_one',
  and_or: 'which_one',
  bound: 'bound',
  language: 'translation',
  attachment: 'how_far',
  scope: 'how_far',
  conflict: 'which_side',
  unread: 'statement',
};

/** A question as it is shown: its class, the words that raised it, what would settle it. */
export function makeQuestion({ id, claim }: Pick<Commitment, 'id' | 'claim'>, seed: SeedText): OpenQuestion {
  const asked = findQuestionClass(claim);
  return {
    claim: id,
    class: asked,
    raised_by: claim.quote === null ? null : cite(claim.quote, seed),
    settled_by: asked === null ? 'statement' : SETTLED_BY[asked],
  };
}
