/**
 * From candidates to a winner: vetoes, merging, scores, top-K, collapse. Source: 001 §4.4; intent I5, I8,
 * I11.
 */
import { groupBy } from '../collections/look-up.js';
import { compareText } from '../json.js';
import { nodeIdIn } from '../machine/deciding.js';
import type { Context, NodeDraft } from '../machine/types.js';
import type { Candidate } from './answers.js';
import { scoreReadings, type Score, type ScoreBasis, type Supported } from './score.js';
import { findVetoes, type Veto } from './veto.js';

/** A reading that is out, with every veto against it; the first decides. It has no score. */
export type Vetoed = {
  readonly candidate: Candidate;
  readonly vetoes: readonly Veto[];
  readonly node: NodeDraft;
};

/** A reading with its score and its node in the graph. */
export type Ranked = Supported & { readonly score: Score; readonly node: NodeDraft; readonly id: string };

/**
 * What decided between the first two: their totals, how many demands they make, their names, or the hashes of
 * their commitments; `none` where there is only one.
 */
export type TieBreak = 'none' | 'total' | 'demands' | 'name' | 'commitments';

/** All readings: vetoed ones as proposed, the others best first, of which the first K are kept. */
export type Ranking = {
  readonly vetoed: readonly Vetoed[];
  readonly kept: readonly Ranked[];
  readonly pruned: readonly Ranked[];
  readonly tieBreak: TieBreak;
};

/**
 * Ranks candidates. Ties: the higher total, then fewer demands, then the name by UTF-16 code units, then the
 * hash of the commitments: a node id holds the run id, and the same answers must win in any run.
 */
export function rankCandidates(
  candidates: readonly Candidate[],
  basis: ScoreBasis,
  context: Pick<Context, 'run_id' | 'hash'>,
): Ranking {
  const { policy } = basis;
  const vetoes = findVetoes(candidates, basis);
  const vetoed = candidates.flatMap((candidate, index) => {
    const against = vetoes[index] ?? [];
    return against.length === 0 ? [] : [{ candidate, vetoes: against, node: interpretationNode(candidate) }];
  });
  const supported = merge(candidates.filter((_, index) => vetoes[index]?.length === 0));
  const scores = scoreReadings(supported, basis);
  const ranked = supported.map((reading, index): Ranked => {
    const node = interpretationNode(reading.candidate);
    return {
      ...reading,
      score: scores[index] ?? NOTHING,
      node,
      id: nodeIdIn(context, node.kind, node.payload),
    };
  });
  ranked.sort((a, b) => b.score.total - a.score.total || compareTied(a, b));
  return {
    vetoed,
    kept: ranked.slice(0, policy.max_interpretations),
    pruned: ranked.slice(policy.max_interpretations),
    tieBreak: describeTieBreak(ranked),
  };
}

/** How far the first is ahead of the second, in ppm; the whole total where there is no second. */
export function computeMargin({ kept, pruned }: Pick<Ranking, 'kept' | 'pruned'>): number {
  const [first, second] = [...kept, ...pruned];
  return (first?.score.total ?? 0) - (second?.score.total ?? 0);
}

/** The node of a reading: its own words, and the hash of what it commits to. */
function interpretationNode({ reading, key }: Candidate): NodeDraft {
  const { name, intent_summary, assumptions } = reading;
  return { kind: 'interpretation', payload: { name, intent_summary, assumptions, commitments: key } };
}

const NOTHING: Score = { parts: [], total: 0 };

/** The same reading from several slots is one, with the first slot's words and all their support. */
function merge(candidates: readonly Candidate[]): readonly Supported[] {
  return [...groupBy(candidates, ({ key }) => key).values()].map((supporters) => ({
    candidate: supporters[0],
    supporters,
  }));
}

/** The order of readings whose totals are equal. */
export function compareTied(a: Ranked, b: Ranked): number {
  return (
    countDemands(a) - countDemands(b) ||
    compareText(a.candidate.reading.name, b.candidate.reading.name) ||
    compareText(a.candidate.key, b.candidate.key)
  );
}

/** Who demands less of the same guesses less. */
function countDemands({ candidate }: Ranked): number {
  return candidate.claims.filter(({ kind }) => kind !== 'question').length;
}

function describeTieBreak([first, second]: readonly Ranked[]): TieBreak {
  if (first === undefined || second === undefined) return 'none';
  if (first.score.total !== second.score.total) return 'total';
  if (countDemands(first) !== countDemands(second)) return 'demands';
  return first.candidate.reading.name === second.candidate.reading.name ? 'commitments' : 'name';
}
