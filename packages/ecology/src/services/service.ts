/**
 * What a genesis service is: methods with a published shape of their arguments. A service has no power that
 * an agent lacks, but that it is there. Source: specs/ecology.md B2, B7.
 */
import { field, type Json, type JsonObject } from '@assay/kernel';
import { RESOURCES } from '../config/config.js';
import { refused, type Frame, type Outcome, type Physics } from '../world/outcome.js';
import { findLive } from '../world/state.js';

/** A call of a method; its arguments fit `input`. */
export type Call = { readonly physics: Physics; readonly frame: Frame; readonly args: JsonObject };

/** A method of a service. */
export type Method = {
  readonly description: string;
  readonly input: JsonObject;
  readonly run: (call: Call) => Outcome;
};

/** Methods by name. */
export type Service = ReadonlyMap<string, Method>;

/** A method of a name. Keys that end in `?` may be left out; no others may be there. */
export function method(
  name: string,
  description: string,
  keys: { readonly [key: string]: JsonObject },
  run: Method['run'],
): readonly [string, Method] {
  const properties = Object.entries(keys).map(([key, schema]) => [key.replace('?', ''), schema] as const);
  const required = Object.keys(keys).filter((key) => !key.endsWith('?'));
  const input = {
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
  return [name, { description, input, run }];
}

/** Schemas of arguments. */
export const TEXT: JsonObject = Object.freeze({ type: 'string' });
export const FLAG: JsonObject = Object.freeze({ type: 'boolean' });
export const AMOUNT: JsonObject = Object.freeze({
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
});
export const COUNT: JsonObject = Object.freeze({ ...AMOUNT, minimum: 0 });
export const RESOURCE: JsonObject = Object.freeze({ type: 'string', enum: RESOURCES });
export const LIST: JsonObject = Object.freeze({ type: 'array' });
export const ANY: JsonObject = Object.freeze({});
export const OBJECT: JsonObject = Object.freeze({ type: 'object' });

/** A text argument; "" where it is left out. */
export function readText(args: JsonObject, key: string): string {
  const value = field(args, key);
  return typeof value === 'string' ? value : '';
}

/** An integer argument; the usual one where it is left out. */
export function readNumber(args: JsonObject, key: string, usual: number = 0): number {
  const value = field(args, key);
  return typeof value === 'number' ? value : usual;
}

/** Any argument; null where it is left out. */
export function readValue(args: JsonObject, key: string): Json {
  return field(args, key) ?? null;
}

/** Null where somebody can hold something, else why not. */
export function faultOfHolder({ draft }: Physics, id: string): Outcome | null {
  const holder = findLive(draft.state, id);
  if (holder === undefined) return refused('NOT_FOUND', 'there is nobody of that name');
  return holder.has_standing ? null : refused('NO_STANDING', 'what has no standing holds nothing');
}
