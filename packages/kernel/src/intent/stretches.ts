/**
 * Sentences of a seed and the stretches in them, by code alone: what a claim may account for is settled by
 * the stretch its quote stands in, not by how far the quote reaches inside it. Source: intent I10 (no gain by
 * copying).
 */
import { countBefore } from '../collections/look-up.js';
import { findIdle } from './idle.js';
import { MODALS } from './salient.js';
import type { Quote, SeedText } from './seed.js';
import type { Token } from './tokens.js';

/** Stretches by place, in code points, each list without overlaps. */
export type Stretches = {
  /** Sentences leave nothing out: each reaches to the next. */
  readonly sentences: readonly Quote[];
  /** The tokens of each sentence. */
  readonly tokens: readonly (readonly Token[])[];
  /** A sentence between its marks, without gaps. */
  readonly pieces: readonly Quote[];
  /**
   * From a word that makes a condition or an exception (`if`, `unless`, `without`) to the end of its piece, or before a
   * modal verb. Where another begins right behind a comma, an aside goes on (`While it rains, when the door opens`).
   */
  readonly asides: readonly Quote[];
  /** Each aside of a condition, and the one word that makes an exception. */
  readonly provisos: readonly Quote[];
  /** From any word that can make a condition (`during`, `older`) to the end of its piece; they go on as asides do. */
  readonly condition: readonly Quote[];
  /** As conditions, of exceptions (`other`). */
  readonly exception: readonly Quote[];
  /** From `otherwise` to the end of the sentence. */
  readonly elses: readonly Quote[];
  /** From `in that case` to the end of the sentence. */
  readonly thens: readonly Quote[];
  /** Where a negation forbids nothing. */
  readonly idle: readonly Quote[];
};

const PROVISOS: ReadonlySet<string> = new Set('if when while'.split(' '));
const RESERVES: ReadonlySet<string> = new Set('unless except without'.split(' '));
const ASIDES: ReadonlySet<string> = new Set([...PROVISOS, ...RESERVES, 'who', 'that']);
const CONDITIONS: ReadonlySet<string> = new Set(
  (
    'given if when whenever while where who that which as once until till before after during ' +
    'between in on at for from by with within under over above below beyond outside inside ' +
    'of per only provided should failing since upon whether than longer shorter ' +
    'older younger later earlier larger smaller bigger wider narrower heavier lighter higher ' +
    'lower warmer colder cooler hotter thicker thinner taller deeper louder quieter cheaper ' +
    'more less fewer greater whose having ' +
    'exceeding up'
  ).split(' '),
);
/** At the beginning of a sentence these open an aside as well. */
const LEADING: ReadonlySet<string> = new Set(
  'where given once before after during until in on for from under upon'.split(' '),
);
const EXCEPTIONS: ReadonlySet<string> = new Set(
  'unless except without other save but not excluding apart with'.split(' '),
);
const ELSES: ReadonlySet<string> = new Set(['otherwise', 'else', 'or else']);
const THENS: ReadonlySet<string> = new Set(['then', 'in that case', 'in this case']);
const LEAD_TOKENS = 3;
/** Marks of one character each, as every token is that they may stand in. */
const MARKS = ',;:()–—';
const ENDS = '.!?';
/** What a line of a list begins with. */
export const BULLETS = '-*•–';

const HEADING_MARKS_MAX = 6;

/**
 * True if a heading in Markdown begins: a line of one to six `#`, a space and words. It ends the list
 * above it, and its line ends it.
 */
function isHeadingAt(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.lower !== '#' || (at > 0 && tokens[at]?.lines === 0)) return false;
  let next = at + 1;
  while (next - at <= HEADING_MARKS_MAX && tokens[next]?.lower === '#' && tokens[next]?.glued === true)
    next += 1;
  const words = tokens[next];
  return next - at <= HEADING_MARKS_MAX && words !== undefined && !words.glued && words.lines === 0;
}

/**
 * Parts a seed. What stands before the first modal verb of a piece and picks out (`Orders over 500 EUR must`) is an
 * aside too. A point ends no sentence where a small letter, a number or no space follows (`e.g. the`, `max. 5`).
 * Linear.
 */
export function findStretches(seed: SeedText, tokens: readonly Token[]): Stretches {
  const [sentences, parts, pieces]: [Quote[], (readonly Token[])[], Quote[]] = [[], [], []];
  const opened = [ASIDES, PROVISOS, CONDITIONS, EXCEPTIONS, ELSES, THENS].map((openers, index) => ({
    openers,
    isAside: index < 2,
    isBranch: index > 3,
    from: -1,
    isPicking: false,
    found: [] as Quote[],
  }));
  let [sentence, first, piece, head, isHeading, isBound] = [0, 0, 0, 0, false, false];
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    if (at === 0 || token.lines > 0) isHeading = isHeadingAt(tokens, at);
    const start = next?.start ?? seed.text.length;
    const isEnd =
      next === undefined ||
      beginsSentence(seed.text, next, token, tokens[first]) ||
      (next.lines > 0 && (isHeading || isHeadingAt(tokens, at + 1)));
    const isPieceEnd = isEnd || MARKS.includes(next.lower);
    const isVerb = !isPieceEnd && MODALS.has(next.lower);
    const lead = tokens.slice(Math.max(head, at - LEAD_TOKENS), at + 1).map(({ lower }) => lower);
    for (const one of opened) {
      const { openers, isAside, isBranch } = one;
      const opens =
        openers.has(isBranch ? lead.join(' ') : token.lower) ||
        (isAside && at === first && LEADING.has(token.lower));
      const picks = openers === ASIDES && !isBound && at > first && CONDITIONS.has(token.lower);
      const isWord = openers === PROVISOS && one.from < 0 && RESERVES.has(token.lower);
      if (one.from < 0 ? opens || picks || isWord : opens && one.isPicking) {
        one.from = token.start;
        one.isPicking = picks && !opens;
      }
      const goesOn = openers !== PROVISOS && next?.lower === ',' && openers.has(tokens[at + 2]?.lower ?? '');
      const isLast = isEnd || isWord || (isVerb && isAside) || (isPieceEnd && !isBranch && !goesOn);
      if (one.from < 0 || !isLast) continue;
      if (isVerb || !one.isPicking) one.found.push(seed.quote(one.from, start));
      one.from = -1;
    }
    isBound ||= isVerb;
    if (isPieceEnd) {
      pieces.push(seed.quote(piece, start));
      [piece, head, isBound] = [start, isEnd ? at + 1 : at + 2, false];
    }
    if (!isEnd) continue;
    sentences.push(seed.quote(sentence, start));
    parts.push(tokens.slice(first, at + 1));
    [sentence, first] = [start, at + 1];
  }
  const [asides = [], provisos = [], condition = [], exception = [], elses = [], thens = []] = opened.map(
    ({ found }) => found,
  );
  return {
    sentences,
    tokens: parts,
    pieces,
    asides,
    provisos,
    condition,
    exception,
    elses,
    thens,
    idle: findIdle(seed, parts),
  };
}

/** True for a word that can begin a condition or an exception. */
export function isOpener({ lower }: Token): boolean {
  return CONDITIONS.has(lower) || EXCEPTIONS.has(lower);
}

function beginsSentence(
  text: string,
  { start, lower, lines, glued }: Token,
  before: Token,
  first?: Token,
): boolean {
  if (lines > 1 || (lines > 0 && BULLETS.includes(lower))) return true;
  // A plain line at the margin below a list is no part of its last item.
  if (
    lines > 0 &&
    before.lower !== ',' &&
    BULLETS.includes(first?.lower ?? ' ') &&
    /^\n[A-Z]/.test(text.slice(start - 1, start + 1))
  )
    return true;
  return !glued && ENDS.includes(before.lower) && !/[a-z0-9]/.test(text.charAt(start));
}

/**
 * The stretch that holds a whole quote, by index, or −1: a quote that reaches over two stands in none.
 * Logarithmic.
 */
export function locateQuote(stretches: readonly Quote[], { start, end }: Quote): number {
  const index = countBefore(stretches.length, (at) => (stretches[at]?.start ?? 0) <= start) - 1;
  return end <= (stretches[index]?.end ?? 0) ? index : -1;
}

/** How many stretches some quotes make up: those that overlap are one. O(q log q). */
export function countApart(quotes: readonly Quote[]): number {
  let [count, reach] = [0, 0];
  for (const { start, end } of [...quotes].sort((a, b) => a.start - b.start)) {
    if (start >= reach) count += 1;
    reach = Math.max(reach, end);
  }
  return count;
}
