/**
 * Inputs of tools as text: objects, the file that one is about, and the words of a line. Nothing of a file
 * system is known here. Source: dec-G21.
 *
 * @module
 */
import { field, isObject, measure, utf8Bytes, type Json, type JsonObject } from '@assay/kernel';

/** Members of an input that hold a path; `paths` holds several. */
export const PATHS: ReadonlySet<string> = new Set(['path', 'paths', 'from', 'to', 'under', 'except']);

/** Members that a tool takes as a text alone: a file, a pattern of names, a pattern of paths. */
export const TEXTS: ReadonlySet<string> = new Set(['path', 'name', 'pattern']);

/** The object that a text holds; null where it holds none, or more than a ledger takes. */
export function objectIn(text: string): JsonObject | null {
  if (!/^\s*\{/.test(text) || measure(utf8Bytes(text)) !== null) return null;
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The one file that an object is about; null for a move and a list, which are about several. */
export function onePathOf(object: JsonObject): string | null {
  const path = SEVERAL.some((key) => Object.hasOwn(object, key)) ? null : field(object, 'path');
  return typeof path === 'string' ? path : null;
}

const SEVERAL = ['from', 'to', 'paths'];

/**
 * The path of a long input as a tool records it, head and tail with a digest behind: of its members the last
 * is whole. Quotes within a text are escaped, so that none is taken for it. Null for any other text.
 */
export function pathOfCut(text: string): string | null {
  const end = text.length - CUT_END;
  if (!text.startsWith('{"content":') || !/^"\}\nsha256 [0-9a-f]{64}$/.test(text.slice(Math.max(0, end))))
    return null;
  const begin = text.lastIndexOf(LAST_PATH, end);
  return begin < 0 ? null : textIn(text.slice(begin + LAST_PATH.length - 1, end + 1));
}

const LAST_PATH = ',"path":"';
const CUT_END = '"}\nsha256 '.length + 64;

function textIn(quoted: string): string | null {
  try {
    const value = JSON.parse(quoted) as Json;
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

/**
 * The words of each command of a line, as a shell reads quotes and backslashes; any other sign is one like
 * every other. Total, and linear in the length of the line: a quote that is never closed stands for itself.
 */
export function wordsOf(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  const unclosed = new Set<string>();
  let word: string | null = null;
  for (let at = 0; at < line.length; ) {
    const sign = line.charAt(at);
    const isBetween = sign === '|' || /\s/.test(sign);
    if (isBetween && word !== null) commands.at(-1)?.push(word);
    if (isBetween) {
      if (sign === '|') commands.push([]);
      word = null;
      at += 1;
      continue;
    }
    const part = partAt(line, at, unclosed);
    word = (word ?? '') + part.text;
    at = part.end;
  }
  if (word !== null) commands.at(-1)?.push(word);
  return commands;
}

type Part = { readonly text: string; readonly end: number };

/**
 * A quoted part, an escaped character or a plain one. `unclosed`: quotes that were looked for up to the end
 * of the line, in vain.
 */
function partAt(line: string, at: number, unclosed: Set<string>): Part {
  const sign = line.charAt(at);
  if (sign === '\\' && at + 1 < line.length) return { text: line.charAt(at + 1), end: at + 2 };
  if ((sign !== "'" && sign !== '"') || unclosed.has(sign)) return { text: sign, end: at + 1 };
  const part = sign === "'" ? single(line, at) : double(line, at);
  if (part !== null) return part;
  unclosed.add(sign);
  return { text: sign, end: at + 1 };
}

function single(line: string, at: number): Part | null {
  const end = line.indexOf("'", at + 1);
  return end < 0 ? null : { text: line.slice(at + 1, end), end: end + 1 };
}

function double(line: string, open: number): Part | null {
  let text = '';
  for (let at = open + 1; at < line.length; at += 1) {
    const sign = line.charAt(at);
    if (sign === '"') return { text, end: at + 1 };
    const isEscape = sign === '\\' && at + 1 < line.length && '"\\$`'.includes(line.charAt(at + 1));
    if (isEscape) at += 1;
    text += isEscape ? line.charAt(at) : sign;
  }
  return null;
}
