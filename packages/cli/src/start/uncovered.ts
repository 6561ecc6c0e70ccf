/**
 * What of a request is open: what no reading took up, what is asked, what the rules do not read. Source: intent I4,
 * I16; language L5.
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
import { adviseOnQuestion } from '@assay/kernel/intent-view';
import { readRequest } from '@assay/proposers/language';
import { show, type Shown } from '../terminal/shown.js';

const OPEN_MAX = 20;

/**
 * Each open question of a result, and each sentence that the rules do not read with what to write instead, which is
 * derived again from the text. `isAll`: also sentences that the result claims.
 */
export function listOpen(text: string, results: ReadonlyMap<string, Json>, isAll: boolean): readonly Shown[] {
  const result = results.get('blueprint') ?? results.get('refusal_report') ?? null;
  const { questions } = result as unknown as Pick<Blueprint, 'questions'>;
  const isAsked = (start: number): boolean =>
    isAll || questions.some((one) => one.class === 'unread' && one.raised_by?.start === start);
  const unread = readRequest(text).unread.filter(({ quote }) => isAsked(quote.start));
  const seed = new SeedText(text);
  const all = [
    ...questions
      .filter((one) => one.class !== 'unread')
      .map((one) => ['open', one.raised_by?.text ?? '', adviseOnQuestion(one)] as const),
    ...unread.map(({ quote, say }) => ['not read', seed.slice(quote), say] as const),
  ];
  const rest = all.length > OPEN_MAX ? [show`and ${all.length - OPEN_MAX} more: assay show`] : [];
  const model = unread.length > 0 ? [show`or ask a language model: --proposer llm:PROVIDER/MODEL`] : [];
  return [
    ...all
      .slice(0, OPEN_MAX)
      .flatMap(([title, words, say]) => [show`${title.padEnd(12)}"${words}"`, show`              ${say}`]),
    ...[...rest, ...model].map((line) => show`            ${line}`),
  ];
}

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
