/**
 * The subset of JSON Schema that interfaces are held to: type, properties, required, enum, items, minimum,
 * maximum, additionalProperties. Other keywords say nothing. An interpreter of our own: a library's version
 * would change decisions. Source: specs/ecology.md B8.
 */
import { field, isArray, isObject, Meter, type Json, type JsonObject } from '@assay/kernel';

/** Steps of one comparison at most: enums and items multiply. Each is so many of the meter. */
const STEPS_MAX = 250_000;
const METER_STEPS = 32;

/** What is left of the steps; below 0 nothing fits. */
type Steps = { left: number };

/**
 * Where a value departs from a schema, as a JSON pointer, or null. `true` and `{}` fit all; a schema that is
 * none fits all too, since interfaces may lie. After 250,000 steps, or what the meter has, the rest departs.
 */
export function misfit(value: Json, schema: Json, meter: Meter = new Meter()): string | null {
  const most = Math.min(STEPS_MAX, Math.floor(meter.rest / METER_STEPS));
  const steps = { left: most };
  const found = misfitAt(value, schema, '', steps);
  meter.spend(METER_STEPS * (most - steps.left));
  return found;
}

function misfitAt(value: Json, schema: Json, path: string, steps: Steps): string | null {
  steps.left -= 1;
  if (schema === false || steps.left < 0) return path;
  if (!isObject(schema)) return null;
  if (!isTyped(value, field(schema, 'type'), steps) || !isListed(value, field(schema, 'enum'), steps))
    return path;
  if (typeof value === 'number') return isWithin(value, schema) ? null : path;
  if (isArray(value)) {
    const items = field(schema, 'items');
    if (items === undefined) return null;
    for (const [at, item] of value.entries()) {
      const fault = misfitAt(item, items, `${path}/${at}`, steps);
      if (fault !== null) return fault;
    }
    return null;
  }
  return isObject(value) ? misfitOfObject(value, schema, path, steps) : null;
}

function misfitOfObject(value: JsonObject, schema: JsonObject, path: string, steps: Steps): string | null {
  const required = field(schema, 'required');
  if (isArray(required)) {
    steps.left -= required.length;
    for (const key of required)
      if (typeof key === 'string' && !Object.hasOwn(value, key)) return `${path}/${key}`;
  }
  const properties = field(schema, 'properties');
  const others = field(schema, 'additionalProperties');
  for (const [key, inner] of Object.entries(value)) {
    const own = isObject(properties) ? field(properties, key) : undefined;
    const fault = misfitAt(inner, own ?? others ?? true, `${path}/${key}`, steps);
    if (fault !== null) return fault;
  }
  return null;
}

function isTyped(value: Json, type: Json | undefined, steps: Steps): boolean {
  steps.left -= 1;
  if (type === undefined) return true;
  if (steps.left < 0) return false;
  if (isArray(type)) return type.some((one) => isTyped(value, one, steps));
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'number':
    case 'string':
    case 'boolean':
      return typeof value === type;
    default:
      return false;
  }
}

function isListed(value: Json, listed: Json | undefined, steps: Steps): boolean {
  return !isArray(listed) || listed.some((one) => isEqual(one, value, steps));
}

function isEqual(a: Json, b: Json, steps: Steps): boolean {
  steps.left -= typeof a === 'string' && typeof b === 'string' ? 1 + Math.floor(a.length / 64) : 1;
  if (steps.left < 0) return false;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (isArray(a) || isArray(b))
    return (
      isArray(a) &&
      isArray(b) &&
      a.length === b.length &&
      a.every((item, at) => isEqual(item, b[at] ?? null, steps))
    );
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key] ?? null, b[key] ?? null, steps))
  );
}

function isWithin(value: number, schema: JsonObject): boolean {
  const [least, most] = [field(schema, 'minimum'), field(schema, 'maximum')];
  return !(typeof least === 'number' && value < least) && !(typeof most === 'number' && value > most);
}
