/** What a person types, read: words of the request, how binding they are, and a measure. */
import { parseShape } from '@assay/kernel';
import {
  ATOM,
  parseDecimal,
  isReadable,
  MODALITIES,
  normalizeAtom,
  QUESTION_CLASSES,
  QUOTE_POINTS_MAX,
  readQuantity,
  TEXT_FORMS,
  type Atom,
  type Modality,
  type QuestionClass,
  type Quote,
  type SeedText,
} from '@assay/kernel/intent';

/** What was typed as read, or why it cannot be taken, for the person who typed it. */
export type Typed<T> =
  | { readonly t: 'read'; readonly value: T }
  | { readonly t: 'refused'; readonly why: string };

/**
 * Every place of some words in the request. White space counts as one space, so that words broken over a line
 * can be typed; `first words ... last words` stands for all between them.
 */
export function readWords(seed: SeedText, typed: string): Typed<readonly Quote[]> {
  const whole = findPlaces(seed, [typed]);
  const parts = typed.split(/\s*(?:\.\.\.|…)\s*/).filter((part) => part !== '');
  const places = whole.length > 0 || parts.length < 2 ? whole : findPlaces(seed, parts);
  if (places.length === 0)
    return refused(
      'These words do not stand in the request. Copy them exactly; "first words ... last ' +
        'words" stands for all between.',
    );
  const short = places.filter(({ start, end }) => end - start <= QUOTE_POINTS_MAX);
  return short.length === 0
    ? refused(`These are more than ${QUOTE_POINTS_MAX} characters. Take the words that demand one thing.`)
    : read(short);
}

/** One of the four modalities, or `question`; `must not` may be written with a space. */
export function readModality(typed: string): Typed<Modality | 'question'> {
  const word = typed.toLowerCase().split(/\s+/).join('_');
  const found = [...MODALITIES, 'question' as const].find((known) => known === word);
  return found === undefined ? refused('Answer must, must not, should, may, or question.') : read(found);
}

/** One of the classes a question may have. */
export function readClass(typed: string): Typed<QuestionClass> {
  const found = QUESTION_CLASSES.find((known) => known === typed.toLowerCase());
  return found === undefined ? refused(`Answer one of ${QUESTION_CLASSES.join(', ')}.`) : read(found);
}

/** The number of one of some choices, from 1. */
export function readChoice(typed: string, count: number): Typed<number> {
  const number = /^[0-9]{1,6}$/.test(typed) ? Number(typed) : 0;
  return number < 1 || number > count ? refused(`Answer a number from 1 to ${count}.`) : read(number - 1);
}

/** Yes or no. */
export function readYes(typed: string): Typed<boolean> {
  const word = typed.toLowerCase();
  if (word === 'y' || word === 'yes') return read(true);
  return word === 'n' || word === 'no' ? read(false) : refused('Answer yes or no.');
}

const KEY_MAX = 120;
const MEASURE = /^(\S+)\s+(<=|>=|!=|=|<|>|in|not_in)\s+(\S.*)$/;

/**
 * A measure as `key op value unit`, such as `export.duration <= 2 min`; its number must be readable in the
 * words it is said of. Nothing typed is a flag that the words name: a claim without an atom counts for nothing.
 */
export function readMeasure(typed: string, words: string): Typed<Atom> {
  if (typed === '') {
    const named = words.toLowerCase().match(/[a-z0-9]{3,}/g) ?? ['it'];
    return read({ key: named.slice(0, 4).join('_').slice(0, KEY_MAX), op: '=', value: true, unit: null });
  }
  const [, key, op, said] = MEASURE.exec(typed) ?? [];
  if (key === undefined || op === undefined || said === undefined)
    return refused(
      'Write it as KEY OP VALUE UNIT, such as export.duration <= 2 min; op is one of = != < <= > >= in not_in.',
    );
  const shaped = parseShape<Atom>(ATOM, { key, op, ...parseValue(said) });
  if (shaped._tag === 'Left')
    return refused(
      shaped.left.path === '/key'
        ? 'A key is lower-case letters, digits and _, in up to four parts joined by points.'
        : 'This operator, value and unit do not go together.',
    );
  return isReadable(shaped.right, words)
    ? read(normalizeAtom(shaped.right))
    : refused('This number and unit cannot be read in the words you gave.');
}

/** `true`, `2 min`, `2026-03-16`, or any other text. */
function parseValue(said: string): { readonly value: Atom['value']; readonly unit: string | null } {
  if (said === 'true' || said === 'false') return { value: said === 'true', unit: null };
  const [, digits = '', unit] = /^(-?[0-9]+(?:\.[0-9]+)?)(?:\s+(\S+))?$/.exec(said) ?? [];
  const value = parseDecimal(digits);
  // The machine's own reader knows that hours are h; what it does not know stays as typed.
  if (value !== null) return { value, unit: unit === undefined ? null : (readQuantity(said)?.unit ?? unit) };
  const form = TEXT_FORMS.find(([, pattern]) => pattern.test(said));
  return { value: said, unit: form === undefined ? null : form[0] };
}

function findPlaces(seed: SeedText, parts: readonly string[]): readonly Quote[] {
  const pattern = parts
    .map((part) =>
      part
        .split(/\s+/)
        .filter((word) => word !== '')
        .map(escaped)
        .join('\\s+'),
    )
    .join('[^]*?');
  if (pattern === '') return [];
  return [...seed.text.matchAll(new RegExp(pattern, 'gu'))].map(({ 0: found, index }) =>
    seed.quote(index, index + found.length),
  );
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function read<T>(value: T): Typed<T> {
  return { t: 'read', value };
}

function refused(why: string): { readonly t: 'refused'; readonly why: string } {
  return { t: 'refused', why };
}
