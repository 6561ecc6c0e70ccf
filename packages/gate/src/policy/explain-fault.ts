/**
 * What stands in good JSON where a shape found a fault, in words.
 *
 * @module
 */
import { isArray, isObject, type Json } from '@assay/kernel';
import type { Fields, Shape } from '@assay/kernel/shape';

/** A place, as a JSON pointer, and what is expected there. */
type Explained = { readonly at: string; readonly expected: string };

/**
 * Explains the fault of a value at the pointer that its shape gave. A key that is not known is named. `words`: what is
 * expected of certain shapes.
 */
export function explainFault(
  shape: Shape,
  value: Json,
  path: string,
  words: ReadonlyMap<Shape, string>,
): Explained {
  const whole = path.split('/').slice(1);
  let [current, here, known]: [Shape, Json, string | undefined] = [shape, value, undefined];
  let at = '';
  for (let depth = 0; ; ) {
    const { form } = current;
    known = words.get(current) ?? known;
    if (form?.is === 'refined') current = form.shape;
    else if (form?.is === 'lazy') current = form.shape();
    else if (form?.is === 'nullable' && here !== null) current = form.item;
    else if (form?.is === 'any_of') {
      const rest = depth < whole.length ? `/${whole.slice(depth).join('/')}` : '';
      const inner = form.items.find((item) => item(here) === rest && (rest !== '' || hasKeys(item, here)));
      if (inner === undefined) break;
      current = inner;
    } else if (depth < whole.length) {
      const [next, key, steps] = descend(current, here, whole.slice(depth));
      if (next === null) break;
      [current, known] = [next, undefined];
      here = isArray(here) ? (here[Number(key)] ?? null) : isObject(here) ? (here[key] ?? null) : null;
      at += `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      depth += steps;
    } else break;
  }
  const { form } = current;
  if ((form?.is === 'open' || form?.is === 'closed') && isObject(here)) {
    const fields: Fields = form.is === 'open' ? { ...form.fields, ...form.optional } : form.fields;
    const unknown = Object.keys(here).find((key) => !Object.hasOwn(fields, key));
    const missing = Object.keys(form.fields).find((key) => !Object.hasOwn(here as object, key));
    if (unknown !== undefined)
      return { at: `${at}/${unknown.slice(0, 64)}`, expected: `one of ${Object.keys(fields).join(' ')}` };
    if (missing !== undefined) return { at, expected: `the key ${missing}` };
  }
  return { at, expected: known ?? describeForm(current) };
}

/** True for a shape of objects with known keys, where the value is an object. */
function hasKeys({ form }: Shape, value: Json): boolean {
  if (form?.is === 'refined') return hasKeys(form.shape, value);
  return isObject(value) && (form?.is === 'open' || form?.is === 'closed');
}

/** One step into a value: the shape there, its key, and how many segments of the pointer it takes. */
function descend(
  { form }: Shape,
  value: Json,
  path: readonly string[],
): readonly [next: Shape | null, key: string, steps: number] {
  const [key = ''] = path;
  if (form?.is === 'list') return [form.item, key, 1];
  if (form?.is === 'open') return [{ ...form.fields, ...form.optional }[key] ?? form.rest, key, 1];
  if (form?.is === 'closed') return [form.fields[key] ?? null, key, 1];
  if (form?.is !== 'table' || !isObject(value)) return [null, key, 1];
  // Keys of a table may hold slashes, which its shape does not escape.
  const text = path.join('/');
  const own = Object.keys(value).find((each) => text === each || text.startsWith(`${each}/`));
  return own === undefined ? [null, key, 1] : [form.item, own, own.split('/').length];
}

function describeForm({ form }: Shape): string {
  switch (form?.is) {
    case 'one_of':
      return form.allowed.map(String).join(' or ');
    case 'integer':
      return `a whole number from ${form.min} to ${form.max}`;
    case 'number':
      return 'a number';
    case 'flag':
      return 'true or false';
    case 'text':
      return form.bounds.pattern === undefined ? 'a text' : `a text like ${form.bounds.pattern.source}`;
    case 'list':
      return 'a list';
    case 'any_of':
      return [...new Set(form.items.map(describeForm))].join(' or ');
    default:
      return 'an object';
  }
}
