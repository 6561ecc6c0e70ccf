/**
 * Reads JSON piece by piece and keeps the first fault; what is wrong reads as a harmless value, so that a
 * parser is written straight down.
 */
import { cutText, field, isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { TOTAL_MAX } from './plan.js';

/** Why a plan is not taken. */
type PlanCode =
  | 'shape'
  | 'unknown_key'
  | 'missing'
  | 'bad_name'
  | 'not_integer'
  | 'out_of_range'
  | 'low_mid_high'
  | 'zero_minutes'
  | 'too_large'
  | 'duplicate'
  | 'same_approach'
  | 'unknown_task'
  | 'unknown_row'
  | 'unknown_metric'
  | 'unknown_approach'
  | 'unknown_resource'
  | 'needs_more'
  | 'bad_operator'
  | 'cycle'
  | 'bad_quantity'
  | 'currency_differs'
  | 'unknown_currency'
  | 'before_start'
  | 'unknown_person';

/**
 * The first fault of a plan. `path`: JSON pointer; `name`: the element concerned, such as `t8` or `t8.a`;
 * `detail`: the limit, the key or the names meant.
 */
export type PlanFault = {
  readonly code: PlanCode;
  readonly path: string;
  readonly name: string;
  readonly detail: string;
};

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const TEXT_MAX = 4_000;

/** A place in a document: where it is, and which element it belongs to. */
export type At = { readonly path: string; readonly name: string };

/** See the module. `fault` is the first that was found. */
export class Reader {
  fault: PlanFault | null = null;

  fail(code: PlanCode, { path, name }: At, detail: string): void {
    this.fault ??= { code, path, name, detail };
  }

  /** An object whose keys are all allowed; `required` ones must be there. */
  object(
    value: Json | undefined,
    at: At,
    required: readonly string[],
    optional: readonly string[],
  ): JsonObject {
    if (value === undefined) this.fail('missing', at, '');
    else if (!isObject(value)) this.fail('shape', at, 'an object');
    else {
      for (const key of required)
        if (field(value, key) === undefined) this.fail('missing', within(at, key), key);
      for (const key of Object.keys(value))
        if (!required.includes(key) && !optional.includes(key))
          this.fail('unknown_key', within(at, key), key);
      return value;
    }
    return {};
  }

  /** A list of at most so many items. */
  list(value: Json | undefined, at: At, most: number): readonly Json[] {
    if (value === undefined) return [];
    if (!isArray(value)) this.fail('shape', at, 'a list');
    else if (value.length > most) this.fail('too_large', at, String(most));
    else return value;
    return [];
  }

  /** A name: a letter or digit, then up to 63 of letters, digits, `_` and `-`. */
  name(value: Json | undefined, at: At): string {
    if (typeof value === 'string' && NAME.test(value)) return value;
    this.fail(value === undefined ? 'missing' : 'bad_name', at, '');
    return '';
  }

  text(value: Json | undefined, at: At, otherwise: string): string {
    if (value === undefined) return otherwise;
    if (typeof value === 'string' && value.length <= TEXT_MAX) return value;
    this.fail(typeof value === 'string' ? 'too_large' : 'shape', at, 'a text of at most 4,000 letters');
    return otherwise;
  }

  flag(value: Json | undefined, at: At, otherwise: boolean): boolean {
    if (value === undefined || typeof value === 'boolean') return value ?? otherwise;
    this.fail('shape', at, 'true or false');
    return otherwise;
  }

  integer(value: Json | undefined, at: At, most: number, least: number = 0): number {
    if (value === undefined) this.fail('missing', at, '');
    else if (typeof value !== 'number' || !Number.isSafeInteger(value)) this.fail('not_integer', at, '');
    else if (value < least || value > most) this.fail('out_of_range', at, `${least} to ${most}`);
    else return value;
    return 0;
  }

  /** An object with free keys, which are names: its entries. */
  entries(value: Json | undefined, at: At): readonly (readonly [string, Json])[] {
    if (value === undefined) return [];
    if (isObject(value)) return Object.entries(value);
    this.fail('shape', at, 'an object');
    return [];
  }
}

const SAYS: Readonly<Record<PlanCode, (detail: string) => string>> = {
  shape: (detail) => `write ${detail}`,
  unknown_key: (detail) => `no key of this is called ${detail}`,
  missing: (detail) => `is missing${detail === '' ? '' : `: write ${detail}`}`,
  bad_name: () => 'is no name: write a letter or digit, then letters, digits, _ and -, at most 64',
  not_integer: (detail) => detail || 'write a whole number',
  out_of_range: (detail) => `write a whole number, ${detail.replace(` to ${TOTAL_MAX}`, ' or more')}`,
  low_mid_high: (detail) => `${detail} is out of order: write low, mid, high, none below the one before`,
  zero_minutes: () => 'is built in no time: write a low estimate above 0',
  too_large: (detail) => `is more than ${detail}`,
  duplicate: (detail) => `${detail} is there twice: keep one, or rename one`,
  same_approach: (detail) => `is the same as ${detail}: write another method or other figures`,
  unknown_task: (detail) => `there is no task ${detail}`,
  unknown_row: (detail) => `there is no row ${detail}`,
  unknown_metric: (detail) => `there is no metric ${detail}`,
  unknown_approach: (detail) => `there is no approach ${detail}`,
  unknown_resource: (detail) => `renewable does not name ${detail}`,
  needs_more: (detail) => `needs more than there is, ${detail}`,
  unknown_person: (detail) => `people does not name ${detail}`,
  bad_operator: (detail) => `write one of ${detail}`,
  cycle: (detail) => `these tasks wait for each other: ${detail}`,
  bad_quantity: (detail) => detail,
  currency_differs: (detail) => detail,
  unknown_currency: (detail) => detail,
  before_start: (detail) => detail,
};

/** A fault as a sentence that names the element and says what to write. */
export function describeFault({ code, name, path, detail }: PlanFault): string {
  const steps = path.split('/').filter((step) => !/^\d*$/.test(step));
  const key = steps.length > 1 ? `, ${steps.at(-1) ?? ''}` : '';
  return `${cutText(`${name}${key}: ${SAYS[code](detail)}`, TEXT_MAX)} (${code})`;
}

/** A value as the detail of a fault: a list or an object by its kind alone. */
export function renderValue(value: Json | undefined): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return isArray(value) ? 'a list' : 'an object';
}

/** A place one step further in. */
export function within(at: At, key: string | number, name: string = at.name): At {
  return { path: `${at.path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`, name };
}
