/**
 * Readings of a request, asked of a model for the intent machine. Source: intent I0 to I5.
 *
 * @module
 */
import { field, isArray, isObject, ok, type Json, type JsonObject, type Result } from '@assay/kernel';
import { decimalOfNumber, INTERPRETATIONS_KIND, SeedText, type Quote } from '@assay/kernel/intent';
import { INTERPRETATIONS_PROMPT_1 } from './interpretations-1.js';
import type { AnswerFault, Task, TaskAnswer } from '../task/task.js';
import { Locator } from './locate.js';
import { fault, shaped } from '../task/strict.js';
import { wireAnswer, wireSchema, type WireCommit, type WireReading } from './wire.js';

/**
 * The task of kind `interpretations`. Faults of an answer: `schema`, its shape; `not_in_request`, quoted
 * words that the request does not hold; `number`, one that is no decimal of at most 9 places; `confidence`,
 * not from 0 to 1. What else the machine minds it rejects itself.
 */
export const interpretationsTask: Task = {
  kind: INTERPRETATIONS_KIND,
  prompt: INTERPRETATIONS_PROMPT_1,
  schema: wireSchema,
  data,
  read,
};

function data(body: Json): Json | null {
  if (!isObject(body)) return null;
  const [request, pins, count] = [field(body, 'seed_text'), field(body, 'pin'), field(body, 'n')];
  return typeof request === 'string' && isArray(pins) && typeof count === 'number'
    ? { request, pins, reading_count_max: count }
    : null;
}

function read(answer: Json, body: Json): Result<AnswerFault, TaskAnswer> {
  const wire = shaped(wireAnswer, answer);
  if (wire._tag === 'Left') return wire;
  const { readings, confidence } = wire.right;
  if (confidence !== null && !(confidence >= 0 && confidence <= 1))
    return fault('confidence', '/confidence', String(confidence));
  const text = isObject(body) ? field(body, 'seed_text') : undefined;
  const locator = new Locator(new SeedText(typeof text === 'string' ? text : ''));
  const value: Json[] = [];
  for (const [index, reading] of readings.entries()) {
    const taken = readingOf(reading, locator, `/readings/${index}`);
    if (taken._tag === 'Left') return taken;
    value.push(taken.right);
  }
  return ok({ value, confidence });
}

function readingOf(
  { name, intent_summary, assumptions, commits, contradictions, aliases }: WireReading,
  locator: Locator,
  path: string,
): Result<AnswerFault, JsonObject> {
  const claims: Json[] = [];
  for (const [index, commit] of commits.entries()) {
    const claim = claimOf(commit, locator, `${path}/commits/${index}`);
    if (claim._tag === 'Left') return claim;
    claims.push(claim.right);
  }
  return ok({
    name,
    intent_summary,
    assumptions,
    commits: claims,
    contradictions: contradictions.map(({ a, b }) => [a, b]),
    aliases: aliases.map(({ a, b }) => [a, b]),
  });
}

function claimOf(
  { kind, modality, quote, atom, scope }: WireCommit,
  locator: Locator,
  path: string,
): Result<AnswerFault, JsonObject> {
  const place = placeOf(quote, locator, null, `${path}/quote`);
  if (place._tag === 'Left') return place;
  const parts: { [part: string]: Quote | null } = {};
  for (const part of ['actor', 'condition', 'exception'] as const) {
    const found = placeOf(scope[part], locator, place.right, `${path}/scope/${part}`);
    if (found._tag === 'Left') return found;
    parts[part] = found.right;
  }
  const taken = atom === null ? null : valueOf(atom.value);
  if (taken === undefined) return fault('number', `${path}/atom/value`, String(atom?.value));
  return ok({
    kind,
    modality,
    quote: place.right,
    atom: atom === null ? null : { key: atom.key, op: atom.op, value: taken, unit: atom.unit },
    scope: parts,
  });
}

function placeOf(
  words: string | null,
  locator: Locator,
  within: Quote | null,
  path: string,
): Result<AnswerFault, Quote | null> {
  if (words === null) return ok(null);
  const place = locator.find(words, within);
  return place === null ? fault('not_in_request', path, words) : ok(place);
}

/** A number is taken by its shortest decimal. Undefined where there is none. */
function valueOf(value: number | boolean | string): Json | undefined {
  return typeof value === 'number' ? (decimalOfNumber(value) ?? undefined) : value;
}
