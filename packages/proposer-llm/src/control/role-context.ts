/**
 * What models in roles are told beside what they are asked.
 *
 * @module
 */
import { subTaskIn, type Evidence, type SubTaskEvidence } from '@assay/controller/evidence';
import { field, isObject, type Json } from '@assay/kernel';

/**
 * `evidence`: what the run shows by now, folded from its records. `now`: milliseconds since 1970, by which
 * deadlines are read. Source: calls/C4, calls/C13.
 */
export type RoleContext = {
  readonly evidence: () => Evidence;
  readonly now?: () => number;
};

/** What there is of the sub-task that a body names; null where there is none. */
export function subTaskOf({ evidence }: RoleContext, body: Json): SubTaskEvidence | null {
  const id = isObject(body) ? field(body, 'subtask') : undefined;
  return typeof id === 'string' ? subTaskIn(evidence(), id) : null;
}
