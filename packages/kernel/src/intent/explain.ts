/**
 * Why a run decided as it did: every reading with criteria, weights, contributions and vetoes, what broke the
 * tie, and the smallest changes that would have decided otherwise. Source: intent I8, I10 to I12.
 */
import type { Context } from '../machine/types.js';
import { findFlips, rankAnswers, type Flips, type Grounds } from './flip.js';
import { computeMargin, type Ranked, type TieBreak, type Vetoed } from './ranking.js';
import type { ScorePart } from './score.js';
import type { Veto } from './veto.js';

/** Version of the explanation's shape. */
export const EXPLANATION_FORMAT = 'assay-explanation/1';

/**
 * One criterion of one reading. `contribution`: ppm of the total that it brings, weight · ppm / weights in
 * force, rounded down.
 */
export type ExplainedPart = ScorePart & { readonly contribution: number };

/** One reading: `chosen` only where it ranks first; `rank` from 0, null with a veto. */
export type ExplainedReading = {
  readonly name: string;
  readonly slot: string;
  readonly index: number;
  readonly proposer: string;
  readonly source: string;
  readonly supporters: readonly string[];
  readonly fate: 'first' | 'outscored' | 'pruned' | 'vetoed';
  readonly rank: number | null;
  readonly total: number | null;
  readonly parts: readonly ExplainedPart[];
  readonly vetoes: readonly Veto[];
};

/**
 * The whole explanation. `margin`: how far the first is ahead, in ppm. `flips` null if no reading is left
 * to rank first.
 */
export type Explanation = {
  readonly format: typeof EXPLANATION_FORMAT;
  readonly run_id: string;
  readonly readings: readonly ExplainedReading[];
  readonly tie_break: TieBreak;
  readonly margin: number;
  readonly flips: Flips | null;
};

/**
 * Explains what a run's answers come to under its policy and pin. Pure: the same from a ledger as during the
 * run.
 */
export function explainAnswers(grounds: Grounds, context: Pick<Context, 'run_id' | 'hash'>): Explanation {
  const ranking = rankAnswers(grounds, context);
  const { kept, pruned, vetoed, tieBreak } = ranking;
  const scored = [...kept, ...pruned].map((reading, rank) =>
    explainRanked(reading, rank, rank < kept.length),
  );
  return {
    format: EXPLANATION_FORMAT,
    run_id: context.run_id,
    readings: [...scored, ...vetoed.map(explainVetoed)],
    tie_break: tieBreak,
    margin: computeMargin(ranking),
    flips: findFlips(grounds, context),
  };
}

function explainRanked(
  { candidate, supporters, score }: Ranked,
  rank: number,
  isKept: boolean,
): ExplainedReading {
  const weights = score.parts.reduce((sum, { applicable, weight }) => (applicable ? sum + weight : sum), 0);
  const parts = score.parts.map((part) => ({
    ...part,
    contribution: part.applicable && weights > 0 ? Math.trunc((part.weight * part.ppm) / weights) : 0,
  }));
  const fate = rank === 0 ? 'first' : isKept ? 'outscored' : 'pruned';
  return {
    ...describeHead(candidate),
    supporters: supporters.map(({ from }) => from.slot),
    fate,
    rank,
    total: score.total,
    parts,
    vetoes: [],
  };
}

function explainVetoed({ candidate, vetoes }: Vetoed): ExplainedReading {
  return {
    ...describeHead(candidate),
    supporters: [candidate.from.slot],
    fate: 'vetoed',
    rank: null,
    total: null,
    parts: [],
    vetoes,
  };
}

function describeHead({
  reading,
  from,
  index,
}: Ranked['candidate']): Pick<ExplainedReading, 'name' | 'slot' | 'index' | 'proposer' | 'source'> {
  return { name: reading.name, slot: from.slot, index, proposer: from.proposer, source: from.source };
}
