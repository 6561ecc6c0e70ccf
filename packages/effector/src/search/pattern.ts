/**
 * Patterns of names and paths: `*` any characters, `?` one, `[a-z]` and `[!a-z]` one of a set, and in paths
 * `**` any folders. As in a shell, a name that begins with a dot is only matched by a pattern that begins
 * with one. Matching takes time proportional to pattern times name, whatever the pattern.
 */
import { err, ok, type Result } from '@assay/kernel';
import { denied, type Refusal } from '../refusal.js';

type Token =
  | { readonly kind: 'is'; readonly character: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'any' }
  | {
      readonly kind: 'set';
      readonly negated: boolean;
      readonly ranges: readonly (readonly [number, number])[];
    };

/** A pattern of one name. */
export type NamePattern = { readonly tokens: readonly Token[]; readonly showsHidden: boolean };

/** A pattern of a path: one of each name, null for `**`. */
export type PathPattern = readonly (NamePattern | null)[];

/** Longest pattern in code units, which keeps the work of a match small. */
const PATTERN_UNITS = 1_024;

/**
 * Reads the pattern of one name. Code `bad_pattern`: an open set, an empty or backward range, a brace, a
 * backslash, a slash.
 */
export function parseNamePattern(text: string): Result<Refusal, NamePattern> {
  if (text === '' || text.length > PATTERN_UNITS || !text.isWellFormed())
    return err(denied('bad_pattern', `a pattern has 1 to ${PATTERN_UNITS} characters`));
  const characters = Array.from(text);
  const tokens: Token[] = [];
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? '';
    if ('{}\\/\0'.includes(character))
      return err(
        denied(
          'bad_pattern',
          'braces, backslashes and NUL have no meaning in a pattern; a name has no slash',
        ),
      );
    if (character === '*') {
      if (tokens.at(-1)?.kind !== 'any') tokens.push({ kind: 'any' });
    } else if (character === '?') tokens.push({ kind: 'one' });
    else if (character === '[') {
      const set = readSet(characters, index);
      if (set === null) return err(denied('bad_pattern', 'a set [ ] is open, empty or backward'));
      tokens.push(set.token);
      index = set.end;
    } else tokens.push({ kind: 'is', character });
  }
  return ok({ tokens, showsHidden: text.startsWith('.') });
}

/**
 * Reads the pattern of a path below the workspace. Codes: `bad_pattern`, `absolute_path`, `parent_segment`.
 */
export function parsePathPattern(text: string): Result<Refusal, PathPattern> {
  if (text.startsWith('/') || text === '~' || text.startsWith('~/'))
    return err(denied('absolute_path', 'patterns are relative to the workspace'));
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) return err(denied('parent_segment', 'a pattern goes down only'));
  if (names.length === 0 || text.length > PATTERN_UNITS)
    return err(denied('bad_pattern', `a pattern has 1 to ${PATTERN_UNITS} characters`));
  const pattern: (NamePattern | null)[] = [];
  for (const name of names) {
    if (name === '**') {
      if (pattern.at(-1) !== null || pattern.length === 0) pattern.push(null);
      continue;
    }
    const parsed = parseNamePattern(name);
    if (parsed._tag === 'Left') return parsed;
    pattern.push(parsed.right);
  }
  return ok(pattern);
}

/**
 * True when the whole name fits; hidden names are asked by {@link NamePattern} `showsHidden` of whoever
 * cares.
 */
export function matchesName(pattern: NamePattern, name: string): boolean {
  const characters = Array.from(name);
  const { tokens } = pattern;
  let [token, at, star, back] = [0, 0, -1, 0];
  while (at < characters.length) {
    const now = tokens[token];
    if (now?.kind === 'any') {
      star = token;
      back = at;
      token += 1;
    } else if (now !== undefined && fits(now, characters[at] ?? '')) {
      token += 1;
      at += 1;
    } else if (star >= 0) {
      // The last star takes one character more; earlier stars need not be tried again.
      back += 1;
      at = back;
      token = star + 1;
    } else return false;
  }
  while (tokens[token]?.kind === 'any') token += 1;
  return token === tokens.length;
}

/** Where a path pattern may stand after some names: indexes into it. */
export type Progress = ReadonlySet<number>;

/** Before any name. */
export function beginPath(pattern: PathPattern): Progress {
  return closed(pattern, [0]);
}

/** After one more name. Empty: no path that goes on from here fits. */
export function stepPath(pattern: PathPattern, progress: Progress, name: string): Progress {
  const next: number[] = [];
  for (const index of progress) {
    const part = pattern[index];
    if (part === undefined) continue;
    if (part === null) {
      if (!name.startsWith('.')) next.push(index);
    } else if ((part.showsHidden || !name.startsWith('.')) && matchesName(part, name)) next.push(index + 1);
  }
  return closed(pattern, next);
}

/** True when the names so far are a whole match. */
export function isMatch(pattern: PathPattern, progress: Progress): boolean {
  return progress.has(pattern.length);
}

function closed(pattern: PathPattern, indexes: readonly number[]): Progress {
  const all = new Set(indexes);
  // `**` also stands for no folder at all; a set visits what is added to it while it is walked.
  for (const index of all) if (pattern[index] === null) all.add(index + 1);
  return all;
}

function fits(token: Token, character: string): boolean {
  if (token.kind === 'is') return token.character === character;
  if (token.kind !== 'set') return token.kind === 'one';
  const code = character.codePointAt(0) ?? 0;
  return token.ranges.some(([from, to]) => code >= from && code <= to) !== token.negated;
}

function readSet(
  characters: readonly string[],
  open: number,
): { readonly token: Token; readonly end: number } | null {
  const negated = characters[open + 1] === '!' || characters[open + 1] === '^';
  const first = open + (negated ? 2 : 1);
  // A bracket that closes at once is meant as a member, as in a shell.
  const end = characters.indexOf(']', first + 1);
  if (end < 0) return null;
  const members = characters.slice(first, end);
  const ranges: (readonly [number, number])[] = [];
  for (let index = 0; index < members.length; index += 1) {
    const from = members[index]?.codePointAt(0) ?? 0;
    const isRange = members[index + 1] === '-' && index + 2 < members.length;
    const to = isRange ? (members[index + 2]?.codePointAt(0) ?? 0) : from;
    if (to < from) return null;
    ranges.push([from, to]);
    if (isRange) index += 2;
  }
  return { token: { kind: 'set', negated, ranges }, end };
}
