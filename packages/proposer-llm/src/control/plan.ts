/**
 * Which steps reach a task, asked of a model as R2. The model plans, and the effector acts: what a model
 * writes becomes a program of `assay/steps/1` that is carried out as it stands, and the tools that a sub-task
 * uses are read off its steps, not off what it says. Source: 003 §R2, §R3; dec-G21.
 *
 * @module
 */
import {
  admit,
  isArray,
  isObject,
  ok,
  orThrow,
  type Json,
  type JsonObject,
  type Result,
} from '@assay/kernel';
import { ANY_TARGET, CONTEXT_MAX, parsePlanBody, TARGET_MAX, type Target } from '@assay/controller';
import {
  insidePath,
  OPERATIONS,
  parseProgram,
  recordedInput,
  STEPS_FORMAT,
  type Check,
} from '@assay/controller/steps';
import { PLAN_PROMPT_2 } from './plan-2.js';
import type { AnswerFault, Task, TaskAnswer } from '../task/task.js';
import { declined, fault, schemaOf, shaped } from '../task/strict.js';
import {
  wirePlan,
  type WireCheck,
  type WireDerivation,
  type WireStep,
  type WireSubTask,
  type WireTaskCriterion,
} from './plan-wire.js';
import { TOOL_ARGUMENTS } from './tool-arguments.js';

/**
 * The task of kind `plan`. A model may decline: the final failure `denied` {code: "declined"}. Faults:
 * `tool`, none that the effector has; `argument`, one that the tool does not take, or twice, or that is
 * missing; `operation`, no such one; `unknown_step`, an output that no step before gives; `path`, one that
 * leaves the workspace; `steps`, what else is no program; `too_long`, a program of more than 20,000 units.
 * Whether the run has the tool, and what is blocked, the machine says.
 */
export const planTask: Task = { kind: 'plan', prompt: PLAN_PROMPT_2, schema: schemaOf(wirePlan), data, read };

function data(body: Json): JsonObject | null {
  const asked = parsePlanBody(body);
  if (asked === null) return null;
  const tools = asked.tools
    .filter(({ name, available }) => available && TOOL_ARGUMENTS.has(name))
    .map(({ name, class: kind, reversible }) => ({ name, class: kind, reversible }));
  return { ...(body as JsonObject), tools };
}

function read(answer: Json): Result<AnswerFault, TaskAnswer> {
  const said = shaped(wirePlan, answer);
  if (said._tag === 'Left') return said;
  const { plan, why } = said.right;
  if (plan === null) return declined(why);
  const subtasks: JsonObject[] = [];
  for (const [index, wire] of plan.subtasks.entries()) {
    const subtask = subtaskOf(wire, `/plan/subtasks/${index}`);
    if (subtask._tag === 'Left') return subtask;
    subtasks.push(subtask.right);
  }
  return ok({ value: { task_criteria: plan.task_criteria.map(taskCriterion), subtasks }, confidence: null });
}

function taskCriterion({ text, mode, hard, subtask }: WireTaskCriterion): JsonObject {
  return { text, mode, hard, check: subtask === null ? null : { is: 'present', at: subtask } };
}

function subtaskOf(
  { label, sequence, intent, tries, output, criteria }: WireSubTask,
  path: string,
): Result<AnswerFault, JsonObject> {
  const calls: Made[][] = [];
  for (const [index, steps] of tries.entries()) {
    const made = stepsOf(steps, output, { tries: `${path}/tries/${index}`, output: `${path}/output` });
    if (made._tag === 'Left') return made;
    calls.push(made.right);
  }
  const context = textOf({
    format: STEPS_FORMAT,
    tries: calls.map((steps) => steps.map(({ step }) => step)),
    output: derived(output),
  });
  if (context.length > CONTEXT_MAX) return fault('too_long', path, `${context.length} units`);
  const program = parseProgram(context);
  if (program._tag === 'Left')
    return fault(
      'steps',
      `${path}${program.left.path}`,
      'an id is a name in lower case; 1 to 8 tries of at most 32 steps; at most 16 operations',
    );
  const success_criteria: JsonObject[] = [];
  for (const [index, { text, mode, hard, check }] of criteria.entries()) {
    const checked = check === null ? ok(null) : checkOf(check, `${path}/criteria/${index}/check/of`);
    if (checked._tag === 'Left') return checked;
    success_criteria.push({ text, mode, hard, check: checked.right });
  }
  const uses = new Map(calls.flat().map(({ use }) => [textOf({ ...use }), { ...use }] as const));
  return ok({ label, sequence, intent, context, success_criteria, uses: [...uses.values()] });
}

type Made = { readonly step: JsonObject; readonly use: Target };
type Places = { readonly tries: string; readonly output: string };

/** The steps of one try, each with what it uses. Only what came before can be built on. */
function stepsOf(
  steps: readonly WireStep[],
  output: WireDerivation,
  places: Places,
): Result<AnswerFault, Made[]> {
  const known = new Set<string>();
  const made: Made[] = [];
  for (const [index, wire] of steps.entries()) {
    const path = `${places.tries}/${index}`;
    const input = inputOf(wire, known, `${path}/arguments`);
    if (input._tag === 'Left') return input;
    const condition = wire.if_any === null ? null : derivationFault(wire.if_any, known, `${path}/if_any`);
    if (condition !== null) return condition;
    if (known.has(wire.id)) return fault('steps', `${path}/id`, `${wire.id} stands twice`);
    known.add(wire.id);
    const { id, tool, may_fail, if_any } = wire;
    made.push({
      step: { id, tool, input: input.right, may_fail, if_any: if_any === null ? null : derived(if_any) },
      use: { tool, target: targetOf(tool, input.right) },
    });
  }
  return derivationFault(output, known, places.output) ?? ok(made);
}

/** The input of a call: its arguments by their names. */
function inputOf(
  { tool, arguments: given }: WireStep,
  known: ReadonlySet<string>,
  path: string,
): Result<AnswerFault, JsonObject> {
  const takes = TOOL_ARGUMENTS.get(tool);
  if (takes === undefined) return fault('tool', path, tool);
  const isAlone = given.length === 1 && given[0]?.name === takes.alone;
  const input = new Map<string, Json>();
  for (const [index, { name, value }] of given.entries()) {
    if (input.has(name) || !(isAlone || takes.needed.includes(name) || takes.more.includes(name)))
      return fault('argument', `${path}/${index}/name`, `${tool} ${name}`);
    const wrong = derivationsIn(value)
      .map((derivation) => derivationFault(derivation, known, `${path}/${index}/value`))
      .find((found) => found !== null);
    if (wrong !== undefined) return wrong;
    input.set(name, value);
  }
  const missing = isAlone ? undefined : takes.needed.find((name) => !input.has(name));
  return missing === undefined
    ? ok(Object.fromEntries(input))
    : fault('argument', path, `${tool} needs ${missing}`);
}

/** Under which text a plan names a call's input: `*` where it is made of outputs. Source: dec-G21. */
function targetOf(tool: string, input: Json): string {
  const isOpen = derivationsIn(input).length > 0 || (tool === 'shell' && textOf(input).includes('{"glob":'));
  const target = isOpen ? ANY_TARGET : recordedInput(tool, input);
  return target.length > TARGET_MAX ? ANY_TARGET : target;
}

/** Every derivation in a value. */
function derivationsIn(value: Json): readonly WireDerivation[] {
  if (isArray(value)) return value.flatMap(derivationsIn);
  if (!isObject(value)) return [];
  return 'from' in value && 'do' in value
    ? [value as unknown as WireDerivation]
    : Object.values(value).flatMap(derivationsIn);
}

function derivationFault(
  { from, do: operations }: WireDerivation,
  known: ReadonlySet<string>,
  path: string,
): Result<AnswerFault, never> | null {
  if (!known.has(from) && !/^prior\.(?:0|[1-9]\d?)$/.test(from))
    return fault('unknown_step', `${path}/from`, from);
  const at = operations.findIndex(([name]) => typeof name !== 'string' || !OPERATIONS.has(name));
  return at === -1 ? null : fault('operation', `${path}/do/${at}`, String(operations[at]?.[0] ?? ''));
}

/** What code looks for, in the form of the rules' validator. A file is looked for by reading it. */
function checkOf({ is, of }: WireCheck, at: string): Result<AnswerFault, JsonObject> {
  if (is === 'ran') return ok(checkAs({ is: 'ran', look: { tool: of, inputs: [] } }));
  const path = insidePath(of);
  if (path === null) return fault('path', at, of);
  const look = { tool: 'read_file', inputs: [recordedInput('read_file', { path })] };
  return ok(checkAs(is === 'written' ? { is: 'stands', path, look, want: null } : { is, look }));
}

function checkAs(check: Check): JsonObject {
  return { ...check };
}

function derived({ from, do: operations }: WireDerivation): JsonObject {
  return { from, do: operations };
}

function textOf(value: Json): string {
  return orThrow(admit(value)).text;
}
