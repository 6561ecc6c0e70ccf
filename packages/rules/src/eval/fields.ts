/**
 * Fields of an annotation, read strictly: what is missing or of another type is a defect of the file.
 *
 * @module
 */
import { field, isArray, isObject, type Json } from '@assay/kernel';

/** A value of an annotation with its place: a file and a JSON pointer in it. */
export type Placed = { readonly file: string; readonly path: string; readonly value: Json };

/** What is thrown where an annotation is not as described: a defect of the file. Says the place alone. */
export function broken({ file, path }: Placed, what: string): RangeError {
  return new RangeError(`broken annotation: ${what}, at ${file} ${path === '' ? '(root)' : path}`);
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
