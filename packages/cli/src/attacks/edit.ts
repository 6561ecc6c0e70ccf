/**
 * Which field an attack changes: the first one in a payload that a reader would notice.
 *
 * @module
 */
import { isArray, isDigest, isObject, type Json } from '@assay/kernel';

/** A change of one field: where (JSON pointer), from what, to what, and the value with it made. */
export type Edit = { readonly path: string; readonly from: Json; readonly to: Json; readonly value: Json };

/**
 * The first telling change inside a value, or null: an integer raised by one, else a flag turned, else a text
 * with a word added. Tags (`t`), ids and hashes are left alone, so that every rule of form still holds.
 */
export function tellingEdit(value: Json, path: string): Edit | null {
  for (const change of [raised, turned, reworded]) {
    const edit = editWith(value, path, change);
    if (edit !== null) return edit;
  }
  return null;
}

type Change = (value: Json) => Json | null;

const raised: Change = (value) => (typeof value === 'number' && Number.isSafeInteger(value + 1) ? value + 1 : null);
const turned: Change = (value) => (typeof value === 'boolean' ? !value : null);
const reworded: Change = (value) => (typeof value === 'string' && !isDigest(value) && !/^[0-9]+\.[0-9]+$/.test(value) ? `${value} (not so)` : null);
const FORM = new Set(['t', 'id', 'kind', 'key', 'op', 'code', 'format', 'version', 'start', 'end', 'place']);

function editWith(value: Json, path: string, change: Change): Edit | null {
  const to = change(value);
  if (to !== null) return { path, from: value, to, value: to };
  if (isArray(value)) {
    for (const [index, item] of value.entries()) {
      const edit = editWith(item, `${path}/${index}`, change);
      if (edit !== null) return { ...edit, value: value.map((other, at) => (at === index ? edit.value : other)) };
    }
  } else if (isObject(value) && !Object.hasOwn(value, '$sealed') && !Object.hasOwn(value, '$blob')) {
    for (const [key, item] of Object.entries(value)) {
      const edit = FORM.has(key) ? null : editWith(item, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, change);
      if (edit !== null) return { ...edit, value: Object.fromEntries(Object.entries(value).map(([name, other]) => [name, name === key ? edit.value : other])) };
    }
  }
  return null;
}
