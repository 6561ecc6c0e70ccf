/** What the wire forms of plans share: estimates, shares and names. */
import { isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { closed, list, type TypeOf, number, text } from '@assay/kernel/shape';

const range = { low: number(), mid: number(), high: number() };

/** Low, mid and high. */
export const estimate = closed(range);
/** Estimates by the id of a row or of a constraint. */
export const estimates = list(closed({ id: text(), ...range }));

/** An estimate as a plan file has it; whether it is one the machine says. */
export function triple({ low, mid, high }: TypeOf<typeof estimate>): Json {
  return [low, mid, high];
}

/** Estimates by name. A name given twice has its last. */
export function table(all: TypeOf<typeof estimates>): JsonObject {
  return Object.fromEntries(all.map(({ id, ...given }) => [id, triple(given)]));
}

const MILLION = 1_000_000;

/** A share of one in parts per million, within its limits. */
export function ppm(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * MILLION);
}

/** A body as it is shown, where it has these fields: lists where `[]` follows the name, else texts. */
export function bodyWith(body: Json, ...fields: readonly string[]): JsonObject | null {
  if (!isObject(body)) return null;
  const isThere = fields.every((name) =>
    name.endsWith('[]') ? isArray(body[name.slice(0, -2)]) : typeof body[name] === 'string',
  );
  return isThere ? body : null;
}
