/**
 * Which calls a block, a memory or a caution means: one reading of an input for the plan validator, the machine and an executor. But for lines of a file it reads too much rather
 * than too little, unlike {@link isDeclared}. Source: 002 "Key Invariants"; 003 §R2 "MUST NOT Set"; law-G11; dec-G21.
 *
 * @module
 */
import { compareText, isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { objectIn, onePathOf, pathOfCut, PATHS, wordsOf } from './inputs.js';
import { collapsed, isLonePath } from './paths.js';
import type { Target } from './tools.js';

/** True where an action is one of those that are blocked: {@link blockOf}. */
export function isBlocked(target: Target, list: readonly Target[]): boolean {
  return blockOf(target, list) !== null;
}

/**
 * The first of a list that means an action: the same input, in whatever order and with whatever white space, or the file that it is about (`path`, `from`,
 * `to`, each of `paths`); and where the action names a file alone, an input of several members about this file. A look at lines of a file is another look at each other range. Paths are said in one way; a line is read into
 * words. `real` says how a path is really called, where somebody knows that. Linear in the length of the texts.
 */
export function blockOf({ tool, target }: Target, list: readonly Target[], real: (path: string) => string = itself): Target | null {
  const blocks = list.filter((block) => block.tool === tool);
  if (blocks.length === 0) return null;
  const used = read(target, real);
  return blocks.find((block) => block.target === target || meet(used, read(block.target, real))) ?? null;
}

/** True where two inputs of a tool say the same. */
export function isSameInput(one: Target, other: Target): boolean {
  return one.tool === other.tool && (one.target === other.target || read(one.target, itself).said === read(other.target, itself).said);
}

/** An input as it is compared. `isAlone`: one text and no more, a file or a line. `file`: the one that an object of several members is about; `about`: all of them. */
type Read = { readonly said: string; readonly isAlone: boolean; readonly file: string | null; readonly about: readonly string[] };
type Real = (path: string) => string;

function meet(used: Read, block: Read): boolean {
  return used.said === block.said || (block.isAlone && used.about.includes(block.said)) || (used.isAlone && block.file === used.said);
}

function read(target: string, real: Real): Read {
  const object = objectIn(target);
  if (object === null) {
    const path = pathOfCut(target);
    const file = path === null ? null : textRead(path, real);
    return file === null ? { said: textRead(target, real), isAlone: true, file, about: [] } : { said: target, isAlone: false, file, about: [file] };
  }
  const given = plainLook(object);
  const alone = aloneIn(given, real);
  if (alone !== null) return { said: alone, isAlone: true, file: null, about: [] };
  // Other lines are another look at a file: that very look is blocked, however it is written, and no other.
  if (isOfLines(given)) return { said: valueRead(given, null, real), isAlone: false, file: null, about: [] };
  const file = onePathOf(object);
  return { said: valueRead(object, null, real), isAlone: false, file: file === null ? null : textRead(file, real), about: pathsIn(object).map((path) => textRead(path, real)) };
}

/** True for a path and which of its lines, and nothing else: an act has more to say. */
function isOfLines(object: JsonObject): boolean {
  const keys = Object.keys(object);
  return keys.length > 1 && keys.includes('path') && keys.every((key) => key === 'path' || key === 'from_line' || key === 'to_line');
}

/** From the first line on is the whole file, as where nothing is said of lines. */
function plainLook(object: JsonObject): JsonObject {
  const { from_line, ...rest } = object;
  return isOfLines(object) && from_line === 1 ? rest : object;
}

/** What an object of one member says by itself: its text, or the line of its commands. */
function aloneIn(object: JsonObject, real: Real): string | null {
  const [only, ...more] = Object.entries(object);
  if (only === undefined || more.length > 0) return null;
  const [key, value] = only;
  if (typeof value === 'string') return textRead(value, real);
  return key === 'pipeline' && isArray(value) ? wordsRead(value.map((command) => (isArray(command) ? command.map(wordIn) : [])), real) : null;
}

function wordIn(word: Json): string {
  const pattern = isObject(word) ? word['glob'] : word;
  return typeof pattern === 'string' ? pattern : valueRead(word, null, itself);
}

function pathsIn({ path, from, to, paths }: JsonObject): readonly string[] {
  return [path, from, to, ...(isArray(paths ?? null) ? (paths as readonly Json[]) : [])].filter((one) => typeof one === 'string');
}

/** A file or a line. What a tool means by it is not known here: both are read as words, so that a name with spaces is the same in an object. */
function textRead(text: string, real: Real): string {
  const trimmed = text.trim();
  const found = real(trimmed);
  return wordsRead(wordsOf(found === trimmed ? trimmed : collapsed(found)), real);
}

function wordsRead(commands: readonly (readonly string[])[], real: Real): string {
  return commands.map((words) => words.flatMap((word) => (word === '--' ? [] : sized(collapsed(real(word))))).join(' ')).join(' | ');
}

/** A value with its keys in order and its paths said in one way; which members of a tool of somebody else hold paths is not known. */
function valueRead(value: Json, key: string | null, real: Real): string {
  if (typeof value === 'string') {
    if (key !== null && (PATHS.has(key) || key === 'paths' || key === 'command')) return textRead(value, real);
    return sized(isLonePath(value) ? collapsed(real(value)) : value);
  }
  if (isArray(value)) return `[${value.map((item) => valueRead(item, key, real)).join(',')}]`;
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).toSorted(([a], [b]) => compareText(a, b));
  return `{${members.map(([name, item]) => `${sized(name)}=${valueRead(item, name, real)}`).join(',')}}`;
}

/** A text with its length before it, so that no other texts joined read the same. */
function sized(text: string): string {
  return `${text.length}:${text}`;
}

function itself(path: string): string {
  return path;
}
