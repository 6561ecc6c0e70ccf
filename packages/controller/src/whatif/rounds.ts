/**
 * The rounds of a recorded run: what R7 found and said, in order. Source: 002 §R7, "State-transfer display".
 *
 * @module
 */
import type { EvidenceRecord, Json } from '@assay/kernel';
import { readField, readText, listObjects } from '@assay/kernel/shape';
import type { GgsEvaluation } from '../ggs/evaluation.js';

/**
 * One evaluation as a table shows it. `exact` figures are "n/d"; `record`: where it stands among the records
 * given.
 */
export type RoundSeen = Pick<
  GgsEvaluation,
  | 'round'
  | 'D'
  | 'P'
  | 'Omega'
  | 'L'
  | 'grad_l'
  | 'grad_task'
  | 'epsilon_effective'
  | 'band'
  | 'cell'
  | 'prev_directive'
  | 'directive'
  | 'reason'
> & { readonly record: number };

/** The rounds in records of a controller run; those of anybody else's records give none. */
export function roundsIn(records: readonly EvidenceRecord[]): readonly RoundSeen[] {
  return records.flatMap(({ kind, payload }, sequence) => {
    if (kind === 'artifact')
      return readText(payload, 'name') === 'evaluation' ? seen(readField(payload, 'content'), sequence) : [];
    const events = kind === 'decision' ? listObjects(readField(payload, 'events')) : [];
    return events
      .filter((event) => readText(event, 'kind') === 'PlanDirective')
      .flatMap((event) => seen(readField(readField(event, 'body'), 'evaluation'), sequence));
  });
}

function seen(evaluation: Json, record: number): readonly RoundSeen[] {
  if (readText(evaluation, 'directive') === '' || typeof readField(evaluation, 'round') !== 'number')
    return [];
  const {
    round,
    D,
    P,
    Omega,
    L,
    grad_l,
    grad_task,
    epsilon_effective,
    band,
    cell,
    prev_directive,
    directive,
    reason,
  } = evaluation as unknown as GgsEvaluation;
  return [
    {
      round,
      D,
      P,
      Omega,
      L,
      grad_l,
      grad_task,
      epsilon_effective,
      band,
      cell,
      prev_directive,
      directive,
      reason,
      record,
    },
  ];
}
