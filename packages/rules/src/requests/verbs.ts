/**
 * Verb forms by their endings and the list of irregular ones.
 *
 * @module
 */
import { VERBS } from './verb-list.js';

const PLAIN: ReadonlySet<string> = new Set(VERBS.plain.split('|'));
const DUAL: ReadonlySet<string> = new Set(VERBS.dual.split('|').filter((verb) => !PLAIN.has(verb)));
const PARTICIPLES: ReadonlySet<string> = new Set(VERBS.participles.split('|'));
const PASTS: ReadonlySet<string> = new Set(VERBS.pasts.split('|'));
/** Third persons, with their bases: `applies`, `goes`, `passes`. */
const THIRDS: ReadonlyMap<string, string> = new Map(
  [...PLAIN, ...DUAL].map((verb) => [thirdOf(verb), verb] as const),
);

/** True for the base form of a known verb. */
export function isBase(word: string): boolean {
  return PLAIN.has(word) || DUAL.has(word);
}

/** True for a base form that is hardly ever a noun. */
export function isPlainBase(word: string): boolean {
  return PLAIN.has(word);
}

/** The base of a third person, or null. */
export function baseOfThird(word: string): string | null {
  return THIRDS.get(word) ?? null;
}

/** True for a past participle. */
export function isParticiple(word: string): boolean {
  return PARTICIPLES.has(word) || (word.length > 3 && word.endsWith('ed') && !NO_PARTICIPLES.has(word));
}

const NO_PARTICIPLES: ReadonlySet<string> = new Set(
  'need feed seed weed speed deed reed indeed exceed proceed succeed shed sled hundred'.split(' '),
);

/** True for a past tense by its form alone; regular ones look like participles. */
export function isPast(word: string): boolean {
  return PASTS.has(word);
}

/** The base of a verb form as far as endings tell; the word itself otherwise. */
export function lemmaOf(word: string): string {
  const third = THIRDS.get(word);
  if (third !== undefined) return third;
  if (PLAIN.has(word) || DUAL.has(word)) return word;
  if (word.endsWith('ied')) return `${word.slice(0, -3)}y`;
  for (const ending of ['ed', 'ing']) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    const forms = [stem, `${stem}e`, stem.slice(0, -1)];
    const base = forms.find((form) => isBase(form));
    if (base !== undefined) return base;
  }
  return IRREGULAR.get(word) ?? word;
}

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['kept', 'keep'],
  ['sent', 'send'],
  ['held', 'hold'],
  ['paid', 'pay'],
  ['given', 'give'],
  ['built', 'build'],
  ['shown', 'show'],
  ['sold', 'sell'],
  ['written', 'write'],
  ['taken', 'take'],
  ['driven', 'drive'],
  ['hidden', 'hide'],
  ['bought', 'buy'],
  ['brought', 'bring'],
  ['made', 'make'],
  ['left', 'leave'],
  ['met', 'meet'],
  ['begun', 'begin'],
  ['read', 'read'],
  ['lost', 'lose'],
  ['stuck', 'stick'],
  ['broken', 'break'],
  ['torn', 'tear'],
  ['frozen', 'freeze'],
]);

function thirdOf(verb: string): string {
  if (verb.endsWith('y') && !'aeiou'.includes(verb.charAt(verb.length - 2))) return `${verb.slice(0, -1)}ies`;
  return ['s', 'x', 'z', 'ch', 'sh', 'o'].some((ending) => verb.endsWith(ending)) ? `${verb}es` : `${verb}s`;
}
