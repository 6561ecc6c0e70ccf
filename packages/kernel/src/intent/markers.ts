/**
 * Markers: words of a seed that leave something open, and which of them a reading's assumptions name.
 * Source: intent I6, I10 (disclosure).
 *
 * The list is the machine's own and short; proposers may know more such words.
 */
import { groupBy } from '../collections/look-up.js';
import { holdsText } from '../collections/search.js';
import type { Claim } from './claim.js';
import type { Interpretation } from './interpretation.js';
import type { Quote, SeedText } from './seed.js';
import { countApart, locateQuote, type Stretches } from './stretches.js';
import { tokenize, type Token } from './tokens.js';

/** A word that leaves something open, in lower case, with its place. */
export type Marker = { readonly word: string; readonly quote: Quote };

/** What a seed leaves open, its words and its sentences. */
export type Openness = {
  readonly markers: readonly Marker[];
  /** The markers of each word, by index. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  readonly words: ReadonlySet<string>;
  /** The tokens but for symbols, each between two spaces, and what stands between spaces in them. */
  readonly folded: string;
  readonly parts: ReadonlySet<string>;
  readonly sentences: readonly Quote[];
};

/** How much a reading says of it: markers named, and assumptions that name none and quote nothing. */
export type Disclosure = { readonly named: number; readonly idle: number };

const OPEN_WORDS: ReadonlySet<string> = new Set(
  (
    'fast faster quick quickly quicker slow slowly instant instantly soon asap shortly later ' +
    'eventually recently tomorrow tonight cheap cheaper affordable reasonable reasonably ' +
    'appropriate appropriately adequate adequately sufficient sufficiently suitable suitably ' +
    'easy easily easier simple simply intuitive friendly modern nice nicely pretty clean ' +
    'beautiful pleasant attractive good better best great robust reliable reliably secure ' +
    'securely safe safely scalable flexible efficient efficiently performant responsive ' +
    'lightweight seamless seamlessly smooth smoothly stable high low large small big many ' +
    'several few some most often frequently regularly occasionally sometimes usually ' +
    'normally generally approximately roughly about around nearly almost etc significant ' +
    'significantly minimal minimum maximum quiet quietly short long comfortable timely'
  ).split(' '),
);
const RELATIVE: ReadonlySet<string> = new Set('next this last coming'.split(' '));
const SPANS: ReadonlySet<string> = new Set(
  (
    'week month quarter year weekend spring summer autumn winter monday tuesday wednesday ' +
    'thursday friday saturday sunday'
  ).split(' '),
);

/**
 * Fewest words of its own with which an assumption says something: a copied span can end in two broken ones.
 */
const OWN_WORDS_MIN = 3;
/** Fewest words with which a sentence leaves something open. */
const SENTENCE_WORDS_MIN = 3;

/**
 * Reads what a seed leaves open. A comparison (`at most`, `about 5 s`) is read with its number and marks
 * nothing. Linear.
 */
export function measureOpenness(
  seed: SeedText,
  isInQuantity: (token: number) => boolean,
  { tokens: parts, sentences }: Stretches,
): Openness {
  const markers: Marker[] = [];
  const tokens = parts.flat();
  const words = new Set(tokens.flatMap(({ kind, lower }) => (kind === 'word' ? [lower] : [])));
  let at = -1;
  for (const part of parts) {
    // `Best, Marit` opens nothing.
    const isShort = part.filter(({ kind }) => kind === 'word').length < SENTENCE_WORDS_MIN;
    for (const { kind, lower, start, end } of part) {
      at += 1;
      const isSpan = SPANS.has(lower) && RELATIVE.has(tokens[at - 1]?.lower ?? '');
      const isOpen = kind === 'word' && (OPEN_WORDS.has(lower) || isSpan);
      if (isOpen && !isShort && !isInQuantity(at))
        markers.push({ word: lower, quote: seed.quote(start, end) });
    }
  }
  const places = groupBy([...markers.keys()], (index) => markers[index]?.word ?? '');
  const folded = ` ${fold(tokens)} `;
  return { markers, places, words, folded, parts: new Set(folded.split(' ')), sentences };
}

/**
 * What a reading discloses. An assumption names the first marker whose word it holds, where it says at least
 * as much of its own as it repeats of the seed, and three words at least; words that only stand in the seed
 * quote it and count neither way. Questions name markers of the one sentence their quote stands in, one for
 * each stretch of words they ask about: those that overlap ask once. A demand without words of the seed is an
 * assumption that names nothing. Repeating an assumption counts once.
 */
export function measureDisclosure(
  claims: readonly Claim[],
  { assumptions, commits }: Interpretation,
  open: Openness,
): Disclosure {
  const named = new Set<number>();
  /** Of each word, how many of its markers are named: always its first ones. */
  const taken = new Map<string, number>();
  const findNext = (word: string): number => open.places.get(word)?.[taken.get(word) ?? 0] ?? Infinity;
  let idle = claims.filter(({ kind, quote }) => kind === 'assumption' && quote === null).length;
  for (const text of new Set(assumptions.map((assumption) => fold(tokenize(assumption))))) {
    const words = text.split(' ').filter((word) => word !== '');
    if (words.every((word) => open.parts.has(word)) && holdsText(open.folded, ` ${text} `)) continue;
    const own = words.filter((word) => !open.words.has(word)).length;
    const isOwn = own >= OWN_WORDS_MIN && own * 2 >= words.length;
    const first = isOwn
      ? words.reduce((best, word) => (findNext(word) < findNext(best) ? word : best), '')
      : '';
    const marker = findNext(first);
    if (marker === Infinity) idle += 1;
    else {
      named.add(marker);
      taken.set(first, (taken.get(first) ?? 0) + 1);
    }
  }
  const findSentence = (quote: Quote): number => locateQuote(open.sentences, quote);
  const free = groupBy(
    open.markers.filter((_, index) => !named.has(index)),
    ({ quote }) => findSentence(quote),
  );
  const asked = groupBy(
    commits.flatMap(({ kind, quote }) => (kind === 'question' ? (quote ?? []) : [])),
    findSentence,
  );
  return {
    named: [...asked].reduce(
      (sum, [sentence, quotes]) => sum + Math.min(countApart(quotes), free.get(sentence)?.length ?? 0),
      named.size,
    ),
    idle,
  };
}

function fold(tokens: readonly Token[]): string {
  return tokens
    .filter(({ kind }) => kind !== 'symbol')
    .map(({ lower }) => lower)
    .join(' ');
}
