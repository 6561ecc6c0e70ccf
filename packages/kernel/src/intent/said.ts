/**
 * What each sentence of a seed can bear out: whether it forbids, leaves or wishes anything, and which words a
 * key may share with it. By the machine's own short lists; what they miss costs a reading a share of its
 * grounding and no more. Source: intent I10 (grounding).
 */
import { DUTIES, DUTY_STEMS, FORBIDDING, isNegator, LEAVING, OWN_FORCE, WISHING } from './salient.js';
import type { Quote, SeedText } from './seed.js';
import { BULLETS, locateQuote, type Stretches } from './stretches.js';
import { lowerAscii, type Token } from './tokens.js';

/**
 * A sentence: stems of its words, and whether one of them forbids, leaves or wishes. An item of a list also
 * forbids, leaves and wishes as the line above the list does. `isBanned`: it is an item that says nothing of
 * its own force, under a line that forbids what its items say (`It must not:`): there a bound is the demand
 * of its opposite, and nothing is left.
 */
export type Said = {
  readonly stems: ReadonlySet<string>;
  readonly forbids: boolean;
  readonly leaves: boolean;
  readonly wishes: boolean;
  readonly isBanned: boolean;
};

/** A line above a list. `bans`: it forbids what its items say. */
type Heading = Said & { readonly bans: boolean };

/**
 * Reads what the sentences say. A negator inside a proviso (`if not confirmed`, `without notice`) forbids
 * nothing, nor does one in a reason or one that is undone. Linear but for the search of places.
 */
export function listSaid(seed: SeedText, { tokens: parts, provisos, idle }: Stretches): readonly Said[] {
  const isIn = (stretches: readonly Quote[], { start, end }: Token): boolean =>
    locateQuote(stretches, seed.quote(start, end)) >= 0;
  const negates = (token: Token): boolean =>
    FORBIDDING.has(token.lower) || (isNegator(token) && !isIn(provisos, token));
  const forbids = (token: Token): boolean => negates(token) && !isIn(idle, token);
  let heading: Heading | null = null;
  return parts.map((tokens, index): Said => {
    const words = tokens.flatMap(({ kind, lower }) =>
      kind === 'word' ? lower.replace('’', "'").split(/_|(?=n't$|')/) : [],
    );
    const stems = new Set(words.map(findStem));
    const isForbidden = tokens.some(forbids);
    const said = [...words, ...words.map((word, at) => `${word} ${words[at + 1] ?? ''}`)];
    const isFreed =
      tokens.some(negates) &&
      (DUTY_STEMS.some((stem) => stems.has(stem)) || said.some((phrase) => DUTIES.includes(phrase)));
    const own: Said = {
      stems,
      forbids: isForbidden,
      leaves:
        isFreed ||
        tokens.some((token) => FORBIDDING.has(token.lower) && isIn(idle, token)) ||
        said.some((phrase) => LEAVING.has(phrase)),
      wishes: words.some((word) => WISHING.has(word)),
      isBanned: false,
    };
    const isLine = index === 0 || (tokens[0]?.lines ?? 0) > 0;
    const isItem = isLine && BULLETS.includes(tokens[0]?.lower ?? ' ');
    if (isLine && !isItem) heading = { ...own, bans: !isFreed && bansItems(tokens, forbids) };
    return isItem && heading !== null ? under(heading, own, words) : own;
  });
}

function under(heading: Heading, { stems, forbids, leaves, wishes }: Said, words: readonly string[]): Said {
  const isBanned = heading.bans && !forbids && !words.some((word) => OWN_FORCE.has(word));
  return {
    stems,
    forbids: forbids || heading.forbids,
    leaves: leaves || (heading.leaves && !isBanned),
    wishes: wishes || heading.wishes,
    isBanned,
  };
}

/** What may stand between the word that forbids and the list: `must not be able to do the following`. */
const LINKS: ReadonlySet<string> = new Set(
  (
    'to be able allowed permitted accepted acceptable tolerated supported wanted included ' +
    'covered possible in of this the version release phase scope part do done any ever ' +
    'following things may must can shall should will'
  ).split(' '),
);
/**
 * A negated subject reaches a list over any words, where the line breaks off behind what binds:
 * `No guest may:`.
 */
const SUBJECTS: ReadonlySet<string> = new Set(['no', 'nobody', 'none', 'neither']);
const BINDING: ReadonlySet<string> = new Set(
  'may|must|can|shall|should|will|allowed to|permitted to|able to'.split('|'),
);
/** Words that forbid by themselves, and may as well tell what a thing does: `The job stops:`. */
const TELLING: ReadonlySet<string> = new Set('stop stops cease quit discontinue halt nothing'.split(' '));

/**
 * True for a line that forbids once, and says nothing behind that but words that lead to its list.
 * `The limits must not be raised:` forbids something else.
 */
function bansItems(tokens: readonly Token[], forbids: (token: Token) => boolean): boolean {
  const [at = -1, ...others] = tokens.flatMap((token, index) =>
    forbids(token) && !TELLING.has(token.lower) ? [index] : [],
  );
  const word = tokens[at]?.lower ?? '';
  const rest = tokens.slice(at + 1);
  const behind = rest.flatMap(({ kind, lower }) => (kind === 'word' ? [lower] : []));
  if (at < 0 || others.length > 0 || (word === 'out' && behind.length === 0)) return false;
  const isOpen = BINDING.has(behind.at(-1) ?? '') || BINDING.has(behind.slice(-2).join(' '));
  return (
    behind.every((one) => LINKS.has(one)) ||
    (SUBJECTS.has(word) && isOpen && !rest.some(({ lower }) => lower === ','))
  );
}

/** The stems of some words, as a key or a text value has them. */
export function listStems(text: string): readonly string[] {
  return (lowerAscii(text).match(/[a-z0-9]+/g) ?? []).map(findStem);
}

/**
 * The first four letters without the s of a plural: `logs` and `log`, `encrypted` and `encryption` are one.
 */
function findStem(word: string): string {
  return word.replace(/(..)s$/, '$1').slice(0, 4);
}
