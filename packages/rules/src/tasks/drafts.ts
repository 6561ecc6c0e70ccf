/**
 * Sub-tasks and criteria of the rules, as the protocol wants them. Source: 003 §R2.
 *
 * @module
 */
import type { CriterionDraft, SubTaskDraft } from '@assay/controller';
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
  readonly criteria: readonly CriterionDraft[];
};

/** A sub-task; its program stands in the context. What it says rests on calls. */
export function subTask(sequence: number, { label, intent, tries, output, criteria }: Work): SubTaskDraft {
  return {
    label,
    sequence,
    intent,
    context: canonicalText({ format: STEPS_FORMAT, tries, output }),
    success_criteria: criteria,
    tools: [...new Set(tries.flat().map(({ tool }) => tool))],
    words: false,
  };
}
