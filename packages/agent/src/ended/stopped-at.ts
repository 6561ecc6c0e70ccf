/**
 * What stopped the work of a run: the last call of each sub-task that failed, in the tool's own words or,
 * where it went well, in the executor's, the look that showed that there is nothing to do it on, and the call
 * that its plan, a block or the Laws did not allow. Who plans is told neither. Source: 003 §R3, "evidence".
 *
 * @module
 */
import type { EvidenceRecord, Json } from '@assay/kernel';
import { eventsIn, listIn, textIn, valueIn } from './fields.js';

/** A call that ended work, and why. */
export type StoppedAt = { readonly tool: string; readonly said: string };

/** It is asked about, and what to add is said with the confirmations. */
const ASKED = 'needs_confirmation:';
/** Calls whose output does not say why work failed. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['ok', 'truncated']);
const ENDED: ReadonlySet<string> = new Set(['failed', 'uncertain']);
/**
 * Looks that show nothing: what is not there, and what the tool does not open, such as a folder or a link out
 * of the workspace.
 */
const SHOW_NOTHING: ReadonlySet<string> = new Set(['error', 'denied']);
const OUT_OF_TIME: ReadonlySet<string> = new Set(['timeout', 'interrupted']);
/** Calls that were made and not allowed: docs/formats/controller.md, "Evidence rules". */
const BREACHES: ReadonlySet<string> = new Set([
  'unknown_tool_used',
  'unconfirmed_action',
  'blocked_tool_used',
  'blocked_target_used',
  'undeclared_tool_used',
  'undeclared_target_used',
]);

/** The calls at which work failed, each once, in the order of records. */
export function stoppedAt(records: readonly EvidenceRecord[]): readonly StoppedAt[] {
  const lines = new Map<string, string>();
  const looks = new Map<string, StoppedAt>();
  let answer: Json = null;
  const found = records.flatMap((record): readonly StoppedAt[] => {
    if (record.kind === 'proposal') {
      answer = valueIn(record.payload, 'value');
      return failedCall(answer);
    }
    return eventsIn(record).flatMap((event) => [...breachIn(event, lines), ...lookIn(event, answer, looks)]);
  });
  return found.filter(
    ({ tool, said }, index) =>
      found.findIndex((other) => other.tool === tool && other.said === said) === index,
  );
}

function failedCall(answer: Json): readonly StoppedAt[] {
  if (!ENDED.has(textIn(answer, 'status'))) return [];
  const last = lastCall(answer);
  // Another way is tried after any other call; a call that ran out of time ends the work of its sub-task.
  if (textIn(answer, 'status') === 'uncertain' && !OUT_OF_TIME.has(textIn(last, 'status'))) return [];
  // What was cut short, or went well, shows what came of it; why nothing could be made of that the executor
  // says.
  const said = textIn(SAYS_NOTHING.has(textIn(last, 'status')) ? answer : last, 'output');
  return last === null || said === '' || said.startsWith(ASKED) ? [] : [{ tool: textIn(last, 'tool'), said }];
}

/**
 * The look that ended a sub-task: it was allowed to show nothing, so its attempt was completed, but nothing
 * of the sub-task stands without it and no other way was left. `answer`: that the event came of; `looks`: the
 * last such call by sub-task, as results are heard.
 */
function lookIn(event: Json, answer: Json, looks: Map<string, StoppedAt>): readonly StoppedAt[] {
  const body = valueIn(event, 'body');
  const subtask = textIn(body, 'subtask');
  const last = lastCall(answer);
  if (textIn(event, 'kind') === 'ExecutionResult' && last !== null) {
    const showsNothing =
      textIn(body, 'status') === 'completed' &&
      textIn(valueIn(body, 'contradiction'), 'code') === 'primary_call_failed' &&
      SHOW_NOTHING.has(textIn(last, 'status')) &&
      !textIn(last, 'output').startsWith(ASKED);
    if (showsNothing) looks.set(subtask, { tool: textIn(last, 'tool'), said: textIn(last, 'output') });
    else looks.delete(subtask);
  }
  const look =
    textIn(event, 'kind') === 'SubTaskOutcome' && textIn(body, 'status') === 'failed'
      ? looks.get(subtask)
      : undefined;
  return look === undefined ? [] : [look];
}

/**
 * The breach that ended a sub-task: its last result says at which call. `lines`: that call by sub-task, as
 * results are heard.
 */
function breachIn(event: Json, lines: Map<string, string>): readonly StoppedAt[] {
  const body = valueIn(event, 'body');
  const subtask = textIn(body, 'subtask');
  if (textIn(event, 'kind') === 'ExecutionResult')
    lines.set(subtask, textIn(valueIn(body, 'contradiction'), 'line'));
  const reason = textIn(body, 'reason');
  if (textIn(event, 'kind') !== 'SubTaskOutcome' || !BREACHES.has(reason)) return [];
  const [tool = '', ...call] = (lines.get(subtask) ?? '').split(': ');
  return [{ tool, said: `${reason}: ${call.join(': ')}` }];
}

function lastCall(answer: Json): Json {
  return listIn(answer, 'tool_calls').at(-1) ?? null;
}
