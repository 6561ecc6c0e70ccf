/**
 * Fields of payloads, read leniently: what is not there, or of another type, is empty.
 *
 * @module
 */
import { field, isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { safeJson } from '@assay/views';
import { cut, show, type Shown } from './shown.js';

/** The value of a JSON text, null for anything else. */
export function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

/** The value of an object's field, null where there is none. */
export function valueIn(value: Json | undefined, key: string): Json {
  return value !== undefined && isObject(value) ? (field(value, key) ?? null) : null;
}

/** The text of an object's field, "" where there is none. */
export function textIn(value: Json | undefined, key: string): string {
  const text = valueIn(value, key);
  return typeof text === 'string' ? text : '';
}

/** The object in an object's field, empty where there is none. */
export function objectIn(value: Json | undefined, key: string): JsonObject {
  const object = valueIn(value, key);
  return isObject(object) ? object : {};
}

/** Code points shown before the first difference of two long texts. */
const BEFORE_POINTS = 16;

/**
 * Both sides as JSON, each at most that many code points: from their beginning, else lists by what they hold,
 * else around the first difference.
 */
export function describeChange(from: Json, to: Json, pointsMax: number): Shown {
  const [before, after] = [safeJson(from), safeJson(to)];
  if (cut(before, pointsMax) !== cut(after, pointsMax))
    return show`${cut(before, pointsMax)} → ${cut(after, pointsMax)}`;
  if (isArray(from) && isArray(to)) return listChange(from, to);
  const [had, has] = [[...before], [...after]];
  const start = Math.max(0, had.findIndex((point, at) => point !== has[at]) - BEFORE_POINTS);
  const [left, right] = [had, has].map((points) => cut(`…${points.slice(start).join('')}`, pointsMax));
  return show`${left ?? ''} → ${right ?? ''}`;
}

/**
 * How two different lists differ: in number; of an answer with as many readings, what in the first that
 * differs.
 */
export function listChange(from: readonly Json[], to: readonly Json[]): Shown {
  const noun = [...from, ...to].every((item) => isArray(valueIn(item, 'commits'))) ? 'reading' : 'item';
  if (from.length !== to.length) return show`${counted(from, noun)} → ${counted(to, noun)}`;
  const place = from.findIndex((item, index) => safeJson(item) !== safeJson(to[index]));
  const [before, after] = [from[place] ?? null, to[place] ?? null];
  const key = isObject(before)
    ? Object.keys(before).find((name) => safeJson(before[name]) !== safeJson(valueIn(after, name)))
    : undefined;
  const [had, has] = [valueIn(before, key ?? ''), valueIn(after, key ?? '')];
  const where = `${noun} ${place + 1}`;
  if (!isArray(had) || !isArray(has)) return show`${where} of ${from.length}: another`;
  const inner = key === 'commits' ? 'claim' : (key ?? '').replace(/s$/, '');
  return had.length === has.length
    ? show`${where}: ${counted(had, inner)} in another order`
    : show`${where}: ${counted(had, inner)} → ${counted(has, inner)}`;
}

function counted(list: readonly Json[], noun: string): string {
  return `${list.length} ${noun}${list.length === 1 ? '' : 's'}`;
}
