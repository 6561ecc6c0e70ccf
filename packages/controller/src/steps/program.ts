/**
 * What a planner writes into the context of a sub-task: steps for an executor that only carries them out,
 * once and in their order. A closed JSON format, `assay/steps/2`.
 *
 * ```
 * {"format":"assay/steps/2","output":{"do":[["json_lines"],["count"]],"from":"f1"},
 *  "steps":[{"each":null,"id":"f1","if_any":null,"input":{"name":"*.tmp"},"may_fail":false,"tool":"find_files"},
 *   {"guard":{"op":">=","than":"1","value":{"do":[["json_lines"],["count"]],"from":"f1"}},"says":"line 2"}]}
 * ```
 *
 * A *derivation* `{"from": …, "do": […]}` names the output of an earlier step, `prior.<n>`, that of the n-th
 * sub-task of an earlier group, or `empty`, a text of nothing; and what to make of it. In an input or an
 * operation it stands for its value.
 *
 * What a criterion of the rules says for their own validators to check: closed JSON in `check`. Source: 003
 * §R2 "context"; §R3; language/P1; 003 §R2 "concrete; checkable assertions"; §R4a.
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
  hashText,
  utf8Length,
  type Digest,
  type Sha256,
} from '@assay/kernel';
import { closed, flag, free, list, nullable, oneOf, text, type Shape } from '@assay/kernel/shape';
import { callsIn, type EvidenceCall, type SubTaskEvidence } from '../evidence/evidence.js';

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

/** Format of a program of steps. */
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
const GUARD: Shape = closed({ guard: HOLDS, says: text() });
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

/**
 * One check; `step`, `by`: ids of steps. `ran`: the step's calls went well. `there`, `gone`: a look at a path
 * finds it, or does not. `stands`: a tool said at `step` that it wrote, the look `by` shows the same bytes, and
 * they are `want`, a text or a derivation. `holds`: see `Holds`. `claim`: what is handed on is this value. `all`:
 * each of these. Of a task, `present`: there is an outcome, which is an answer or what a tool said last.
 */
export type Check =
  | { readonly is: 'ran' | 'there' | 'gone'; readonly step: string }
  | { readonly is: 'stands'; readonly step: string; readonly by: string; readonly want: Json }
  | { readonly is: 'holds'; readonly that: Holds }
  | { readonly is: 'claim'; readonly value: Derivation }
  | { readonly is: 'all'; readonly of: readonly Check[] }
  | { readonly is: 'present'; readonly as: 'answer' | 'word' };

const any = text();
const BY_STEP = closed({ is: any, step: any });
const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['ran', BY_STEP],
  ['there', BY_STEP],
  ['gone', BY_STEP],
  ['stands', closed({ is: any, step: any, by: any, want: free })],
  ['holds', closed({ is: any, that: HOLDS })],
  ['claim', closed({ is: any, value: DERIVATION })],
  ['all', closed({ is: any, of: list((value) => readShape(value)(value)) })],
  ['present', closed({ is: any, as: oneOf(['answer', 'word']) })],
]);

function readShape(value: unknown): Shape {
  const is = isObject(value as Json) ? (value as { readonly is?: unknown }).is : undefined;
  return (typeof is === 'string' ? SHAPES.get(is) : undefined) ?? (() => '');
}

/** Reads a check; null for one of another planner, which these validators cannot judge. */
export function parseCheck(value: Json): Check | null {
  const shaped = parseShape<Check>(readShape(value), value);
  return shaped._tag === 'Left' ? null : shaped.right;
}

/** Whole outputs by their digests, as far as they are kept. */
export type Wholes = ReadonlyMap<Digest, string>;

/** Digests of the outputs that the records do not show whole: what {@link Wholes} should hold. */
export function wholesWanted(of: SubTaskEvidence, sha256: Sha256): readonly Digest[] {
  return [
    ...new Set(
      callsIn(of).flatMap((call) =>
        call.digest === null || isWhole(call.output, call, sha256) ? [] : [call.digest],
      ),
    ),
  ];
}

/**
 * The whole output of a call, said exactly: bytes that are no text look like text that was never there, and
 * are `not_whole`. `output_gone`: its digest is known, and nobody kept it.
 */
export function findWhole(call: EvidenceCall, wholes: Wholes, sha256: Sha256): Result<StepFault, string> {
  const { n, output, output_bytes, digest } = call;
  if (isWhole(output, call, sha256)) return ok(output);
  const kept = digest === null ? '' : wholes.get(digest);
  if (kept === undefined)
    return err({ code: 'output_gone', detail: `that of call ${n}, ${output_bytes} bytes` });
  return isWhole(kept, call, sha256)
    ? ok(kept)
    : err({ code: 'not_whole', detail: `${output_bytes} bytes, or not all of them text` });
}

function isWhole(text: string, { output_bytes, digest }: EvidenceCall, sha256: Sha256): boolean {
  return utf8Length(text) === output_bytes && (digest === null || hashText(text, sha256) === digest);
}
