/**
 * The next move of a sub-task, asked of a model as R3: calls of the sub-task's tools, or its end. Source: 003
 * §R3; calls/C1, calls/C4.
 *
 * @module
 */
import {
  admit,
  cutText,
  err,
  field,
  isObject,
  ok,
  OUTSIDE_LIMITS,
  type Json,
  type JsonObject,
  type Result,
} from '@assay/kernel';
import { CALLS_MAX, TEXT_MAX, type Tool, readBody } from '@assay/controller';
import { transcript } from '@assay/controller/evidence';
import * as z from 'zod';
import { keyTwiceIn } from '../answer-json.js';
import { NO_HISTORY, subTaskOf, type RoleContext } from './role-context.js';
import { STEP_PROMPT_1 } from './step-1.js';
import type { AnswerFault, OfferedTool, Task, TaskAnswer } from '../task/task.js';
import { fault, schemaOf, shaped } from '../task/strict.js';

const wire = z.strictObject({
  why: z.string(),
  calls: z.array(z.strictObject({ tool: z.string(), input: z.string() })),
});
const done = z.strictObject({ output: z.string(), rests_on: z.array(z.number()) });
const giveUp = z.strictObject({
  code: z.enum(['input_missing', 'cannot']),
  call: z.nullable(z.number()),
  why: z.string(),
});

/** The ends of a sub-task, offered beside its tools. */
const ENDS: readonly OfferedTool[] = [
  { name: 'done', description: 'The sub-task is done, and calls show it.', schema: schemaOf(done) },
  { name: 'give_up', description: 'The sub-task cannot be done.', schema: schemaOf(giveUp) },
];

/**
 * The task of kind `step`. A tool that there is not, or that the sub-task may not use, is left to the machine
 * to refuse. More than 8 calls are cut to the first 8; an end beside calls is left out, since it speaks of
 * what was not yet seen. Faults: `arguments`, an input that is no JSON; `duplicate_key`; `no_call`.
 */
export function stepTask(context: RoleContext): Task {
  return {
    kind: 'step',
    missing: NO_HISTORY,
    prompt: STEP_PROMPT_1,
    schema: schemaOf(wire),
    data: (body) => {
      const of = readBody('step', body) === null ? null : subTaskOf(context, body);
      return of === null ? null : transcript(of);
    },
    tools: (body) => {
      const names = subTaskOf(context, body)?.subtask.tools ?? [];
      const known = context.evidence().tools.filter(({ name }) => names.includes(name));
      return [...known.map(offered), ...ENDS];
    },
    read,
  };
}

/** Providers take no alternatives at the top of a schema; the tool checks them. */
function offered({ name, schema }: Tool): OfferedTool {
  const { description, anyOf: _any, oneOf: _one, allOf: _all, ...rest } = isObject(schema) ? schema : {};
  return {
    name,
    description: typeof description === 'string' ? description : '',
    schema: { type: 'object', ...rest },
  };
}

function read(answer: Json): Result<AnswerFault, TaskAnswer> {
  const said = shaped(wire, answer);
  if (said._tag === 'Left') return said;
  const moves: Move[] = [];
  for (const [index, { tool, input }] of said.right.calls.entries()) {
    const json = inputIn(input, `/calls/${index}/input`);
    if (json._tag === 'Left') return json;
    moves.push({ tool, input: json.right, path: `/calls/${index}/input` });
  }
  const calls = moves.filter(({ tool }) => !isEnd(tool)).slice(0, CALLS_MAX);
  const why = cutText(said.right.why, TEXT_MAX);
  if (calls.length > 0)
    return ok({
      value: { t: 'call', calls: calls.map(({ tool, input }) => ({ tool, input })), why },
      confidence: null,
    });
  const [end] = moves;
  return end === undefined ? fault('no_call', '/calls', why) : endOf(end);
}

type Move = { readonly tool: string; readonly input: Json; readonly path: string };

function isEnd(tool: string): boolean {
  return ENDS.some(({ name }) => name === tool);
}

function endOf({ tool, input, path }: Move): Result<AnswerFault, TaskAnswer> {
  const said: Result<AnswerFault, JsonObject> = tool === 'done' ? shaped(done, input) : shaped(giveUp, input);
  if (said._tag === 'Left') return err({ ...said.left, path: `${path}${said.left.path}` });
  const why = field(said.right, 'why');
  return ok({
    value: { t: tool, ...said.right, ...(typeof why === 'string' ? { why: cutText(why, TEXT_MAX) } : {}) },
    confidence: null,
  });
}

/** A call without arguments has an empty input. */
function inputIn(text: string, path: string): Result<AnswerFault, Json> {
  if (text.trim() === '') return ok({});
  const twice = keyTwiceIn(text);
  if (twice !== null) return fault('duplicate_key', path, twice);
  try {
    const admitted = admit(JSON.parse(text), OUTSIDE_LIMITS);
    return admitted._tag === 'Left'
      ? fault('inadmissible', `${path}${admitted.left.path}`, admitted.left.code)
      : ok(admitted.right.value);
  } catch {
    return fault('arguments', path, text);
  }
}
