/**
 * Sub-tasks and criteria of the rules, as the protocol wants them. Source: 003 §R2.
 *
 * @module
 */
import type { CriterionDraft, SubTaskDraft, Target } from '@assay/controller';
import {
  canonicalText,
  STEPS_FORMAT,
  type CallStep,
  type Check,
  type Derivation,
} from '@assay/controller/steps';

/**
 * A criterion with its check. Every criterion of the rules is hard: a file that is not what was asked for is
 * no success.
 */
export function criterion(text: string, check: Check): CriterionDraft {
  return { text, mode: 'verifiable', hard: true, check: { ...check } };
}

/** What a sub-task is made of. */
export type Work = {
  readonly label: string;
  readonly intent: string;
  readonly tries: readonly (readonly CallStep[])[];
  readonly output: Derivation;
  readonly uses: readonly Target[];
  readonly criteria: readonly CriterionDraft[];
};

/** A sub-task; its program stands in the context, and every tool of it in `uses`, each once. */
export function subTask(
  sequence: number,
  { label, intent, tries, output, uses, criteria }: Work,
): SubTaskDraft {
  const once = new Map(uses.map((use) => [canonicalText({ ...use }), use] as const));
  return {
    label,
    sequence,
    intent,
    context: canonicalText({ format: STEPS_FORMAT, tries, output }),
    success_criteria: criteria,
    uses: [...once.values()],
  };
}
