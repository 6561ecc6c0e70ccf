/**
 * Keys of an ordered store, in the form of 003: `m|id`, `x|space|entity|id`, `l|level|id`, `r|id`. Parts are
 * written with `%` as `%25` and `|` as `%7C`, so that any text is one part and a prefix ends at a part's end.
 * Source: 003 §R5 "Storage"; dec-M16, law-M11.
 *
 * @module
 */
import { err, ok, type Result } from '@assay/kernel';
import type { TagName } from './tag.js';

/** A key read back. */
export type MemoryKey =
  | { readonly t: 'megram'; readonly id: string }
  | { readonly t: 'tag'; readonly space: string; readonly entity: string; readonly id: string }
  | { readonly t: 'level'; readonly level: string; readonly id: string }
  | { readonly t: 'recall'; readonly id: string };

/** A text that is no key: `bad_key`. */
export type BadKey = { readonly code: 'bad_key' };

/** Writes a key. */
export function encodeKey(key: MemoryKey): string {
  switch (key.t) {
    case 'megram':
      return joined('m', [key.id]);
    case 'tag':
      return joined('x', [key.space, key.entity, key.id]);
    case 'level':
      return joined('l', [key.level, key.id]);
    case 'recall':
      return joined('r', [key.id]);
  }
}

/** Reads a key; the one text that {@link encodeKey} writes for it, and no other. Error `bad_key`. */
export function decodeKey(text: string): Result<BadKey, MemoryKey> {
  const [letter, ...written] = text.split('|');
  const parts = written.map(readPart);
  const [a, b, c] = parts;
  if (parts.includes(null) || a === undefined || a === null) return BAD;
  if (letter === 'm' && parts.length === 1) return ok({ t: 'megram', id: a });
  if (letter === 'r' && parts.length === 1) return ok({ t: 'recall', id: a });
  if (b === undefined || b === null) return BAD;
  if (letter === 'l' && parts.length === 2) return ok({ t: 'level', level: a, id: b });
  return letter === 'x' && parts.length === 3 && c !== undefined && c !== null
    ? ok({ t: 'tag', space: a, entity: b, id: c })
    : BAD;
}

/** What the keys of all Megrams of a tag start with, and no other key. */
export function tagPrefix({ space, entity }: TagName): string {
  return `${joined('x', [space, entity])}|`;
}

/** What the keys of all tags of a space start with, and no other key. */
export function spacePrefix(space: string): string {
  return `${joined('x', [space])}|`;
}

function joined(letter: string, parts: readonly string[]): string {
  return [letter, ...parts.map((part) => part.replaceAll('%', '%25').replaceAll('|', '%7C'))].join('|');
}

/** The text of a part, or null where a `%` begins neither of the two escapes. */
function readPart(written: string): string | null {
  const pieces = written.split('%');
  let text = pieces[0] ?? '';
  for (const piece of pieces.slice(1)) {
    if (piece.startsWith('25')) text += `%${piece.slice(2)}`;
    else if (piece.startsWith('7C')) text += `|${piece.slice(2)}`;
    else return null;
  }
  return text;
}

const BAD: Result<BadKey, never> = err({ code: 'bad_key' });
