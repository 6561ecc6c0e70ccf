/**
 * A plan as a model writes it: steps as structure, not as the text that a sub-task carries, and every key
 * present.
 *
 * @module
 */
import { CRITERION_MODES, type CriterionMode } from '@assay/controller';
import * as z from 'zod';

/** What is made of an output. */
export type WireDerivation = {
  readonly from: string;
  readonly do: readonly (readonly (string | number)[])[];
};
/** A word of a command. */
export type WireWord =
  | string
  | { readonly glob: string }
  | { readonly spread: WireDerivation }
  | WireDerivation;
/** The value of an argument. A list of lists is a pipeline. */
export type WireValue = string | number | boolean | WireDerivation | readonly (readonly WireWord[])[];
/** One call. */
export type WireStep = {
  readonly id: string;
  readonly tool: string;
  readonly arguments: readonly { readonly name: string; readonly value: WireValue }[];
  readonly may_fail: boolean;
  readonly if_any: WireDerivation | null;
};
/** What code can look for in the evidence of a sub-task; `of` names a tool or a path. */
export type WireCheck = { readonly is: 'ran' | 'written' | 'there' | 'gone'; readonly of: string };
/** A criterion of a sub-task. */
export type WireCriterion = {
  readonly text: string;
  readonly mode: CriterionMode;
  readonly hard: boolean;
  readonly check: WireCheck | null;
};
/** A criterion of the task. `subtask`: the place of the one whose output shows it. */
export type WireTaskCriterion = {
  readonly text: string;
  readonly mode: CriterionMode;
  readonly hard: boolean;
  readonly subtask: number | null;
};
/** A sub-task. */
export type WireSubTask = {
  readonly label: string;
  readonly sequence: number;
  readonly intent: string;
  readonly tries: readonly (readonly WireStep[])[];
  readonly output: WireDerivation;
  readonly criteria: readonly WireCriterion[];
};
/** An answer. */
export type WirePlan = {
  readonly plan: {
    readonly task_criteria: readonly WireTaskCriterion[];
    readonly subtasks: readonly WireSubTask[];
  } | null;
  readonly why: string | null;
};

const derivation: z.ZodType<WireDerivation> = z.strictObject({
  from: z.string(),
  do: z.array(z.array(z.union([z.string(), z.number()]))),
});
const word: z.ZodType<WireWord> = z.union([
  z.string(),
  z.strictObject({ glob: z.string() }),
  z.strictObject({ spread: derivation }),
  derivation,
]);
const value: z.ZodType<WireValue> = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  derivation,
  z.array(z.array(word)),
]);
const step: z.ZodType<WireStep> = z.strictObject({
  id: z.string(),
  tool: z.string(),
  arguments: z.array(z.strictObject({ name: z.string(), value })),
  may_fail: z.boolean(),
  if_any: z.nullable(derivation),
});
const asserted = { text: z.string(), mode: z.enum(CRITERION_MODES), hard: z.boolean() };
const criterion: z.ZodType<WireCriterion> = z.strictObject({
  ...asserted,
  check: z.nullable(z.strictObject({ is: z.enum(['ran', 'written', 'there', 'gone']), of: z.string() })),
});
const subtask: z.ZodType<WireSubTask> = z.strictObject({
  label: z.string(),
  sequence: z.number(),
  intent: z.string(),
  tries: z.array(z.array(step)),
  output: derivation,
  criteria: z.array(criterion),
});

/** Reads and checks an answer's shape. */
export const wirePlan: z.ZodType<WirePlan> = z.strictObject({
  plan: z.nullable(
    z.strictObject({
      task_criteria: z.array(z.strictObject({ ...asserted, subtask: z.nullable(z.number()) })),
      subtasks: z.array(subtask),
    }),
  ),
  why: z.nullable(z.string()),
});
