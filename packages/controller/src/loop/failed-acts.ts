/**
 * Acts that failed in an earlier attempt at a sub-task: the correction asks for them to be done again, or in
 * another way, and a look alone is neither. Source: 003 §R4a "evidence grounding rule".
 *
 * @module
 */
import { callKind, contradictionOf, evidenceLine, type Contradiction } from '../protocol/evidence.js';
import { CALLS_MAX, type Tool, type ToolCall } from '../protocol/tools.js';
import type { FailedAct } from './events.js';

/**
 * The acts that these calls did not do again with success: the same tool on the same input, letter by letter.
 */
export function notDoneAgain(failed: readonly FailedAct[], calls: readonly ToolCall[]): readonly FailedAct[] {
  return failed.filter(
    ({ tool, input }) =>
      !calls.some((call) => call.status === 'ok' && call.tool === tool && call.input === input),
  );
}

/**
 * Why a claim does not stand that rests on looks alone, while an act of an attempt before stands as failed.
 * Null where something was done: a judge sees both.
 */
export function standingAgainst(
  [first]: readonly FailedAct[],
  calls: readonly ToolCall[],
  tools: readonly Tool[],
): Contradiction | null {
  if (first === undefined || calls.some((call) => callKind(call, tools) === 'act')) return null;
  return { code: first.code, line: first.line };
}

/**
 * The open acts, with those that failed among these calls and were not done again by a later one; each once,
 * at most as many as a result has calls.
 */
export function withFailedActs(
  open: readonly FailedAct[],
  calls: readonly ToolCall[],
  tools: readonly Tool[],
): readonly FailedAct[] {
  const acts = new Map(open.map((act) => [keyOf(act), act] as const));
  for (const [index, call] of calls.entries()) {
    // Each act by itself, and with the calls that came after it.
    const found = callKind(call, tools) === 'act' ? contradictionOf([call], tools) : null;
    if (found === null || found.code === 'nothing_was_done') continue;
    const [act] = notDoneAgain(
      [{ tool: call.tool, input: call.input, code: found.code, line: evidenceLine(call) }],
      calls.slice(index + 1),
    );
    if (act !== undefined) acts.set(keyOf(act), act);
  }
  return [...acts.values()].slice(0, CALLS_MAX);
}

function keyOf({ tool, input }: FailedAct): string {
  return `${tool}\n${input}`;
}
