/**
 * What of a request no reading took up. Source: intent I4, I16.
 *
 * @module
 */
import { field, isArray, isObject, runView, type EvidenceRecord, type Json } from '@assay/kernel';
import {
  claimedQuotes,
  coveredBy,
  parseInterpretations,
  salientUnits,
  scanText,
  SEED_BYTES_MAX,
  SeedText,
  type Blueprint,
  type Quote,
} from '@assay/kernel/intent';

/**
 * The salient units of a run's request that no claim of any proposed reading quotes, as a blueprint lists
 * those that the committed one leaves. A refusal commits none, and its report holds no such list: this is
 * read off the recorded request and answers. Null where the records hold no request. Linear in both.
 */
export function uncoveredIn(records: readonly EvidenceRecord[]): Blueprint['uncovered'] | null {
  const run = runView(records);
  const input = run._tag === 'Right' ? run.right.genesis.input : null;
  const text = isObject(input) ? field(input, 'seed_text') : undefined;
  if (run._tag === 'Left' || typeof text !== 'string' || text.length > SEED_BYTES_MAX) return null;
  const seed = new SeedText(text);
  const units = salientUnits(seed, scanText(text));
  const covered = coveredBy(
    units,
    [...run.right.answers.values()].flat().flatMap(({ proposal }) => quotesIn(proposal.value, seed)),
  );
  const cite = (quote: Quote): { readonly text: string } & Quote => ({ text: seed.slice(quote), ...quote });
  return units
    .filter((_, index) => !covered.has(index))
    .map(({ kind, quote, clause }) => ({ kind, ...cite(quote), clause: cite(clause) }));
}

/** What the claims of an answer quote; nothing of one that failed, or that is malformed. */
function quotesIn(value: Json, seed: SeedText): readonly Quote[] {
  const readings = isArray(value) ? parseInterpretations(value, seed) : null;
  return readings?._tag === 'Right' ? readings.right.flatMap(({ commits }) => claimedQuotes(commits)) : [];
}
