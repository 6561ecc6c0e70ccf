/**
 * The next move of a sub-task: which ones are turned away, and what follows from one. Every call is decided
 * on before it is made. Source: 003 §R3; calls/C1, calls/C2, calls/C6, calls/C7.
 */
import { canonicalize, type Context, type Json, type Rejection } from '@assay/kernel';
import { readText } from '@assay/kernel/shape';
import type { StepAnswer, StepBody } from '../protocol/requests.js';
import { findContradiction, type CallSeen } from '../protocol/claims.js';
import { misfit } from '../protocol/input-schema.js';
import { isAmong, type ToolInput } from '../protocol/tools.js';
import { ask, started, type Step, message } from './asking.js';
import { makeKey, nextCall } from './calling.js';
import { close } from './closing.js';
import { correct } from './judging.js';
import { bearing } from './dispatch.js';
import { missingFile, describeProgress, getSubTask, type ControllerState } from './state.js';

/** Codes of moves that are turned away for what they say: R3 chose wrong. */
const STEP_CODES: readonly string[] = [
  'unknown_tool',
  'not_allowed',
  'input_shape',
  'blocked_tool',
  'blocked_target',
  'repeated_call',
  'no_calls_left',
  'unknown_call',
  'unfounded',
];

/**
 * Why a move is turned away; null where it is not. Of calls, for each in its order, the first that applies:
 * `unknown_tool`, `not_allowed`, `input_shape`, `blocked_tool`, `blocked_target` (the input was called before,
 * and what it is about is blocked), `repeated_call` (it gave one output `guard.triples` − 1 times, and nothing
 * else was done between), then `no_calls_left`; of an end, `unknown_call`; of `input_missing`, `unfounded`
 * where it names no call that did not find what the user named.
 */
export function stepFault(
  state: ControllerState,
  { subtask: id }: StepBody,
  answer: StepAnswer,
  context: Context,
): Rejection | null {
  const { calls, allowed } = describeProgress(state, id);
  switch (answer.t) {
    case 'call': {
      for (const [at, call] of answer.calls.entries()) {
        const fault = callFault(state, id, call, context);
        if (fault !== null) return { code: fault.code, detail: { at, tool: call.tool, ...fault.detail } };
      }
      const left = allowed - calls.length;
      return answer.calls.length > left ? { code: 'no_calls_left', detail: { left } } : null;
    }
    case 'done':
      return unknownCall(calls, answer.rests_on);
    case 'give_up':
      return (
        unknownCall(calls, answer.call === null ? [] : [answer.call]) ??
        (answer.code === 'cannot' || isMissing(state, calls[answer.call ?? -1])
          ? null
          : { code: 'unfounded', detail: { call: answer.call } })
      );
  }
}

function unknownCall(calls: readonly CallSeen[], numbers: readonly number[]): Rejection | null {
  const n = numbers.find((number) => number >= calls.length);
  return n === undefined ? null : { code: 'unknown_call', detail: { n } };
}

/** True for a call that did not find what stands in the user's words. */
function isMissing(state: ControllerState, call: CallSeen | undefined): boolean {
  const { text } = started(state).setup.input;
  return call?.code === 'not_found' && call.target !== '' && isNamedIn(text, call.target);
}

/** True where a path stands in a text as a word of its own: no other path, and no part of one. */
function isNamedIn(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + path.length)];
    if (!/[\w./-]$/.test(before) && !/^(?:[\w/-]|\.\w)/.test(after) && /\w/.test(path)) return true;
  }
  return false;
}

type CallFault = { readonly code: string; readonly detail: { readonly [key: string]: string | number } };

function callFault(
  state: ControllerState,
  id: string,
  { tool: name, input }: ToolInput,
  context: Context,
): CallFault | null {
  const { tools, limits, guard } = started(state).setup.policy;
  const tool = tools.find((known) => known.name === name);
  if (tool === undefined) return { code: 'unknown_tool', detail: {} };
  if (!getSubTask(state, id).tools.includes(name)) return { code: 'not_allowed', detail: {} };
  const bytes = canonicalize(input);
  const path =
    bytes._tag === 'Left' || bytes.right.length > limits.input
      ? ''
      : misfit(tool.schema, input, context.meter);
  if (path !== null) return { code: 'input_shape', detail: { path } };
  const { forbidden_tools, forbidden_targets } = bearing(state);
  if (forbidden_tools.includes(name)) return { code: 'blocked_tool', detail: {} };
  const { calls } = describeProgress(state, id);
  const key = makeKey({ tool: name, input }, context);
  const last = calls.findLastIndex((call) => call.key === key);
  const before = calls[last];
  if (before === undefined) return null;
  if (isAmong(before, forbidden_targets))
    return { code: 'blocked_target', detail: { n: last, target: before.target } };
  return guard.triples > 1 && timesRepeated(calls, before) >= guard.triples - 1
    ? { code: 'repeated_call', detail: { n: last } }
    : null;
}

/** How often a call was made last with the same output, since something else was done. */
function timesRepeated(calls: readonly CallSeen[], { key, triple }: CallSeen): number {
  let times = 0;
  for (const call of calls.toReversed()) {
    const isOther = call.key !== key && call.kind === 'act' && call.status !== 'denied';
    if (isOther || (call.key === key && call.triple !== triple)) break;
    if (call.key === key) times += 1;
  }
  return times;
}

/** Hears a move: calls are made one by one, a claim is held against the calls and then judged. */
export function stepped(
  step: Step,
  { subtask: id }: StepBody,
  answer: StepAnswer,
  context: Context,
  depth: number,
): void {
  switch (answer.t) {
    case 'call': {
      const [first] = answer.calls;
      if (answer.calls.length > 1) step.emit({ t: 'queued', subtask: id, calls: answer.calls });
      if (first !== undefined) nextCall(step, id, first, depth);
      return;
    }
    case 'done':
      return claimed(step, id, answer, context, depth);
    case 'give_up': {
      const { code, call } = answer;
      const named = call === null ? undefined : describeProgress(step.state, id).calls[call];
      const isWorld = code === 'input_missing' || (named !== undefined && named.status !== 'ok');
      return close(step, id, {
        reason: code === 'cannot' ? 'gave_up' : code,
        class: isWorld ? null : 'logical',
        calls: call === null ? [] : [call],
      });
    }
  }
}

function claimed(
  step: Step,
  id: string,
  { output, rests_on }: Extract<StepAnswer, { readonly t: 'done' }>,
  context: Context,
  depth: number,
): void {
  const { attempt, calls, seen } = describeProgress(step.state, id);
  const { intent, criteria, words } = getSubTask(step.state, id);
  const file = missingFile(step.state, criteria);
  const contradiction =
    findContradiction(calls, { attempt, rests_on, words }) ??
    (file === null ? null : ({ code: 'file_not_shown', call: null } as const));
  step.emit(
    message('R3', 'R4a', 'ExecutionResult', { subtask: id, attempt, output, rests_on, contradiction }),
  );
  if (contradiction === null)
    return ask(
      step,
      'judge',
      { subtask: id, intent, criteria, attempt, claim: output, rests_on, seen },
      id,
      depth,
    );
  const { code, call } = contradiction;
  correct(step, id, {
    reason: code,
    class: code === 'primary_call_failed' ? 'environmental' : 'logical',
    signal: {
      what_was_wrong:
        code === 'file_not_shown'
          ? `${code}: no call wrote or read ${file ?? ''}`
          : call === null
            ? code
            : `${code}: call ${call}`,
      what_to_do: 'do it again in another way, and let a tool show that it was done',
      calls: call === null ? [] : [call],
    },
    context,
    depth,
  });
}

/**
 * Ends a sub-task whose executor gave no acceptable move: logical where every one was turned away for what it
 * said, else environmental.
 */
export function stepFailed(step: Step, { subtask: id }: StepBody, code: string, detail: Json): void {
  const last = code === 'exhausted' ? readText(detail, 'code') : '';
  const isWrong = STEP_CODES.includes(last);
  close(step, id, {
    reason: isWrong ? last : `executor_${code}`,
    class: isWrong ? 'logical' : null,
    calls: [],
  });
}
