/**
 * What a planner writes into the context of a sub-task: steps for an executor that only carries them out. A
 * closed JSON format, `assay/steps/1`. Source: 003 §R2 "context", §R3.
 *
 * ```
 * {"format":"assay/steps/1","tries":[[{"id":"found","tool":"find_files","input":{"limit":2}}]],
 *  "output":{"from":"found","do":[["json_lines"],["first"],["pluck","path"]]}}
 * ```
 *
 * A *derivation* `{"from": …, "do": […]}` names the output of an earlier step, or `prior.<n>`, that of the
 * n-th sub-task of an earlier group, and what to make of it. In an input it stands for its value; as
 * `{"spread": derivation}` in a list, for the items of its value. `tries`: the steps of the first attempt, of
 * the second, and so on; where there is no try left, the sub-task fails.
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
import { closed, free, list, oneOf, text, type Shape } from '@assay/kernel/shape';

/**
 * Why a value cannot be made. `nothing_found`: the first of nothing; `not_whole`: only a part of an output is
 * there. `ambiguous`: a name that two columns have. `linked_folder`: paths that commands cannot tell apart.
 * `output_gone`: the whole of an output is not kept any more. `too_long`: to be said without a file.
 */
export type StepFault = {
  readonly code:
    | 'unknown_step'
    | 'unknown_operation'
    | 'wrong_value'
    | 'nothing_found'
    | 'not_whole'
    | 'not_a_number'
    | 'ambiguous'
    | 'linked_folder'
    | 'output_gone'
    | 'too_long';
  readonly detail: string;
};

/** Format of {@link Program}. */
export const STEPS_FORMAT = 'assay/steps/1';

/** One operation: its name, then what it needs. See `OPERATIONS`. */
export type Operation = readonly Json[];
/** A value made of an output. */
export type Derivation = { readonly from: string; readonly do: readonly Operation[] };
/**
 * One call. `may_fail`: what it says is of use also where it fails. `if_any`: left out where this is an empty
 * list; its output is then empty.
 */
export type CallStep = {
  readonly id: string;
  readonly tool: string;
  readonly input: Json;
  readonly may_fail: boolean;
  readonly if_any: Derivation | null;
};
/** What an executor carries out. `output`: what the sub-task hands on. */
export type Program = {
  readonly format: typeof STEPS_FORMAT;
  readonly tries: readonly (readonly CallStep[])[];
  readonly output: Derivation;
};

const NAME = text((value) => /^[a-z][a-z0-9_.]{0,31}$/.test(value));
const OPERATION: Shape = list(free, (items) => typeof items[0] === 'string');
/** Shape of a {@link Derivation}. */
export const DERIVATION: Shape = closed({ from: NAME, do: list(OPERATION, (items) => items.length <= 16) });
const PROGRAM: Shape = closed({
  format: oneOf([STEPS_FORMAT]),
  tries: list(
    list(
      closed({
        id: NAME,
        tool: NAME,
        input: free,
        may_fail: (value) => (typeof value === 'boolean' ? null : ''),
        if_any: (value) => (value === null ? null : DERIVATION(value)),
      }),
      (steps) => steps.length <= 32,
    ),
    (tries) => tries.length >= 1 && tries.length <= 8,
  ),
  output: DERIVATION,
});

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
