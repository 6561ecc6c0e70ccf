/**
 * Fields of an annotation, read strictly: what is missing or of another type stops the command and says
 * where.
 *
 * @module
 */
import { field, isArray, isObject, type Json } from '@assay/kernel';
import { misuse, type Stop } from '../problem.js';

/** A value of an annotation with its place: a file and a JSON pointer in it. */
export type Placed = { readonly file: string; readonly path: string; readonly value: Json };

/** What stops the command where an annotation is not as described. Says the place, never the content. */
export function broken({ file, path }: Placed, what: string): Stop {
  return misuse(
    'annotation',
    `this annotation is broken: ${what}`,
    `${file} ${path === '' ? '(root)' : path}`,
    'correct it as the README beside the annotated requests describes',
  );
}

/** A field of an object. A field that is not there is null. */
export function at(placed: Placed, key: string): Placed {
  if (!isObject(placed.value)) throw broken(placed, 'an object is expected');
  return { file: placed.file, path: `${placed.path}/${key}`, value: field(placed.value, key) ?? null };
}

/** The items of a list. */
export function items(placed: Placed): readonly Placed[] {
  if (!isArray(placed.value)) throw broken(placed, 'a list is expected');
  return placed.value.map((value, index) => ({ file: placed.file, path: `${placed.path}/${index}`, value }));
}

/** A text. */
export function text(placed: Placed): string {
  if (typeof placed.value !== 'string') throw broken(placed, 'a text is expected');
  return placed.value;
}

/** One of some texts. */
export function oneOf<T extends string>(placed: Placed, allowed: readonly T[]): T {
  const found = allowed.find((known) => known === placed.value);
  if (found === undefined) throw broken(placed, `one of ${allowed.join(' ')} is expected`);
  return found;
}

/** A whole number from 0. */
export function place(placed: Placed): number {
  if (typeof placed.value !== 'number' || !Number.isSafeInteger(placed.value) || placed.value < 0)
    throw broken(placed, 'a whole number from 0 is expected');
  return placed.value;
}

/** True or false. */
export function flag(placed: Placed): boolean {
  if (typeof placed.value !== 'boolean') throw broken(placed, 'true or false is expected');
  return placed.value;
}

/** What `read` makes of a value, or null where it is null. */
export function orNull<T>(placed: Placed, read: (placed: Placed) => T): T | null {
  return placed.value === null ? null : read(placed);
}
