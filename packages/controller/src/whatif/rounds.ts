/**
 * The rounds of a recorded run: what R7 found and said, in order. Source: 002 §R7, "State-transfer display".
 *
 * @module
 */
import { field, isArray, isObject, type EvidenceRecord, type Json } from '@assay/kernel';
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
      return isObject(payload) && field(payload, 'name') === 'evaluation'
        ? seen(field(payload, 'content') ?? null, sequence)
        : [];
    const events = kind === 'decision' && isObject(payload) ? (field(payload, 'events') ?? null) : null;
    return (isArray(events) ? events : []).flatMap((event) =>
      isObject(event) && field(event, 'kind') === 'PlanDirective' ? seen(evaluationOf(event), sequence) : [],
    );
  });
}

function evaluationOf(event: Json): Json {
  const body = isObject(event) ? (field(event, 'body') ?? null) : null;
  return isObject(body) ? (field(body, 'evaluation') ?? null) : null;
}

function seen(evaluation: Json, record: number): readonly RoundSeen[] {
  if (
    !isObject(evaluation) ||
    typeof field(evaluation, 'directive') !== 'string' ||
    typeof field(evaluation, 'round') !== 'number'
  )
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
