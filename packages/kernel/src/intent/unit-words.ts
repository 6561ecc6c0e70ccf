/** Units as people write them, and the nouns that are counted. Source: intent I1, I4. */
import { isKnownUnit, MONEY } from './units.js';
import type { Token } from './tokens.js';

/** A unit read from tokens and the token after it. */
export type ReadUnit = { readonly unit: string; readonly next: number };

/** Spelled units in ASCII lower case, singular and plural, one row a unit. */
const SPELLED: readonly (readonly [unit: string, spellings: string])[] = [
  ['us', 'microsecond microseconds'],
  ['ms', 'millisecond milliseconds msec'],
  ['s', 'sec secs second seconds sekunde sekunden 秒'],
  ['min', 'mins minute minutes minuten 分'],
  ['h', 'hr hrs hour hours stunde stunden'],
  ['d', 'day days tag tage tagen 日'],
  ['week', 'weeks woche wochen'],
  ['month', 'months monat monate monaten'],
  ['quarter', 'quarters'],
  ['year', 'years yr yrs jahr jahre jahren 年'],
  ['B', 'byte bytes'],
  ['kB', 'kb kilobyte kilobytes'],
  ['MB', 'mb megabyte megabytes'],
  ['GB', 'gb gigabyte gigabytes'],
  ['TB', 'tb terabyte terabytes'],
  ['bit', 'bits'],
  ['kbit', 'kilobit kilobits'],
  ['Mbit', 'megabit megabits'],
  ['Gbit', 'gigabit gigabits'],
  ['MiB', 'mebibyte mebibytes'],
  ['GiB', 'gibibyte gibibytes'],
  ['um', 'µm μm micron microns micrometre micrometres'],
  ['mm', 'millimetre millimetres millimeter millimeters'],
  ['cm', 'centimetre centimetres centimeter centimeters'],
  ['m', 'metre metres meter meters'],
  ['km', 'kilometre kilometres kilometer kilometers'],
  ['inch', 'inches'],
  ['foot', 'feet ft'],
  ['mile', 'miles'],
  ['m2', 'm² sqm quadratmeter'],
  ['m3', 'm³'],
  ['ml', 'millilitre millilitres'],
  ['l', 'litre litres liter liters'],
  ['mg', 'milligram milligrams'],
  ['g', 'gram grams gramm'],
  ['kg', 'kilo kilos kilogram kilograms kilogramm'],
  ['t', 'tonne tonnes ton tons'],
  ['degC', '°c celsius'],
  ['degF', '°f fahrenheit'],
  ['K', 'kelvin'],
  ['W', 'watt watts'],
  ['kW', 'kilowatt kilowatts'],
  ['%', 'percent prozent'],
  ['dB', 'db dba decibel decibels dezibel'],
  ['Hz', 'hz hertz'],
  ['req/s', 'rps'],
  ['req', 'req reqs request requests'],
  ['EUR', 'euro euros'],
  ['USD', 'dollar dollars'],
  ['GBP', 'pound pounds'],
  ['JPY', 'yen 円'],
  ['CHF', 'franken francs'],
  ['V', 'volt volts'],
  ['A', 'amp amps ampere amperes'],
];

const BY_WORD: ReadonlyMap<string, string> = new Map(
  SPELLED.flatMap(([unit, spellings]) => spellings.split(' ').map((word) => [word, unit] as const)),
);
/**
 * Bits and bytes differ by one letter's case: `Gb` and `GB`. In small letters alone (`10 mb`) bytes are
 * meant.
 */
const BITS: ReadonlyMap<string, string> = new Map(
  [
    'Mbit Mb Mbit mbit',
    'Gbit Gb Gbit gbit',
    'Tbit Tb Tbit tbit',
    'kbit kbit Kbit',
    'kbit/s kbps Kbps',
    'Mbit/s Mbps mbps',
    'Gbit/s Gbps gbps',
  ].flatMap((line) => {
    const [unit = '', ...spellings] = line.split(' ');
    return spellings.map((spelling) => [spelling, unit] as const);
  }),
);
const BY_PAIR: ReadonlyMap<string, string> = new Map([
  ['working day', 'working_day'],
  ['working days', 'working_day'],
  ['business day', 'working_day'],
  ['business days', 'working_day'],
  ['school day', 'school_day'],
  ['school days', 'school_day'],
  ['calendar day', 'd'],
  ['calendar days', 'd'],
  ['calendar month', 'month'],
  ['calendar year', 'year'],
  ['square metre', 'm2'],
  ['square metres', 'm2'],
  ['degrees celsius', 'degC'],
  ['degrees c', 'degC'],
  ['per cent', '%'],
  ['square feet', 'ft2'],
  ['cubic metre', 'm3'],
  ['cubic metres', 'm3'],
  ['kilowatt hours', 'kWh'],
  ['kilowatt hour', 'kWh'],
  ['時 間', 'h'],
  ['日 間', 'd'],
  ['週 間', 'week'],
  ['か 月', 'month'],
  ['ヶ 月', 'month'],
]);
/** Counters of Japanese: `10冊` counts books. */
const COUNTERS: ReadonlySet<string> = new Set('冊人件回台名個枚本'.split(''));
const CURRENCY: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['$', 'USD'],
  ['£', 'GBP'],
  ['¥', 'JPY'],
]);
/** Singular words that are a unit only after a number. */
const SHORT: ReadonlySet<string> = new Set(
  (
    'us ms s min h d B um mm cm m km mg g kg l ml t W kW Wh kWh K Hz kHz MHz GHz dB lux dpi ' +
    'V bit week month quarter year inch foot mile ha A mA mAh bar rpm N Nm kN Pa hPa kPa px ' +
    'fps ppm mph lm MP pt'
  ).split(' '),
);
/** Not nouns, so never what is counted. */
const NO_NOUN: ReadonlySet<string> = new Set(
  (
    'a an the and or nor but of in on at to for from by with without within per as is are ' +
    'was were be been has have had do does did not no than then that this these those which ' +
    'who whom whose it its they them their we us our you your he she his her if when while ' +
    'until unless except after before under over above below up out off so also only again ' +
    'more less most least least such same other others each every all any some both either ' +
    'neither would should could must shall will may can might cannot because since during ' +
    'between among against through across instead minus plus always perhaps open free wide ' +
    'long high deep late early old ago away apart extra ahead ready apiece altogether ' +
    'overall today tomorrow tonight yesterday soon later please instead afterwards first ' +
    'second yes looks seems stays lasts takes gets goes comes needs costs pays works runs ' +
    'shows means says makes keeps gives leaves counts helps thus travels enters rides joins'
  ).split(' '),
);
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['people', 'person'],
  ['children', 'child'],
  ['men', 'man'],
  ['women', 'woman'],
  ['feet', 'foot'],
  ['teeth', 'tooth'],
  ['mice', 'mouse'],
  ['staff', 'staff'],
  ['rps', 'req/s'],
]);
const EACH: ReadonlySet<string> = new Set(['each', 'every']);
const PER_FILLERS: ReadonlySet<string> = new Set('extra additional calendar single full started'.split(' '));

/**
 * Reads the unit that starts at a token: sign, table word, ISO code; a rate with what follows. Null if
 * there is none.
 */
export function readUnit(text: string, tokens: readonly Token[], at: number): ReadUnit | null {
  const base = readBase(text, tokens, at);
  return base === null ? null : readRate(text, tokens, base);
}

/** The currency of a sign or ISO code standing before a number, or null. */
export function findCurrency(text: string, token: Token | undefined): string | null {
  if (token === undefined) return null;
  const sign = CURRENCY.get(token.lower);
  if (sign !== undefined) return sign;
  const code = text.slice(token.start, token.end);
  return MONEY.includes(code) ? code : null;
}

/**
 * Reads the noun that a number counts: the next word, or the one after one or two adjectives. Singular, ASCII
 * lower case.
 */
export function readNoun(
  text: string,
  tokens: readonly Token[],
  at: number,
  isOne: boolean,
): ReadUnit | null {
  const isFurther = FURTHER.has(tokens[at]?.lower ?? '');
  const from =
    tokens[at]?.lower === 'of' && isDefinite(tokens[at + 1]?.lower) ? at + 2 : isFurther ? at + 1 : at;
  let last = -1;
  for (let index = from; index < from + 3; index += 1) {
    const token = tokens[index];
    if (
      token === undefined ||
      token.kind !== 'word' ||
      token.glued ||
      !isNounLike(token.lower) ||
      token.lines > 1 ||
      isTimes(tokens, index)
    )
      break;
    const singular = findSingular(token.lower);
    const isPlural = singular !== token.lower || IRREGULAR.has(token.lower);
    // Of one thing there is no plural: an `s` is the verb's (`one node fails`).
    if (isPlural && isOne && (from === at || isFurther)) break;
    if (isPlural) return readRate(text, tokens, { unit: singular, next: index + 1 });
    last = index;
  }
  const isSingular = isOne && (from === at || isFurther) && last >= at && !isPronoun(tokens, at - 1);
  return isSingular ? readRate(text, tokens, { unit: tokens[last]?.lower ?? '', next: last + 1 }) : null;
}

/** `nine of the schools`: what is counted stands behind. */
function isDefinite(word: string | undefined): boolean {
  return (
    word === 'the' ||
    word === 'our' ||
    word === 'these' ||
    word === 'those' ||
    word === 'its' ||
    word === 'their'
  );
}

/** Of `the other one`, `no plastic one`: it stands for a noun and counts nothing. */
function isPronoun(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.lower === 'one' && ONES_BEFORE.has(tokens[at - 1]?.lower ?? '');
}

const ONES_BEFORE: ReadonlySet<string> = new Set(
  'the this that other another each every any no which new old same right wrong last first next'.split(' '),
);
const FURTHER: ReadonlySet<string> = new Set('more further extra other'.split(' '));

/** `three times as large`: a factor, nothing counted. */
function isTimes(tokens: readonly Token[], at: number): boolean {
  const after = tokens[at + 1]?.lower ?? '';
  return (
    tokens[at]?.lower === 'times' &&
    (after === 'as' || after === 'the' || after === 'more' || after.endsWith('er'))
  );
}

/** Nouns that a hyphen joins to their number: `a 40-person office`. */
const HYPHENED: ReadonlySet<string> = new Set(
  'person page seat people player user member bed guest place'.split(' '),
);

/** The singular of an English noun by its ending; the word itself where it has none. */
export function findSingular(noun: string): string {
  const irregular = IRREGULAR.get(noun);
  if (irregular !== undefined) return irregular;
  if (
    noun.length < 4 ||
    !noun.endsWith('s') ||
    noun.endsWith('ss') ||
    noun.endsWith('us') ||
    noun.endsWith('is')
  )
    return noun;
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  if (['sses', 'ches', 'shes', 'xes'].some((ending) => noun.endsWith(ending))) return noun.slice(0, -2);
  return noun.slice(0, -1);
}

function readBase(text: string, tokens: readonly Token[], at: number): ReadUnit | null {
  const token = tokens[at];
  if (token === undefined) return null;
  if (token.lower === '%') return { unit: '%', next: at + 1 };
  const money = findCurrency(text, token);
  if (money !== null) return { unit: money, next: at + 1 };
  // `a 48-hour window`: the hyphen joins number and unit.
  if (token.lower === '-' && token.glued && tokens[at + 1]?.glued === true)
    return tokens[at + 1]?.kind === 'word' ? readHyphened(text, tokens, at + 1) : null;
  if (token.kind !== 'word') return null;
  // `10x the traffic`; `38 x 19 mm` is a pair.
  if (token.lower === 'x')
    return token.glued && tokens[at + 1]?.kind !== 'number' ? { unit: 'x', next: at + 1 } : null;
  if (COUNTERS.has(token.lower)) return { unit: token.lower, next: at + 1 };
  const pair = BY_PAIR.get(`${token.lower} ${tokens[at + 1]?.lower ?? ''}`);
  if (pair !== undefined) return { unit: pair, next: at + 2 };
  const exact = text.slice(token.start, token.end);
  const bits = BITS.get(exact);
  if (bits !== undefined) return { unit: bits, next: at + 1 };
  if (SHORT.has(exact) || (isKnownUnit(exact) && exact.length >= 2)) return { unit: exact, next: at + 1 };
  const spelled = BY_WORD.get(token.lower);
  return spelled === undefined ? null : { unit: spelled, next: at + 1 };
}

function readHyphened(text: string, tokens: readonly Token[], at: number): ReadUnit | null {
  const word = tokens[at]?.lower ?? '';
  return (
    readBase(text, tokens, at) ?? (HYPHENED.has(word) ? { unit: findSingular(word), next: at + 1 } : null)
  );
}

/**
 * Joins a unit with what it is per: `EUR/month`, `MB/file`, `req/s`; `a`, `each` and `every` join only before
 * a time.
 */
export function readRate(text: string, tokens: readonly Token[], base: ReadUnit): ReadUnit {
  const joint = tokens[base.next];
  if (joint === undefined || base.unit.includes('/')) return base;
  const isEach = joint.lower === 'for' && EACH.has(tokens[base.next + 1]?.lower ?? '');
  const isPer =
    joint.lower === 'per' ||
    (joint.lower === '/' && joint.glued) ||
    isEach ||
    (joint.lower === 'pro' && base.unit !== '%');
  if (
    !isPer &&
    joint.lower !== 'a' &&
    joint.lower !== 'an' &&
    joint.lower !== 'each' &&
    joint.lower !== 'every'
  )
    return base;
  let at = base.next + (isEach ? 2 : 1);
  if (isPer && PER_FILLERS.has(tokens[at]?.lower ?? '')) at += 1;
  const per = readBase(text, tokens, at);
  if (per !== null && (isPer || isPeriod(per.unit)))
    return { unit: `${base.unit}/${per.unit}`, next: per.next };
  const token = tokens[at];
  if (!isPer || token?.kind !== 'word' || !isNounLike(token.lower)) return base;
  return { unit: `${base.unit}/${findSingular(token.lower)}`, next: at + 1 };
}

/**
 * A bare number per period, `100/min`, `5 per day`: so many of what the clause names, unit `1/min`. Null
 * where no period follows.
 */
export function readPer(text: string, tokens: readonly Token[], at: number): ReadUnit | null {
  const joint = tokens[at];
  if (!(joint?.lower === '/' && joint.glued && tokens[at + 1]?.glued === true) && joint?.lower !== 'per')
    return null;
  const per = readBase(text, tokens, at + 1);
  return per !== null && isPeriod(per.unit) ? { unit: `1/${per.unit}`, next: per.next } : null;
}

function isPeriod(unit: string): boolean {
  return ['s', 'min', 'h', 'd', 'week', 'month', 'quarter', 'year', 'working_day', 'school_day'].includes(
    unit,
  );
}

/** True for a word that may name what is counted: three ASCII letters or more, and no function word. */
export function isNounLike(word: string): boolean {
  if (word.length < 3 || NO_NOUN.has(word)) return false;
  for (let index = 0; index < word.length; index += 1) {
    const code = word.charCodeAt(index);
    if (code < 0x61 || code > 0x7a) return false;
  }
  return true;
}
