/**
 * JSON Schemas from shapes, draft 2020-12. A schema takes what its shape takes, and says less: tests without bounds
 * are beyond it.
 */
import type { JsonObject } from '../json.js';
import type { Bounds, Fields, Form, Shape } from '../ledger/shape.js';

/** The JSON Schema of a shape, without `$schema`. Shapes that use themselves stand in `$defs`, in order of use. */
export function toJsonSchema(shape: Shape): JsonObject {
  const used: (() => Shape)[] = [];
  const defs = new Map<string, JsonObject>();
  const root = build(shape);
  return used.length === 0 ? root : { ...root, $defs: Object.fromEntries(defs) };

  function build({ form }: Shape): JsonObject {
    if (form === undefined) return {};
    switch (form.is) {
      case 'free':
        return {};
      case 'object':
        return { type: 'object' };
      case 'flag':
        return { type: 'boolean' };
      case 'integer':
      case 'number':
        return { type: form.is, ...within('minimum', form.min), ...within('maximum', form.max) };
      case 'text':
        return { type: 'string', ...bound(form.bounds, 'Length') };
      case 'one_of':
        return listAllowed(form.allowed);
      case 'nullable':
        return { anyOf: [build(form.item), { type: 'null' }] };
      case 'any_of':
        return { anyOf: form.items.map(build) };
      case 'pair':
        // A list of one length: validators of older drafts know no tuples.
        return { type: 'array', items: build(form.item), minItems: 2, maxItems: 2 };
      case 'tuple':
        return {
          type: 'array',
          prefixItems: form.items.map(build),
          items: false,
          minItems: form.items.length,
        };
      case 'list':
        return { type: 'array', items: build(form.item), ...bound(form.bounds, 'Items') };
      case 'table': {
        const { type: _, ...key } = build(form.key);
        const names = Object.keys(key).length === 0 ? {} : { propertyNames: key };
        return { type: 'object', ...names, additionalProperties: build(form.item) };
      }
      case 'closed':
        return buildObject(form.fields, {}, null);
      case 'open':
        return buildObject(form.fields, form.optional, form.rest);
      case 'refined':
        return { ...build(form.shape), ...form.says };
      case 'lazy': {
        const known = used.indexOf(form.shape);
        const at = known < 0 ? used.push(form.shape) - 1 : known;
        if (known < 0) defs.set(`shape${at}`, build(form.shape()));
        return { $ref: `#/$defs/shape${at}` };
      }
    }
  }

  function buildObject(fields: Fields, optional: Fields, rest: Shape | null): JsonObject {
    return {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries({ ...fields, ...optional }).map(([name, part]) => [name, build(part)]),
      ),
      required: Object.keys(fields),
      additionalProperties: rest === null ? false : build(rest),
    };
  }
}

function within(name: 'minimum' | 'maximum', value: number): JsonObject {
  return Number.isFinite(value) ? { [name]: value } : {};
}

function listAllowed(allowed: Extract<Form, { readonly is: 'one_of' }>['allowed']): JsonObject {
  const [only = null, ...others] = allowed;
  return others.length === 0 ? { const: only } : { enum: allowed };
}

function bound({ pattern, allowed, min, max, unique }: Bounds, unit: 'Length' | 'Items'): JsonObject {
  return {
    ...(pattern === undefined ? {} : { pattern: pattern.source }),
    ...(allowed === undefined ? {} : { enum: allowed }),
    ...(min === undefined ? {} : { [`min${unit}`]: min }),
    ...(max === undefined ? {} : { [`max${unit}`]: max }),
    ...(unique === undefined ? {} : { uniqueItems: true }),
  };
}
