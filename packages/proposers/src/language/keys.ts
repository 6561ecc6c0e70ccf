/** Keys of atoms, of the sentence's own words: the thing, then what is done. Source: language L4. */
import { isKey, findMeasure, findSingular, type PinAtom } from '@assay/kernel/intent';
import type { Limit } from './amounts.js';
import type { Clause } from './clauses.js';
import { listLexemes, wordAt, type Span, type Text } from './sentences.js';
import { DAYS, LIGHT, RETENTION } from './words.js';

const THING_WORDS = 3;
const ACTION_WORDS = 4;
const WORD_UNITS = 24;
/** Classes whose words name something. */
const NAMING = /[ngivlcxyaLqeh#]/;
const DENYING = /[ZNOQwEG]/;

/**
 * `server.answer`, `receipt.send_buyer`, `log.retention`, `coffee_bean.per_month`, `signature.required`. A pinned key
 * whose words all stand in the clause is taken. What stands behind a limit or a denial names nothing.
 */
export function makeKey(text: Text, clause: Clause, limit: Limit | null, pin: readonly PinAtom[]): string {
  const { action, quote, verdict, pattern, actor } = clause;
  const own = new Set(wordsIn(text, quote).map(findSingular));
  const isPinned = ({ atom }: PinAtom): boolean =>
    (typeof atom.value === 'object') === (limit !== null) &&
    atom.key.split(/[._]/).every((word) => own.has(findSingular(word)));
  const pinned = pin.find(isPinned);
  if (pinned !== undefined) return pinned.atom.key;
  const thing = actor === null ? named(text, clause.thing) : [];
  if (verdict !== null) return made(thing.length > 0 ? thing : ['count'], [verdict]);
  const isBehind = limit !== null && limit.first >= action.first;
  const end = isBehind ? Math.min(limit.first, action.next) : action.next;
  const verb = wordAt(text, action.first) === 'be' ? action.first + 1 : action.first;
  const isTime =
    typeof limit?.bounds[0]?.value === 'object' && findMeasure(limit.bounds[0].unit).dimension === 'time';
  const behind =
    isBehind && !isTime ? findWhat(text, limit, limit.first < action.next ? action.next : quote.next) : [];
  const kept = isTime && RETENTION.has(wordAt(text, verb)) ? ['retention'] : null;
  if (pattern === 'label') return made(thing, behind);
  if (thing.length > 0) {
    const done = names(text, { first: verb, next: end }).filter((word) => limit === null || !LIGHT.has(word));
    return made(thing, kept ?? [...done.slice(0, ACTION_WORDS), ...behind]);
  }
  // An order: its object is the thing.
  if (behind.length > 0) return made(behind.slice(0, 1), behind.slice(1));
  const lexemes = listLexemes(text, { first: verb + 1, next: Math.max(verb + 1, end) });
  const object = lexemes.find(({ letter }, at) => at > 0 && /[pfsT]/.test(letter))?.first ?? end;
  const rest = names(text, { first: object, next: end }).slice(0, ACTION_WORDS - 1);
  const done = [...names(text, { first: verb, next: verb + 1 }), ...rest];
  return made(named(text, { first: verb + 1, next: object }), kept ?? done);
}

/** The last words of a thing, or its pronoun. */
function named(text: Text, span: Span): readonly string[] {
  const found = names(text, span);
  return found.length > 0 || span.next - span.first !== 1 ? found.slice(-THING_WORDS) : wordsIn(text, span);
}

/** What a limit is of, and per what: `6 kg of coffee beans per month`. */
function findWhat(text: Text, { next }: Limit, end: number): readonly string[] {
  if (wordAt(text, next) !== 'of') return [];
  const after = wordsIn(text, { first: next + 1, next: end });
  const per = after.indexOf('per');
  const size = per < 0 ? Math.min(THING_WORDS, after.length) : per;
  const thing = names(text, { first: next + 1, next: next + 1 + size }).join('_');
  return thing === '' ? [] : [thing, ...(per < 0 ? [] : [`per_${after[per + 1] ?? ''}`])];
}

/** Words that name something, in the singular; none behind a word that denies. */
function names(text: Text, span: Span): readonly string[] {
  const lexemes = listLexemes(text, span);
  const stop = lexemes.findIndex(({ letter }) => DENYING.test(letter));
  return lexemes
    .slice(0, stop < 0 ? lexemes.length : stop)
    .flatMap((one) => (NAMING.test(one.letter) ? wordsIn(text, one) : []))
    .filter((word) => /^[a-z0-9_]+$/.test(word) && !DAYS.has(word))
    .map((word) => findSingular(word).slice(0, WORD_UNITS));
}

function wordsIn(text: Text, { first, next }: Span): readonly string[] {
  return text.scan.tokens.slice(first, next).map(({ lower }) => lower);
}

function made(thing: readonly string[], measure: readonly string[]): string {
  const parts = [thing.join('_'), measure.join('_')].filter((part) => part !== '');
  return [parts.join('.'), parts[0] ?? ''].find(isKey) ?? 'it';
}
