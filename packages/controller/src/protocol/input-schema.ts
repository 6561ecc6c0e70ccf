/**
 * Whether an input fits the JSON Schema of its tool. Checked: type, properties, required,
 * additionalProperties, items, enum, anyOf, minimum, maximum, minLength, maxLength, maxItems; every other
 * keyword is the tool's to check. Source: calls/C15.
 */
import { admit, field, isArray, isObject, Meter, type Json, type JsonObject } from '@assay/kernel';

/** Steps of holding one value to one schema, and of a unit of text. */
const [VALUE_STEPS, TEXT_STEPS] = [64, 8];

/**
 * Where an input departs from a schema, as a JSON Pointer; null where it fits. Total: once the meter is spent,
 * the rest departs.
 */
export function misfit(schema: Json, value: Json, meter: Meter = new Meter()): string | null {
  return new Check(meter).misfit(schema, value, '');
}

/** One input held to one schema. Values are compared by their canonical texts, each made once. */
class Check {
  private readonly meter: Meter;
  private readonly listed = new Map<readonly Json[], ReadonlySet<string>>();
  private readonly texts = new Map<Json, string>();

  constructor(meter: Meter) {
    this.meter = meter;
  }

  misfit(schema: Json, value: Json, path: string): string | null {
    if (!this.meter.spend(VALUE_STEPS) || schema === false) return path;
    if (!isObject(schema)) return null;
    const anyOf = field(schema, 'anyOf');
    if (isArray(anyOf) && !anyOf.some((one) => this.misfit(one, value, path) === null)) return path;
    const among = field(schema, 'enum');
    if (isArray(among) && !this.textsOf(among).has(this.textOf(value))) return path;
    const type = field(schema, 'type');
    if (type !== undefined && !(isArray(type) ? type : [type]).some((one) => isOfType(one, value)))
      return path;
    if (typeof value === 'number') return within(schema, value, 'minimum', 'maximum') ? null : path;
    if (typeof value === 'string') return this.isOfLength(schema, value) ? null : path;
    if (isArray(value)) return this.misfitOfItems(schema, value, path);
    return isObject(value) ? this.misfitOfMembers(schema, value, path) : null;
  }

  private misfitOfItems(schema: JsonObject, items: readonly Json[], path: string): string | null {
    if (!within(schema, items.length, '', 'maxItems')) return path;
    const of = field(schema, 'items') ?? null;
    return findFirst(items.keys(), (at) => this.misfit(of, items[at] ?? null, `${path}/${at}`));
  }

  private misfitOfMembers(schema: JsonObject, value: JsonObject, path: string): string | null {
    const required = field(schema, 'required');
    const missing = (isArray(required) ? required : []).find(
      (key) => typeof key === 'string' && !Object.hasOwn(value, key),
    );
    if (typeof missing === 'string') return pathTo(path, missing);
    const properties = field(schema, 'properties') ?? null;
    const others = field(schema, 'additionalProperties') ?? null;
    return findFirst(Object.keys(value), (key) => {
      const known = isObject(properties) ? field(properties, key) : undefined;
      return this.misfit(known ?? others, field(value, key) ?? null, pathTo(path, key));
    });
  }

  /** Length in code points, counted only where it is bounded. */
  private isOfLength(schema: JsonObject, value: string): boolean {
    const bounds = [field(schema, 'minLength'), field(schema, 'maxLength')];
    if (!bounds.some((bound) => typeof bound === 'number')) return true;
    if (!this.meter.spend(TEXT_STEPS * value.length)) return false;
    let length = 0;
    for (const _ of value) length += 1;
    return within(schema, length, 'minLength', 'maxLength');
  }

  private textsOf(list: readonly Json[]): ReadonlySet<string> {
    const known = this.listed.get(list) ?? new Set(list.map((each) => this.textOf(each)));
    this.listed.set(list, known);
    return known;
  }

  /** The canonical text; of what has none, "", which is no text of a value. */
  private textOf(value: Json): string {
    const known = this.texts.get(value);
    if (known !== undefined) return known;
    const admitted = admit(value);
    const text = admitted._tag === 'Left' ? '' : admitted.right.text;
    this.meter.spend(TEXT_STEPS * text.length + VALUE_STEPS);
    if (typeof value === 'object') this.texts.set(value, text);
    return text;
  }
}

function findFirst<T>(items: Iterable<T>, fault: (item: T) => string | null): string | null {
  for (const item of items) {
    const found = fault(item);
    if (found !== null) return found;
  }
  return null;
}

function within(schema: JsonObject, size: number, least: string, most: string): boolean {
  const [low, high] = [field(schema, least), field(schema, most)];
  return !(typeof low === 'number' && size < low) && !(typeof high === 'number' && size > high);
}

function isOfType(type: Json, value: Json): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return isArray(value);
    case 'string':
      return typeof value === 'string';
    case 'integer':
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    default:
      return true;
  }
}

function pathTo(path: string, key: string): string {
  return `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
