/**
 * What stopped the work of a run: the last call of each sub-task that failed, in the tool's own words or, where it went well, in the executor's, and the call that its plan, a block or the Laws did not allow.
 * Who plans is told neither. Source: 003 §R3, "evidence".
 *
 * @module
 */
import { field, isArray, isObject, type EvidenceRecord, type Json } from '@assay/kernel';
import { textIn, valueIn } from '../inputs/fields.js';
import { cut } from '../output/cut.js';
import { show, type Shown } from '../output/shown.js';

/** A call that ended work, and why. */
export type StoppedAt = { readonly tool: string; readonly said: string };

const SAID_POINTS = 200;
/** It is asked about, and what to add is said with the confirmations. */
const ASKED = 'needs_confirmation:';
/** Calls whose output does not say why work failed. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['ok', 'truncated']);
const ENDED: ReadonlySet<string> = new Set(['failed', 'uncertain']);
const OUT_OF_TIME: ReadonlySet<string> = new Set(['timeout', 'interrupted']);
/** Calls that were made and not allowed: docs/formats/controller.md, "Evidence rules". */
const BREACHES: ReadonlySet<string> = new Set(['unknown_tool_used', 'unconfirmed_action', 'blocked_tool_used', 'blocked_target_used', 'undeclared_tool_used', 'undeclared_target_used']);

/** The calls at which work failed, each once, in the order of records. */
export function stoppedAt(records: readonly EvidenceRecord[]): readonly StoppedAt[] {
  const lines = new Map<string, string>();
  const found = records.flatMap(({ kind, payload }): readonly StoppedAt[] => {
    if (kind === 'proposal') return failedCall(valueIn(payload, 'value'));
    const events = kind === 'decision' && isObject(payload) ? (field(payload, 'events') ?? null) : null;
    return isArray(events) ? events.flatMap((event) => breachIn(event, lines)) : [];
  });
  return found.filter(({ tool, said }, index) => found.findIndex((other) => other.tool === tool && other.said === said) === index);
}

function failedCall(answer: Json): readonly StoppedAt[] {
  const calls = isObject(answer) && ENDED.has(textIn(answer, 'status')) ? (field(answer, 'tool_calls') ?? null) : null;
  const last: Json = isArray(calls) ? (calls.at(-1) ?? null) : null;
  // Another way is tried after any other call; a call that ran out of time ends the work of its sub-task.
  if (textIn(answer, 'status') === 'uncertain' && !OUT_OF_TIME.has(textIn(last, 'status'))) return [];
  // What was cut short, or went well, shows what came of it; why nothing could be made of that the executor says.
  const said = textIn(SAYS_NOTHING.has(textIn(last, 'status')) ? answer : last, 'output');
  return last === null || said === '' || said.startsWith(ASKED) ? [] : [{ tool: textIn(last, 'tool'), said }];
}

/** The breach that ended a sub-task: its last result says at which call. `lines`: that call by sub-task, as results are heard. */
function breachIn(event: Json, lines: Map<string, string>): readonly StoppedAt[] {
  const body = isObject(event) ? (field(event, 'body') ?? null) : null;
  if (!isObject(body)) return [];
  const subtask = textIn(body, 'subtask');
  if (textIn(event, 'kind') === 'ExecutionResult') lines.set(subtask, textIn(field(body, 'contradiction') ?? null, 'line'));
  const reason = textIn(body, 'reason');
  if (textIn(event, 'kind') !== 'SubTaskOutcome' || !BREACHES.has(reason)) return [];
  const [tool = '', ...call] = (lines.get(subtask) ?? '').split(': ');
  return [{ tool, said: `${reason}: ${call.join(': ')}` }];
}

/** One line for each. */
export function stoppedLines(stopped: readonly StoppedAt[]): readonly Shown[] {
  return stopped.map(({ tool, said }) => show`stopped at  ${tool}: ${cut(said, SAID_POINTS)}`);
}
