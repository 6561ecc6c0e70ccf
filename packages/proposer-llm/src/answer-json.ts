/**
 * The one JSON object in a model's text. Models wrap what they are asked for in fences and in prose; that is no fault of the
 * answer, but which of two objects is meant would be a guess.
 *
 * @module
 */
import { admit, err, ok, OUTSIDE_LIMITS, type Json, type Result } from '@assay/kernel';
import type { AnswerFault } from './task.js';

/** The object, admitted, and whether anything stood around it. */
export type AnswerJson = { readonly json: Json; readonly isWrapped: boolean };

/** Places at which an object is looked for in prose. */
const TRIES_MAX = 64;
/** Depth to which text is followed; what is deeper is not admitted anyway. */
const DEPTH_MAX = 64;

/**
 * Reads a model's text. Total. Faults: `empty`, nothing but white space; `json`, no object in it that ends and parses;
 * `several`, more than one; `inadmissible`, one the kernel does not admit (depth, size, lone surrogates). Linear, but for
 * at most 64 tries in prose.
 */
export function answerJson(text: string): Result<AnswerFault, AnswerJson> {
  const trimmed = text.trim();
  if (trimmed === '') return fault('empty', '');
  const found: { readonly value: unknown; readonly isWhole: boolean }[] = [];
  let tries = 0;
  for (let at = trimmed.indexOf('{'); at !== -1 && tries < TRIES_MAX; tries += 1) {
    const end = endOf(trimmed, at);
    const value = end === null ? undefined : parsed(trimmed.slice(at, end));
    if (value !== undefined && end !== null) found.push({ value, isWhole: at === 0 && end === trimmed.length });
    at = trimmed.indexOf('{', value === undefined || end === null ? at + 1 : end);
  }
  const [first] = found;
  if (first === undefined) return fault('json', trimmed);
  if (found.length > 1) return fault('several', trimmed);
  const admitted = admit(first.value, OUTSIDE_LIMITS);
  if (admitted._tag === 'Left') return err({ code: 'inadmissible', path: admitted.left.path, text: admitted.left.code });
  return ok({ json: admitted.right.value, isWrapped: !first.isWhole });
}

/** Where the object that begins at `from` ends; null where it does not, or is too deep. */
function endOf(text: string, from: number): number | null {
  let [depth, isText] = [0, false];
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isText) {
      if (character === '\\') at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') {
      isText = true;
    } else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > DEPTH_MAX) return null;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function fault(code: string, text: string): Result<AnswerFault, never> {
  return err({ code, path: '', text });
}
