/**
 * What a planner writes into the context of a sub-task: steps for an executor that only carries them out, once and in
 * their order. A closed JSON format, `assay/steps/2`. Source: 003 §R2 "context", §R3; language/P1.
 *
 * ```
 * {"format":"assay/steps/2","output":{"do":[["json_lines"],["count"]],"from":"f1"},
 *  "steps":[{"each":null,"id":"f1","if_any":null,"input":{"name":"*.tmp"},"may_fail":false,"tool":"find_files"},
 *   {"guard":{"op":">=","than":"1","value":{"do":[["json_lines"],["count"]],"from":"f1"}},"says":"line 2"}]}
 * ```
 *
 * A *derivation* `{"from": …, "do": […]}` names the output of an earlier step, `prior.<n>`, that of the n-th
 * sub-task of an earlier group, or `empty`, a text of nothing; and what to make of it. In an input or an operation
 * it stands for its value.
 *
 * @module
 */
import {
  err,
  isObject,
  ok,
  parseShape,
  readCanonical,
  utf8Bytes,
  type Json,
  type Result,
} from '@assay/kernel';
import { closed, flag, free, list, nullable, oneOf, text, type Shape } from '@assay/kernel/shape';

/**
 * Why a value cannot be made, or a step not carried out. `not_whole`: only a part of an output is there.
 * `ambiguous`: a heading or a path that two have. `output_gone`: the whole of an output is not kept any more.
 * `too_long`: to be said without a file. `not_met`: a guard does not hold. `too_many`: more items than calls are
 * left.
 */
export type StepFault = {
  readonly code:
    | 'unknown_step'
    | 'unknown_operation'
    | 'wrong_value'
    | 'not_whole'
    | 'not_a_number'
    | 'ambiguous'
    | 'output_gone'
    | 'too_long'
    | 'not_met'
    | 'too_many';
  readonly detail: string;
};

/** Format of {@link Program}. */
export const STEPS_FORMAT = 'assay/steps/2';
/** Of decimals, and of texts, where one line end at the end does not count; `ends`: the text ends in the other. */
const COMPARISONS = ['=', '!=', '<', '<=', '>', '>=', 'is', 'is_not', 'ends'] as const;
/** An operation by its name, and its arguments. */
export type Operation = readonly Json[];
/** What is made of an output. */
export type Derivation = { readonly from: string; readonly do: readonly Operation[] };
/** What must be so. `than`: a text or a derivation. */
export type Holds = {
  readonly value: Derivation;
  readonly op: (typeof COMPARISONS)[number];
  readonly than: Json;
};
/**
 * One call. `may_fail`: what it says is of use also where it fails. `if_any`: left out where this is an empty
 * list; its output is then empty. `each`: made once for each item of this list, which is the output `item` in its
 * input.
 */
export type CallStep = {
  readonly id: string;
  readonly tool: string;
  readonly input: Json;
  readonly may_fail: boolean;
  readonly if_any: Derivation | null;
  readonly each: Derivation | null;
};
/** No step behind it is carried out unless it holds. `says`: what it is for people. */
export type GuardStep = { readonly guard: Holds; readonly says: string };
/** A value that is made once and has an id as an output has. */
export type ValueStep = { readonly id: string; readonly value: Derivation };
/** A step of a program. */
export type Step = CallStep | GuardStep | ValueStep;
/** What an executor carries out. `output`: what the sub-task hands on. */
export type Program = {
  readonly format: typeof STEPS_FORMAT;
  readonly steps: readonly Step[];
  readonly output: Derivation;
};

const NAME = text((value) => /^[a-z][a-z0-9_.]{0,31}$/.test(value));
const OPERATION: Shape = list(free, (items) => typeof items[0] === 'string');
export const DERIVATION: Shape = closed({ from: NAME, do: list(OPERATION, (items) => items.length <= 128) });
export const HOLDS: Shape = closed({ value: DERIVATION, op: oneOf(COMPARISONS), than: free });
const GUARD: Shape = closed({ guard: HOLDS, says: text(() => true) });
const CALL: Shape = closed({
  id: NAME,
  tool: NAME,
  input: free,
  may_fail: flag,
  if_any: nullable(DERIVATION),
  each: nullable(DERIVATION),
});
const VALUE: Shape = closed({ id: NAME, value: DERIVATION });
const PROGRAM: Shape = closed({
  format: oneOf([STEPS_FORMAT]),
  steps: list(
    (value) => shapeStep(value)(value),
    ({ length }) => length >= 1 && length <= STEPS_MAX,
  ),
  output: DERIVATION,
});

const STEPS_MAX = 4_096;

function shapeStep(value: unknown): Shape {
  if (typeof value !== 'object' || value === null) return CALL;
  return Object.hasOwn(value, 'guard') ? GUARD : Object.hasOwn(value, 'value') ? VALUE : CALL;
}

/** Reads the context of a sub-task. Code `not_steps`: it is no JSON, or departs from the format at {path}. */
export function parseProgram(
  context: string,
): Result<{ readonly code: 'not_steps'; readonly path: string }, Program> {
  const read = readCanonical(utf8Bytes(context));
  if (read._tag === 'Left') return err({ code: 'not_steps', path: '' });
  const shaped = parseShape<Program>(PROGRAM, read.right.value);
  return shaped._tag === 'Left' ? err({ code: 'not_steps', path: shaped.left.path }) : ok(shaped.right);
}

/** A derivation, where a value is one: an object with exactly these two keys. */
export function derivationIn(value: Json): Derivation | null {
  if (!isObject(value) || Object.keys(value).length !== 2) return null;
  const shaped = parseShape<Derivation>(DERIVATION, value);
  return shaped._tag === 'Left' ? null : shaped.right;
}
