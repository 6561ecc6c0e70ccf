/** Values that a JSON Schema allows, made from the schema alone: what somebody makes who reads an interface. */
import { isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import fc from 'fast-check';

/** Any JSON whose numbers are integers. */
const plain: fc.Arbitrary<Json> = fc
  .jsonValue({ maxDepth: 3 })
  .map(
    (value) =>
      JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'number' ? 7 : (each as Json)))) as Json,
  );

/** Values of a schema; a keyword that it does not know is a defect. */
export function drawFrom(schema: Json): fc.Arbitrary<Json> {
  if (!isObject(schema)) throw new TypeError(`no schema: ${JSON.stringify(schema)}`);
  const { description: _, ...rules } = schema;
  if (Object.keys(rules).length === 0) return plain;
  if (isArray(rules['anyOf'])) return fc.oneof(...rules['anyOf'].map(drawFrom));
  const odd = Object.keys(rules).find((key) => !KEYWORDS.includes(key));
  if (odd !== undefined) throw new TypeError(`unknown keyword: ${odd}`);
  const { type = null } = rules;
  return fc.oneof(...(isArray(type) ? type : [type]).map((one) => drawTyped(one, rules)));
}

const KEYWORDS = [
  ...['type', 'enum', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'items', 'prefixItems'],
  ...['minItems', 'maxItems', 'properties', 'required', 'additionalProperties'],
];

function drawTyped(type: Json, rules: JsonObject): fc.Arbitrary<Json> {
  const { properties = null, required = null, items = null, prefixItems = null, pattern = null } = rules;
  const { minimum = 0, maximum = 9, maxItems = 3, minLength = 0, maxLength = 9 } = rules;
  if (isArray(rules['enum'])) return fc.constantFrom(...rules['enum']);
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'string':
      return typeof pattern === 'string'
        ? fc.stringMatching(new RegExp(pattern))
        : fc.string({ minLength: Number(minLength), maxLength: Math.min(Number(maxLength), 99) });
    case 'integer':
      return fc.integer({ min: Number(minimum), max: Number(maximum) });
    case 'array':
      if (isArray(prefixItems)) return fc.tuple(...prefixItems.map(drawFrom));
      if (items === null) throw new TypeError('a bare array');
      return fc.array(drawFrom(items), { maxLength: Math.min(Number(maxItems), 5) });
    case 'object': {
      if (!isObject(properties)) throw new TypeError('a bare object');
      const entries = Object.entries(properties).map(([key, inner]) => [key, drawFrom(inner)] as const);
      const keys = isArray(required) ? (required as string[]) : [];
      return fc.record(Object.fromEntries(entries), { requiredKeys: keys as never });
    }
    default:
      throw new TypeError(`a type that is none: ${JSON.stringify(type)}`);
  }
}
