/**
 * Which field an attack changes: the first one in a payload that a reader would notice.
 *
 * @module
 */
import { isArray, isDigest, isObject, type Json } from '@assay/kernel';
import { withChanges, type Step } from './changes.js';

/** A change of one field: where (JSON pointer), from what, to what, and the value with it made. */
export type Edit = { readonly path: string; readonly from: Json; readonly to: Json; readonly value: Json };

/**
 * The first telling change inside a value, or null: an integer raised by one, else a flag turned, else a text
 * with a word added. Tags (`t`), ids and hashes are left alone, so that every rule of form still holds.
 */
export function tellingEdit(value: Json, path: string): Edit | null {
  for (const change of [raised, turned, reworded]) {
    const found = firstIn(value, change);
    if (found !== null)
      return {
        path: `${path}${found.at.map(pointerOf).join('')}`,
        from: found.from,
        to: found.to,
        value: withChanges(value, found),
      };
  }
  return null;
}

type Turn = (value: Json) => Json | null;
type Found = { readonly at: readonly Step[]; readonly from: Json; readonly to: Json };

const raised: Turn = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value + 1) ? value + 1 : null;
const turned: Turn = (value) => (typeof value === 'boolean' ? !value : null);
const reworded: Turn = (value) =>
  typeof value === 'string' && !isDigest(value) && !/^[0-9]+\.[0-9]+$/.test(value)
    ? `${value} (not so)`
    : null;
/** Keys whose values are form; `__proto__` is no place to assign to. */
const FORM: ReadonlySet<string> = new Set([
  't',
  'id',
  'kind',
  'key',
  'op',
  'code',
  'format',
  'version',
  'start',
  'end',
  'place',
  '__proto__',
]);

function firstIn(value: Json, change: Turn): Found | null {
  const to = change(value);
  if (to !== null) return { at: [], from: value, to };
  for (const [step, item] of itemsOf(value)) {
    const found = firstIn(item, change);
    if (found !== null) return { ...found, at: [step, ...found.at] };
  }
  return null;
}

function itemsOf(value: Json): readonly (readonly [Step, Json])[] {
  if (isArray(value)) return [...value.entries()];
  if (!isObject(value) || Object.hasOwn(value, '$sealed') || Object.hasOwn(value, '$blob')) return [];
  return Object.entries(value).filter(([key]) => !FORM.has(key));
}

function pointerOf(step: Step): string {
  return `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
