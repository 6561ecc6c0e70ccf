/**
 * Readings that were not chosen, and why.
 *
 * @module
 */
import type { Loser } from '@assay/kernel/intent';
import { phraseOfVeto } from '@assay/kernel/intent-view';
import type { Piece } from '@assay/kernel/view';
import { packed, said, share, type AnsweredBy } from './markdown.js';

/**
 * Readings that were not chosen: one line for the scored ones, and one for each that was vetoed, with every
 * veto.
 */
export function loserLines(losers: readonly Loser[], answeredBy: readonly AnsweredBy[]): readonly string[] {
  const byHand = new Set(answeredBy.filter(({ source }) => source === 'synthetic').map(({ slot }) => slot));
  const name = (loser: Loser): string =>
    `${said(loser.name)} of ${said(loser.slot)}${byHand.has(loser.slot) ? ' (written by hand)' : ''}`;
  const scored = losers
    .filter(({ vetoes }) => vetoes.length === 0)
    .map(
      (loser) => `${name(loser)} ${loser.reason}${loser.total === null ? '' : ` with ${share(loser.total)}`}`,
    );
  const out = losers
    .filter(({ vetoes }) => vetoes.length > 0)
    .map(
      (loser) =>
        `- ${name(loser)} vetoed: ` +
        `${loser.vetoes.map((veto) => `${veto.code} (${phrase(phraseOfVeto(veto))})`).join('; ')}`,
    );
  return [...packed(scored), ...out];
}

/** A phrase with what evidence says as code. */
export function phrase(parts: readonly Piece[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : said(part.said))).join('');
}
