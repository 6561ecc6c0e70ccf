/**
 * zod schemas made from shapes: what a shape says of itself as a schema, and what it judges beyond that as a
 * refinement of it. So a schema takes what the shape takes. Source: design §4.
 *
 * @module
 */
import * as z from 'zod';
import type { Json } from '../json.js';
import type { Bounds, Fields, Form, Shape, TypeOf } from '../ledger/shape.js';

const json: z.ZodType<Json> = z.json();

/** Schemas that stand for shapes which say less of themselves. */
export type Known = ReadonlyMap<Shape, z.ZodType>;

/** The schema of a shape. `known`: schemas for shapes inside it that have a closer one. */
export function toZod<T>(shape: Shape<T>, known: Known = new Map()): z.ZodType<T> {
  const { form } = shape;
  const schema =
    known.get(shape) ??
    (form === undefined
      ? json.refine((value) => shape(value) === null)
      : form.is === 'refined'
        ? toZod(form.shape, known).check(({ value, issues }) => {
            const fault = shape(value as Json);
            if (fault !== null)
              issues.push({ code: 'custom', input: value, path: fault.split('/').slice(1) });
          })
        : built(form, known));
  return schema as z.ZodType<T>;
}

/** The schemas of fields. */
export function zodFields<F extends Fields>(
  fields: F,
  known: Known = new Map(),
): { readonly [key in keyof F]: z.ZodType<TypeOf<F[key]>> } {
  return Object.fromEntries(Object.entries(fields).map(([key, shape]) => [key, toZod(shape, known)])) as {
    readonly [key in keyof F]: z.ZodType<TypeOf<F[key]>>;
  };
}

function built(form: Exclude<Form, { readonly is: 'refined' }>, known: Known): z.ZodType {
  switch (form.is) {
    case 'free':
      return json;
    case 'object':
      return z.record(z.string(), json);
    case 'flag':
      return z.boolean();
    case 'integer':
      return between(z.int(), form);
    case 'number':
      return between(z.number(), form);
    case 'text':
      return textOf(form.bounds).refine(form.isFit);
    case 'one_of':
      return z.literal([...form.allowed]);
    case 'nullable':
      return z.nullable(toZod(form.item, known));
    case 'pair':
      return z.tuple([toZod(form.item, known), toZod(form.item, known)]);
    case 'list':
      return listOf(toZod(form.item, known), form.bounds).refine((items) =>
        form.isFit(items as readonly Json[]),
      );
    case 'table':
      return tableOf(toZod(form.key), toZod(form.item, known));
    case 'closed':
      return z.strictObject(zodFields(form.fields, known));
    default:
      throw new TypeError(`toZod: no schema for ${form.is}`);
  }
}

function between(
  schema: z.ZodNumber,
  { min, max }: { readonly min: number; readonly max: number },
): z.ZodType {
  const from = min > Number.MIN_SAFE_INTEGER ? schema.min(min) : schema;
  return max < Number.MAX_SAFE_INTEGER ? from.max(max) : from;
}

function textOf({ pattern, min, max }: Bounds): z.ZodString {
  const matching = pattern === undefined ? z.string() : z.string().regex(pattern);
  const from = min === undefined ? matching : matching.min(min);
  return max === undefined ? from : from.max(max);
}

function listOf(item: z.ZodType, { min, max, unique }: Bounds): z.ZodArray {
  const all = z.array(item);
  const from = min === undefined ? all : all.min(min);
  const sized = max === undefined ? from : from.max(max);
  return unique === undefined ? sized : sized.meta({ uniqueItems: true });
}

/**
 * A table: an object with keys and values of one schema each. zod's records skip an own key `__proto__`; this
 * refuses it.
 */
export function tableOf<V>(
  key: z.ZodType<string>,
  value: z.ZodType<V>,
): z.ZodType<{ readonly [key: string]: V }> {
  const plain = z.custom<Record<string, unknown>>(
    (given) => typeof given === 'object' && given !== null && !Object.hasOwn(given, '__proto__'),
  );
  return plain.pipe(z.record(key as z.ZodType<string, string>, value));
}
