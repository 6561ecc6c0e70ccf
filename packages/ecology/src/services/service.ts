/**
 * What a genesis service is: methods with a published shape of their arguments. A service has no power that
 * an agent lacks, but that it is there. Source: specs/ecology.md B2, B7.
 */
import { field, type Json, type JsonObject } from '@assay/kernel';
import { ID_PATTERN, RESOURCES } from '../config/config.js';
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

/** A method of a name, with the schemas of its arguments: as {@link closedObject} reads them. */
export function method(
  name: string,
  description: string,
  keys: { readonly [key: string]: JsonObject },
  run: Method['run'],
): readonly [string, Method] {
  return [name, { description, input: closedObject(keys), run }];
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
export const ID: JsonObject = Object.freeze({ type: 'string', pattern: ID_PATTERN.source });
export const ANY: JsonObject = Object.freeze({ description: 'Any JSON whose numbers are integers.' });

/** An object with exactly these keys; those that end in `?` may be left out. */
export function closedObject(keys: { readonly [key: string]: JsonObject }): JsonObject {
  const properties = Object.entries(keys).map(([key, schema]) => [key.replace('?', ''), schema] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(keys).filter((key) => !key.endsWith('?')),
    additionalProperties: false,
  };
}

/** What is wrong with the shape of an argument that its schema describes, but the subset of B8 does not check. */
export function refuseShape(key: string): Outcome {
  return refused('INVALID_ARGS', 'the method asks for other arguments', { at: `/${key}` });
}

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
