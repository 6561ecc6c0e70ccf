/**
 * Limits of a text: amounts and moments with the words that compare them. A limit counts where the language's own
 * table and the machine's scanner say the same of it.
 */
import {
  isKnownUnit,
  isMoment,
  findMeasure,
  OPPOSITE,
  type Atom,
  type Moment,
  type Op,
  type Quantity,
  type Scan,
} from '@assay/kernel/intent';
import type { Rule } from './rules.js';
import { BEFORE_PLAIN, BOUNDS, PACED, TIMES, words, type Comparison } from './words.js';

/** A bound. `value` null: a date without a year. */
export type Bound = { readonly op: Op; readonly value: Atom['value'] | null; readonly unit: string | null };
/**
 * A limit with its comparison, tokens `[first, next)`. Letters: `1 @ 2 3 7 9` as their comparison, `4` a plain amount,
 * `5` one behind a preposition, `6` a range, `8` none, with the rule that it breaks.
 */
export type Limit = {
  readonly letter: string;
  readonly first: number;
  readonly next: number;
  readonly bounds: readonly Bound[];
  readonly rule: Rule | null;
};

const PHRASE_MAX = 4;
/** Behind an amount: it counts from something, or says how much more. */
const COUNTING = words(
  'before after ago prior from earlier later ahead apart faster slower longer shorter more less',
);
const APART = words('above below over under off eur usd gbp chf');
const FURTHER = words('more less further extra other another');
const COMPARING = words('least most than not no never about around only');
const OF_MOMENTS = words([...TIMES.keys(), 'the'].join(' '));

/** Every limit of a scanned text by its first token. Linear. */
export function readLimits({ tokens, quantities, moments }: Scan): ReadonlyMap<number, Limit> {
  const word = (at: number): string => tokens[at]?.lower ?? '';
  const made = (letter: string, first: number, next: number, ...bounds: readonly Bound[]): Limit => {
    return { letter, first, next, bounds, rule: null };
  };
  const broken = (rule: Rule, first: number, next: number): Limit => {
    return { letter: '8', first, next, bounds: [], rule };
  };
  const range = (first: number, next: number, low: Bound, high: Bound): Limit =>
    made('6', first, next, { ...makeBound(low), op: '>=' }, { ...makeBound(high), op: '<=' });

  function compared(table: typeof TIMES, at: number): (Comparison & { readonly first: number }) | null {
    let [phrase, found] = ['', null as (Comparison & { readonly first: number }) | null];
    for (let first = at - 1; first >= Math.max(0, at - PHRASE_MAX); first -= 1) {
      phrase = phrase === '' ? word(first) : `${word(first)} ${phrase}`;
      const comparison = table.get(phrase);
      if (comparison !== undefined) found = { ...comparison, first };
    }
    return found;
  }

  function limitFrom(quantity: Quantity): Limit | null {
    const { at, first, next, op, unit, isNegated } = quantity;
    const none = (rule: Rule): Limit => broken(rule, Math.min(at, first), next);
    if (quantity.approx) return none('about');
    // `180 mg/dL`, `4 per person`: an amount that is not read whole is none.
    const isCut = tokens[next]?.glued === true && !'.,;:!?)"”'.includes(word(next));
    const isMore =
      (unit === null && /^(?:per|[a-z])$/.test(word(next))) || (unit?.includes('/') && word(next) === 'per');
    // `5 m EUR`, `at most 5 dB above the noise`, `1.200`: how much is open.
    const isApart = APART.has(word(next)) || /^[1-9][0-9]{0,2}\.[0-9]{3}$/.test(word(at));
    if (isCut || isMore || isApart) return none('bound');
    const own = compared(BOUNDS, at);
    if (own !== null) {
      const isStrict = own.letter === '2' || own.letter === '3';
      // The scanner is the second reader. A prohibition turns what it says, and it knows which units are of a speed.
      const said = isStrict && isNegated ? OPPOSITE[op] : op;
      const isSame = said === own.op || (isStrict && op === own.op) || PACED.has(word(own.first));
      const isOff = own.letter === '@' && word(next) === 'of' && findMeasure(unit).dimension !== 'time';
      if (!isSame || isOff || (!isStrict && COMPARING.has(word(own.first - 1)))) return none('bound');
      return made(own.letter, own.first, next, {
        ...makeBound(quantity),
        op: PACED.has(word(own.first)) ? said : own.op,
      });
    }
    const isArticle =
      ['a', 'an'].includes(word(at)) ||
      (word(at) === 'one' && !isKnownUnit((unit ?? '').replace(/\/.*/, '')));
    if (isArticle) return null;
    if (op !== '=' || first !== at) return none('bound');
    const isFurther = tokens.slice(at, next).some(({ lower }) => FURTHER.has(lower));
    const isCounted = COUNTING.has(word(next)) || (word(next) === 'in' && word(next + 1) === 'advance');
    if (isFurther || isCounted) return none('plain');
    if (!BEFORE_PLAIN.has(word(at - 1))) return made('4', at, next, quantity);
    // `one toilet for every 50 guests` is a share.
    const isTime = findMeasure(unit).dimension === 'time' || unit?.endsWith('_day') === true;
    const isShare = word(at - 1) === 'every' && (word(at - 2) === 'for' || !isTime);
    return isShare || COMPARING.has(word(at - 2))
      ? none('plain')
      : made('5', at - 1, next, makeBound(quantity));
  }

  function momentFrom(moment: Moment, following: Moment | undefined): Limit {
    const { next, op, value, unit } = moment;
    const start = readStart(moment);
    const joints = `${word(start - 1)} ${word(next)}`;
    const isRange = joints === 'between and' || joints === 'from to';
    if (isRange && following !== undefined && readStart(following) === next + 1)
      return range(start - 1, following.next, moment, following);
    const own = compared(TIMES, word(start - 1) === 'the' ? start - 1 : start);
    const isSame = own !== null && (op === own.op || op === '=') && !COMPARING.has(word(own.first - 1));
    return isSame && (value === null || isMoment(String(value), unit ?? ''))
      ? made('7', own.first, next, { op: own.op, value, unit })
      : broken('date', moment.first, next);
  }

  /** The first token of a moment itself, behind its comparison. */
  function readStart({ first, next }: Moment): number {
    let at = first;
    while (at < next - 1 && OF_MOMENTS.has(word(at))) at += 1;
    return at;
  }

  const found: Limit[] = [];
  for (const [index, quantity] of quantities.entries()) {
    const { first, next } = quantity;
    const [before, following] = [quantities[index - 1], quantities[index + 1]];
    if (before?.first === first && before.next === next) continue;
    const isSaid = ['between', 'from'].includes(word(first)) && !COMPARING.has(word(first - 1));
    // The scanner gives both ends of a range the same tokens.
    if (following?.first !== first || following.next !== next)
      found.push(...[limitFrom(quantity) ?? []].flat());
    else if (!isSaid || quantity.op !== '>=') found.push(broken('bound', first, next));
    else found.push(range(first, next, quantity, following));
  }
  for (let index = 0; index < moments.length; index += found.at(-1)?.letter === '6' ? 2 : 1) {
    const moment = moments[index];
    if (moment !== undefined) found.push(momentFrom(moment, moments[index + 1]));
  }
  return new Map(found.map((limit) => [limit.first, limit]));
}

function makeBound({ op, value, unit }: Bound): Bound {
  return { op, value, unit };
}
