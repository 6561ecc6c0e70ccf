/**
 * Conditions on the input of a call, in three values: what cannot be judged is `open`, and never loosens. Source:
 * gate/G4, gate/G5.
 *
 * @module
 */
import { field, isArray, isObject, type Json } from '@assay/kernel';

/** Whether a condition holds; `open`: it cannot be judged. */
export type Holds = 'yes' | 'no' | 'open';

/** A JSON scalar. */
export type Scalar = null | boolean | number | string;
/** One pattern, or several of which one must fit. */
export type Patterns = string | readonly string[];
/** What a value is held against. A scalar stands for `is`, a list for `in`; tests of one object must all hold. */
export type Condition = Scalar | readonly Scalar[] | Tests;
/** Tests by name. docs/formats/gate.md says what each of them takes. */
export type Tests = {
  readonly is?: Scalar;
  readonly in?: readonly Scalar[];
  readonly like?: Patterns;
  readonly glob?: Patterns;
  readonly host?: Patterns;
  readonly command?: Patterns;
  readonly min?: number;
  readonly max?: number;
  readonly max_length?: number;
  readonly absent?: true;
  readonly not?: Condition;
};

/** `every`: a rule that lets through needs all of them. `some`: a rule that stops or asks needs one. */
export type Quantifier = 'every' | 'some';

/** All of them, in three values. */
export function holdAll(values: readonly Holds[]): Holds {
  if (values.includes('no')) return 'no';
  return values.includes('open') ? 'open' : 'yes';
}

/** One of them, in three values. */
export function holdAny(values: readonly Holds[]): Holds {
  if (values.includes('yes')) return 'yes';
  return values.includes('open') ? 'open' : 'no';
}

/**
 * Whether a condition holds of the values at a JSON pointer, of which `*` ranges over a list. Source: gate/G4.
 *
 * An absent value fails every test but `absent` and `not`. Tokens and what lies below a scalar are open.
 */
export function testAt(input: Json, pointer: string, condition: Condition, quantifier: Quantifier): Holds {
  const holds = findValues(input, pointer).map((value) => testValue(condition, value, quantifier));
  return quantifier === 'every' ? holdAll(holds) : holdAny(holds);
}

/** The one integer of at least 0 at a pointer, or null. */
export function readAmountAt(input: Json, pointer: string): number | null {
  const [value] = findValues(input, pointer);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** The first text at a pointer, or null. */
export function findText(input: Json, pointer: string): string | null {
  return findValues(input, pointer).find((value) => typeof value === 'string') ?? null;
}

/** True where a text fits one of the patterns, in which `*` stands for any characters. */
export function isLike(patterns: Patterns, text: string): boolean {
  return listPatterns(patterns).some((pattern) => matchText(pattern, text));
}

/** Patterns as a list. */
export function listPatterns(patterns: Patterns): readonly string[] {
  return typeof patterns === 'string' ? [patterns] : patterns;
}

/** A place that cannot be looked at. */
const OPEN = Symbol('open');
type Found = Json | undefined | typeof OPEN;

function findValues(input: Json, pointer: string): readonly Found[] {
  let found: readonly Found[] = [input];
  for (const raw of pointer.split('/').slice(1)) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    found = found.flatMap((value) => step(value, key));
  }
  return found.length === 0 ? [undefined] : found.map((value) => (isToken(value) ? OPEN : value));
}

function step(value: Found, key: string): readonly Found[] {
  if (value === undefined || value === OPEN) return [value];
  if (isArray(value)) {
    if (key === '*') return value;
    return [/^(?:0|[1-9][0-9]{0,8})$/.test(key) ? value[Number(key)] : OPEN];
  }
  return [isObject(value) && key !== '*' && !isToken(value) ? field(value, key) : OPEN];
}

/** True for what stands for a value that is sealed, or kept elsewhere. */
export function isToken(value: Json | undefined | symbol): boolean {
  return (
    typeof value === 'object' &&
    isObject(value) &&
    (Object.hasOwn(value, '$sealed') || Object.hasOwn(value, '$blob'))
  );
}

/** Whether a condition holds of a value. */
export function testValue(condition: Condition, value: Found, quantifier: Quantifier): Holds {
  if (value === OPEN) return 'open';
  const given = condition as Json;
  const tests: Json = isObject(given) ? given : isArray(given) ? { in: given } : { is: given };
  return holdAll(
    Object.entries(tests).map(([name, wanted]) => testOne(name as keyof Tests, wanted, value, quantifier)),
  );
}

function testOne(name: keyof Tests, wanted: Json, value: Json | undefined, quantifier: Quantifier): Holds {
  if (name === 'absent') return value === undefined ? 'yes' : 'no';
  if (name === 'not') {
    const other = testValue(wanted as Condition, value, quantifier === 'every' ? 'some' : 'every');
    return other === 'open' ? 'open' : other === 'yes' ? 'no' : 'yes';
  }
  if (value === undefined) return 'no';
  const holds = (TESTS[name] as Test<unknown>)(value, wanted, quantifier);
  return typeof holds === 'boolean' ? (holds ? 'yes' : 'no') : holds;
}

/** Longest text that is judged, in UTF-16 units; a path, in units and segments. */
const TEXT_MAX = 16_384;
const PATH_MAX = 4_096;
const SEGMENTS_MAX = 64;

type Test<W> = (value: Json, wanted: W, quantifier: Quantifier) => boolean | Holds;
const TESTS: {
  readonly [name in Exclude<keyof Tests, 'absent' | 'not'>]-?: Test<Required<Tests>[name]>;
} = {
  is: (value, wanted) => (isScalar(value) ? value === wanted : 'open'),
  in: (value, wanted) => (isScalar(value) ? wanted.includes(value) : 'open'),
  like: (value, patterns) =>
    typeof value === 'string' && value.length <= TEXT_MAX ? isLike(patterns, value) : 'open',
  glob: (value, patterns) =>
    typeof value === 'string' && isPlainPath(value)
      ? listPatterns(patterns).some((pattern) => matchPath(pattern, value))
      : 'open',
  min: (value, least) => (typeof value === 'number' ? value >= least : 'open'),
  max: (value, most) => (typeof value === 'number' ? value <= most : 'open'),
  max_length: (value, most) => {
    if (typeof value === 'string') return [...value].length <= most;
    return isArray(value) ? value.length <= most : 'open';
  },
  host: (value, patterns) => {
    const host = typeof value === 'string' ? readHost(value) : null;
    return host === null ? 'open' : isLike(listPatterns(patterns).map(lowerAscii), host);
  },
  command: (value, patterns, quantifier) => {
    if (typeof value !== 'string' || value.length > TEXT_MAX) return 'open';
    const parts = splitCommand(value);
    const begins = (part: string): Holds =>
      holdAny(listPatterns(patterns).map((pattern) => beginsWith(part, pattern, quantifier)));
    if (quantifier === 'some') return holdAny(parts.map(begins));
    return !OPERATORS.test(value) && parts.length === 1 && begins(parts[0] ?? '') === 'yes';
  },
};

function isScalar(value: Json): value is Scalar {
  return typeof value !== 'object' || value === null;
}

/** Items against a pattern in which `star` stands for any number of them: at most items times pattern steps. */
function match<T>(
  pattern: ArrayLike<T>,
  items: ArrayLike<T>,
  star: T,
  isFit: (wanted: T, item: T) => boolean,
): boolean {
  let [at, item, starAt, from] = [0, 0, -1, 0];
  while (item < items.length) {
    if (at < pattern.length && pattern[at] === star) [starAt, from, at] = [at, item, at + 1];
    else if (at < pattern.length && isFit(pattern[at] as T, items[item] as T))
      [at, item] = [at + 1, item + 1];
    else if (starAt >= 0) [at, from, item] = [starAt + 1, from + 1, from + 1];
    else return false;
  }
  while (at < pattern.length && pattern[at] === star) at += 1;
  return at === pattern.length;
}

function matchText(pattern: string, text: string): boolean {
  return pattern.includes('*')
    ? match<string>(pattern, text, '*', (wanted, sign) => wanted === sign)
    : pattern === text;
}

/** `*` stands for any characters within a segment, `**` for any number of segments. */
function matchPath(pattern: string, path: string): boolean {
  return match(pattern.split('/'), path.split('/'), '**', matchText);
}

/** A path that means what it says. */
export function isPlainPath(path: string): boolean {
  const segments = path.split('/');
  return (
    path.length <= PATH_MAX &&
    segments.length <= SEGMENTS_MAX &&
    !/[\\%]/.test(path) &&
    [...path].every((sign) => sign >= ' ' && sign !== '\u007f') &&
    segments.every((segment, at) => (segment !== '' || at === 0) && segment !== '.' && segment !== '..')
  );
}

/** The host of a web address in lower case; null where it could mean another one. */
function readHost(url: string): string | null {
  const found =
    /^https?:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::[0-9]{1,5})?(?:[/?#][\x21-\x5b\x5d-\x7e]*)?$/i.exec(url);
  const host = lowerAscii(found?.[1] ?? '');
  // Resolvers read `127.1` and `0x7f.0.0.1` as the address 127.0.0.1.
  const isNumber = /(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)$/.test(host);
  const isAddress = /^(?:(?:0|[1-9][0-9]{0,2})\.){3}(?:0|[1-9][0-9]{0,2})$/.test(host);
  return found === null || host.length > 253 || (isNumber && !isAddress) ? null : host;
}

function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()); // ascii
}

/** What joins, groups and nests shell commands. */
export const OPERATORS = /[;&|\n\r`(){}<>]/;
/** What ends a command. A brace that no blank follows is expanded within a word. */
const BREAKS = /[;&|\n\r`()]|\{(?=\s|$)|(?<=[\s;]|^)\}/;
/** Where input comes from or output goes to: before a command, within it or after it. */
const REDIRECTIONS =
  /(?:(?<![^ \t;&|(`])\d+)?(?:&>>?|<<[<-]?|<>|>[>|]|[<>]&?)[ \t]*[^"'\\$*?[\]~!#=;&|\s`(){}<>]*/g;
/** A word that the shell takes as it is written. */
const PLAIN_WORD = /^[^"'\\$*?[\]~!#={]*$/;
/** Words behind which another command may stand. */
const WRAPPERS: readonly string[] = (
  'sh bash zsh dash ksh csh fish env eval exec command builtin xargs sudo doas su nohup nice ionice time timeout ' +
  'setsid stdbuf chroot busybox coproc trap if then else elif do while until !'
).split(' ');

function splitCommand(text: string): readonly string[] {
  return text
    .replaceAll(REDIRECTIONS, ' ')
    .split(BREAKS)
    .map((part) => part.replaceAll(/[ \t]+/g, ' ').replaceAll(/^ | $/g, ''))
    .filter((part) => part !== '');
}

/** Whether a command begins with these words; open where its first words say something else than they are. */
function beginsWith(part: string, pattern: string, quantifier: Quantifier): Holds {
  const [words, wanted] = [part.split(' '), pattern.split(' ')];
  const [first = ''] = words;
  const name = first.split('/').at(-1) ?? '';
  if (!PLAIN_WORD.test(first) || WRAPPERS.includes(name))
    return part === pattern || part.startsWith(`${pattern} `) ? 'yes' : 'open';
  return holdAll(
    wanted.map((word, at): Holds => {
      const own = words[at];
      // A program that is called by its path is stopped as by its name.
      if (own === word || (at === 0 && quantifier === 'some' && name === word)) return 'yes';
      return own === undefined || PLAIN_WORD.test(own) ? 'no' : 'open';
    }),
  );
}
