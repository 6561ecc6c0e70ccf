/**
 * JSON files written by people: admitted whole, so that nothing the kernel refuses gets further.
 *
 * @module
 */
import { OUTSIDE_LIMITS, admit, type Json, type Limits } from '@assay/kernel';
import { misuse } from '../problems/problem.js';
import { readText } from './read.js';

/**
 * Reads one JSON value. Raises: `json` where the text is no JSON or writes a key twice, `inadmissible` where the
 * value is outside the limits, and those of reading a file.
 */
export async function readJson(path: string, limits: Limits = OUTSIDE_LIMITS): Promise<Json> {
  return parseJson((await readText(path)).replace(/^\ufeff/, ''), path, limits);
}

/** The same of a text at hand. `path`: how messages name it. */
export function parseJson(text: string, path: string, limits: Limits = OUTSIDE_LIMITS): Json {
  const admitted = admit(parsePlain(text, path, limits.depth), limits);
  if (admitted._tag === 'Right') return admitted.right.value;
  const { code, path: at } = admitted.left;
  throw misuse(
    'inadmissible',
    `invalid value: ${code} at ${at === '' ? 'its root' : at}`,
    path,
    'see docs/formats/limits.md',
  );
}

/** A value that whoever takes it admits: JSON without a key twice. Raises `json`, and `inadmissible` for its depth. */
export function parsePlain(text: string, path: string, depthMax: number): unknown {
  requirePlain(path, text, depthMax);
  return parse(path, text);
}

/**
 * Read on the text, before any parser could exhaust its stack or drop the first of two equal keys in silence.
 */
function requirePlain(path: string, text: string, depthMax: number): void {
  const levels: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*"?)(\s*:)?|[[\]{}]/gs)) {
    if (token === '[' || token === '{') levels.push(new Set());
    else if (token === ']' || token === '}') levels.pop();
    if (levels.length > depthMax)
      throw misuse(
        'inadmissible',
        `this value has more than ${depthMax} levels`,
        path,
        'see docs/formats/limits.md',
      );
    if (string === undefined || colon === undefined) continue;
    const keys = levels.at(-1);
    const key = readKey(string);
    if (keys?.has(key) === true)
      throw misuse('json', `the key ${string} occurs twice in one object`, path, 'write each key once');
    keys?.add(key);
  }
}

/**
 * The key that a string token writes, escapes read: "a" and "\\u0061" are one. What is no JSON string is
 * refused by the parser later.
 */
function readKey(token: string): string {
  if (!token.includes('\\')) return token.slice(1, -1);
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (text.trim() === '')
      throw misuse('json', 'not JSON: the file is empty', path, 'check that the file is complete');
    if (isLines(text))
      throw misuse(
        'json',
        'not one JSON value, but one on each line',
        path,
        'this may be a ledger; name one of the .json files beside it',
      );
    throw misuse('json', `not JSON: ${error.message}`, path, 'check the file with a JSON editor');
  }
}

/** True where the first of several lines is JSON of its own. */
function isLines(text: string): boolean {
  const end = text.indexOf('\n');
  if (end <= 0 || text.slice(end).trim() === '') return false;
  try {
    return typeof JSON.parse(text.slice(0, end)) === 'object';
  } catch {
    return false;
  }
}
