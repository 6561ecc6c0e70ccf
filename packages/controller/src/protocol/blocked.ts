/**
 * Which calls a block, a memory or a caution means: one reading of an input for the plan validator, the
 * machine and an executor. But for lines of a file it reads too much rather than too little, unlike
 * {@link isDeclared}. Source: 002 "Key Invariants"; 003 §R2 "MUST NOT Set"; law-G11; dec-G21.
 *
 * @module
 */
import { compareText, isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { objectIn, onePathOf, pathOfCut, PATHS, TEXTS, wordsOf } from './inputs.js';
import { collapsed, isLonePath } from './paths.js';
import type { Target } from './tools.js';

/** True where an action is one of those that are blocked: {@link blockOf}. */
export function isBlocked(target: Target, list: readonly Target[]): boolean {
  return blockOf(target, list) !== null;
}

/**
 * The first of a list that means an action: the same input, in any order and with any white space, or the
 * file that it is about (`path`, `from`, `to`, each of `paths`). If the action names a file alone, also an
 * input of several members about this file. Each range of lines of a file is another look. Paths are said in
 * one way; a line is read into words, and a text alone can be either. An object of one member is that text if
 * a tool takes it so (`path`, `name`, `pattern`, `command`, `pipeline`). `real`: how a path is really called,
 * if known. Linear in the length of the texts.
 */
export function blockOf(
  { tool, target }: Target,
  list: readonly Target[],
  real: (path: string) => string = itself,
): Target | null {
  const blocks = list.filter((block) => block.tool === tool);
  if (blocks.length === 0) return null;
  const used = read(target, real);
  return blocks.find((block) => block.target === target || meet(used, read(block.target, real))) ?? null;
}

/** True where two inputs of a tool say the same. */
export function isSameInput(one: Target, other: Target): boolean {
  return (
    one.tool === other.tool &&
    (one.target === other.target || isSame(read(one.target, itself), read(other.target, itself)))
  );
}

/**
 * An input as it is compared. `said`: all of it. `alone`: what it can be where it is one text and no more,
 * each with its kind before it. `file`: the one that an object of several members is about; `about`: all of
 * them.
 */
type Read = {
  readonly said: string;
  readonly alone: readonly string[];
  readonly file: string | null;
  readonly about: readonly string[];
};
type Real = (path: string) => string;

function isSame(one: Read, other: Read): boolean {
  return one.said === other.said || areMet(one.alone, other.alone);
}

function meet(used: Read, block: Read): boolean {
  return (
    isSame(used, block) ||
    areMet(block.alone, used.about) ||
    (block.file !== null && used.alone.includes(block.file))
  );
}

function areMet(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.includes(one));
}

function read(target: string, real: Real): Read {
  const object = objectIn(target);
  if (object === null) {
    const cut = pathOfCut(target);
    const file = cut === null ? null : kept('path', cut, real);
    return file === null
      ? { said: `text ${sized(target)}`, alone: textAlone(target, real), file, about: [] }
      : { said: `cut ${target}`, alone: [], file, about: [file] };
  }
  const given = plainLook(object);
  const said = valueRead(given, null, real);
  const alone = memberAlone(given, real);
  // Other lines are another look at a file: that very look is blocked, however it is written, and no other.
  if (alone.length > 0 || isOfLines(given)) return { said, alone, file: null, about: [] };
  const file = onePathOf(object);
  return {
    said,
    alone,
    file: file === null ? null : kept('path', file, real),
    about: pathsIn(object).map((path) => kept('path', path, real)),
  };
}

/**
 * What a text can be: a line, or what a tool takes where it is given one text. What a tool means by it is not
 * known here, and a quoted name is that name too.
 */
function textAlone(text: string, real: Real): readonly string[] {
  const commands = wordsOf(text);
  const [words = []] = commands;
  const [quoted = null] = commands.length === 1 && words.length === 1 ? words : [];
  const texts = quoted === null || quoted === text ? [text] : [text, quoted];
  return [
    `line ${wordsRead(commands, real)}`,
    ...texts.flatMap((one) => [...TEXTS].map((key) => kept(key, one, real))),
  ];
}

/**
 * What an object of one member is by itself, if that member may be given as a text alone: any other one keeps
 * its key, so that a filter is not another one, or a file.
 */
function memberAlone(object: JsonObject, real: Real): readonly string[] {
  const [only, ...more] = Object.entries(object);
  if (only === undefined || more.length > 0) return [];
  const [key, value] = only;
  if (typeof value === 'string')
    return TEXTS.has(key)
      ? [kept(key, value, real)]
      : key === 'command'
        ? [`line ${wordsRead(wordsOf(value), real)}`]
        : [];
  return key === 'pipeline' && isArray(value)
    ? [
        `line ${wordsRead(
          value.map((command) => (isArray(command) ? command.map(wordIn) : [])),
          real,
        )}`,
      ]
    : [];
}

/** Only a file can be called otherwise: a pattern stands for names as they are. */
function kept(key: string, text: string, real: Real): string {
  return `${key} ${pathRead(text, key === 'path' ? real : itself)}`;
}

/** True for a path and which of its lines, and nothing else: an act has more to say. */
function isOfLines(object: JsonObject): boolean {
  const keys = Object.keys(object);
  return (
    keys.length > 1 &&
    keys.includes('path') &&
    keys.every((key) => key === 'path' || key === 'from_line' || key === 'to_line')
  );
}

/** From the first line on is the whole file, as where nothing is said of lines. */
function plainLook(object: JsonObject): JsonObject {
  const { from_line, ...rest } = object;
  return isOfLines(object) && from_line === 1 ? rest : object;
}

function wordIn(word: Json): string {
  const pattern = isObject(word) ? word['glob'] : word;
  return typeof pattern === 'string' ? pattern : valueRead(word, null, itself);
}

function pathsIn({ path, from, to, paths }: JsonObject): readonly string[] {
  return [path, from, to, ...(isArray(paths ?? null) ? (paths as readonly Json[]) : [])].filter(
    (one) => typeof one === 'string',
  );
}

/**
 * A path is no line: white space, quotes and signs within it are parts of names. Around it white space is
 * dropped, as some tools do.
 */
function pathRead(text: string, real: Real): string {
  return sized(collapsed(real(text.trim())));
}

function wordsRead(commands: readonly (readonly string[])[], real: Real): string {
  return commands.map((words) => operandsMarked(words, real).map(sized).join(' ')).join(' | ');
}

/**
 * The words of a command with their paths said in one way. The first `--` ends the options and says no more:
 * an operand that begins like an option has `./` before it, behind `--` and without, so `cat -- -f` is
 * `cat ./-f` and `grep -- -x f` is not `grep -x f`. A command for which `--` is a word like others (`echo`)
 * is read as if it were not.
 */
function operandsMarked(words: readonly string[], real: Real): readonly string[] {
  const end = words.indexOf('--');
  return words.flatMap((word, index) => {
    if (index === end) return [];
    const path = collapsed(real(word));
    const isOption = word === '-' || (word.startsWith('-') && (end < 0 || index < end));
    return [path.startsWith('-') && !isOption ? `./${path}` : path];
  });
}

/**
 * A value with its keys in order and its paths said in one way; which members of a tool of somebody else hold
 * paths is not known.
 */
function valueRead(value: Json, key: string | null, real: Real): string {
  if (typeof value === 'string') {
    if (key !== null && PATHS.has(key)) return pathRead(value, real);
    if (key === 'command') return `[${wordsRead(wordsOf(value), real)}]`;
    if (!isLonePath(value) || CONTENTS.has(key ?? '')) return sized(value);
    return sized(collapsed(PATTERNS.has(key ?? '') ? value : real(value)));
  }
  if (isArray(value)) return `[${value.map((item) => valueRead(item, key, real)).join(',')}]`;
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).toSorted(([a], [b]) => compareText(a, b));
  return `{${members.map(([name, item]) => `${sized(name)}=${valueRead(item, name, real)}`).join(',')}}`;
}

/** Members whose text says which names are meant: no file, also where one has that name. */
const PATTERNS: ReadonlySet<string> = new Set(['name', 'pattern', 'ext']);
/** Members whose text is no path, whatever it looks like. */
const CONTENTS: ReadonlySet<string> = new Set(['content', 'contains']);

/** A text with its length before it, so that no other texts joined read the same. */
function sized(text: string): string {
  return `${text.length}:${text}`;
}

function itself(path: string): string {
  return path;
}
