/**
 * What a model's reply stands for: the answer of a task, or why it is none.
 *
 * @module
 */
import { cutText, err, ok, type Failure, type Json, type Result } from '@assay/kernel';
import { answerJson } from './answer-json.js';
import { failureIn } from './call-failure.js';
import type { Reply } from './reply.js';
import type { AnswerFault, OfferedTool, Task, TaskAnswer } from './task/task.js';

/** What was asked. `offered`: the tools that are to be called; null where the answer is by the schema. */
export type AskedOf = { readonly task: Task; readonly offered: readonly OfferedTool[] | null };

/** An answer as it is proposed. `isWrapped`: its object stood in a fence or in prose. */
type Read = TaskAnswer & { readonly isWrapped: boolean };

/** Reads a reply. Its failures are `malformed` and `denied`: see `llmPort`. */
export function answerIn(asked: AskedOf, reply: Reply, body: Json): Result<Failure, Read> {
  const failure = failureOf(reply);
  if (failure !== null) return err(failure);
  const read = readAnswer(asked, reply, body);
  return read._tag === 'Left' ? err(unreadable(read.left)) : read;
}

/** What a model said, as one text. */
export function rawOf({ text, calls }: Reply): string {
  return calls.length === 0 ? text : JSON.stringify({ why: text, calls });
}

function readAnswer(
  { task, offered }: AskedOf,
  { text, calls }: Reply,
  body: Json,
): Result<AnswerFault, Read> {
  if (offered !== null) {
    if (calls.length === 0) return err({ code: 'no_call', path: '', text });
    const called = task.read({ why: text, calls }, body);
    return called._tag === 'Left' ? called : ok({ ...called.right, isWrapped: false });
  }
  const json = answerJson(text);
  if (json._tag === 'Left') return json;
  const read = task.read(json.right.json, body);
  return read._tag === 'Left' ? read : ok({ ...read.right, isWrapped: json.right.isWrapped });
}

function unreadable(fault: AnswerFault): Failure {
  return fault.isFinal === true
    ? { code: 'denied', final: true, detail: { code: fault.code, text: cutText(fault.text, TEXT_UNITS_MAX) } }
    : malformed(fault);
}

/** What keeps a reply from being read at all. */
function failureOf({ isTooLong, isRefusal, finish, error, text }: Reply): Failure | null {
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
