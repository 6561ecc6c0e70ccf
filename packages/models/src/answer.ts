/**
 * What a model's reply stands for: the JSON in it, the answer of a task, or why it is none.
 *
 * @module
 */
import { admit, cutText, err, type Failure, type Json, ok, OUTSIDE_LIMITS, type Result } from '@assay/kernel';
import { failureIn } from './call-failure.js';
import type { Reply } from './reply.js';
import {
  fault,
  type AnswerFault,
  keyTwiceIn,
  type OfferedTool,
  type Task,
  type TaskAnswer,
} from '@assay/kernel/prompt';
import { readShape } from './task.js';

/** What was asked. `offered`: the tools that are to be called; null where the answer is by the schema. */
export type AskedOf = { readonly task: Task; readonly offered: readonly OfferedTool[] | null };

/** An answer as it is proposed. `isWrapped`: its object stood in a fence or in prose. */
type Read = TaskAnswer & { readonly isWrapped: boolean };

/** Reads a reply. Its failures are `malformed` and `denied`: see `llmPort`. */
export function answerIn(asked: AskedOf, reply: Reply, body: Json): Result<Failure, Read> {
  const failure = findFailure(reply);
  if (failure !== null) return err(failure);
  const read = readAnswer(asked, reply, body);
  return read._tag === 'Left' ? err(unreadable(read.left)) : read;
}

/** What a model said, as one text. */
export function renderRaw({ text, calls }: Reply): string {
  return calls.length === 0 ? text : JSON.stringify({ why: text, calls });
}

function readAnswer(
  { task, offered }: AskedOf,
  { text, calls }: Reply,
  body: Json,
): Result<AnswerFault, Read> {
  if (offered !== null) {
    if (calls.length === 0) return fault('no_call', '', text);
    const called = task.read({ why: text, calls }, body, readShape);
    return called._tag === 'Left' ? called : ok({ ...called.right, isWrapped: false });
  }
  const json = answerJson(text);
  if (json._tag === 'Left') return json;
  const read = task.read(json.right.json, body, readShape);
  return read._tag === 'Left' ? read : ok({ ...read.right, isWrapped: json.right.isWrapped });
}

function unreadable(fault: AnswerFault): Failure {
  return fault.isFinal === true
    ? { code: 'denied', final: true, detail: { code: fault.code, text: cutText(fault.text, TEXT_UNITS_MAX) } }
    : malformed(fault);
}

/** What keeps a reply from being read at all. */
function findFailure({ isTooLong, isRefusal, finish, error, text }: Reply): Failure | null {
  if (isTooLong || (error !== null && failureIn(error.cause, 0).isTooLarge))
    return malformed({ code: 'answer_too_long', path: '', text: '' });
  if (error !== null) return malformed({ code: 'cut_off', path: '', text: '' });
  if (isRefusal || finish?.unified === 'content-filter')
    return { code: 'denied', final: true, detail: { code: 'refusal', text: cutText(text, TEXT_UNITS_MAX) } };
  return finish?.unified === 'length' ? malformed({ code: 'truncated', path: '', text: '' }) : null;
}

/** An answer that is none; the next attempt is told why. */
export function malformed({ code, path, text }: AnswerFault): Failure {
  return {
    code: 'malformed',
    final: false,
    detail: { code, path: cutText(path, PATH_UNITS_MAX), text: cutText(text, TEXT_UNITS_MAX) },
  };
}

const PATH_UNITS_MAX = 240;
const TEXT_UNITS_MAX = 240;

/** The object, admitted, and whether anything stood around it. */
type AnswerJson = { readonly json: Json; readonly isWrapped: boolean };

/** Depth to which text is followed; what is deeper is not admitted anyway. */
const DEPTH_MAX = 64;

/**
 * Reads a model's text. Total. Faults: `empty`, nothing but white space; `json`, no object in it that
 * parses, or a brace that never ends; `several`, more than one; `duplicate_key`, a key that stands twice in one object;
 * `inadmissible`, one the kernel does not admit (depth, size, lone surrogates). An object inside another brace, or in a
 * leading `<think>…</think>`, is part of a draft and no answer. Linear.
 */
export function answerJson(text: string): Result<AnswerFault, AnswerJson> {
  const trimmed = text.trim();
  if (trimmed === '') return fault('empty', '', '');
  const found: { readonly value: unknown; readonly text: string }[] = [];
  const from = thoughtEnd(trimmed);
  for (let at = trimmed.indexOf('{', from); at !== -1; ) {
    const end = findEnd(trimmed, at);
    if (end === null) return fault('json', '', trimmed);
    const value = parsed(trimmed.slice(at, end));
    if (value !== undefined) found.push({ value, text: trimmed.slice(at, end) });
    at = trimmed.indexOf('{', end);
  }
  const [first] = found;
  if (first === undefined) return fault('json', '', trimmed);
  if (found.length > 1) return fault('several', '', trimmed);
  const twice = keyTwiceIn(first.text);
  if (twice !== null) return fault('duplicate_key', '', twice);
  const admitted = admit(first.value, OUTSIDE_LIMITS);
  if (admitted._tag === 'Left') return fault('inadmissible', admitted.left.path, admitted.left.code);
  return ok({ json: admitted.right.value, isWrapped: first.text.length < trimmed.length });
}

const [THINK, THOUGHT] = ['<think>', '</think>'];

/** Where a text goes on behind the reasoning that it begins with: at its end if the reasoning never ends. */
function thoughtEnd(text: string): number {
  if (!text.startsWith(THINK)) return 0;
  const at = text.indexOf(THOUGHT);
  return at === -1 ? text.length : at + THOUGHT.length;
}

/** Where the object that begins at `from` ends; null where it does not, or is too deep. */
function findEnd(text: string, from: number): number | null {
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
