/** What models in roles are told beside what they are asked. */
import { callsIn, subTaskIn, type Evidence, type SubTaskEvidence } from '../evidence/index.js';
import { field, isObject, type Json } from '@assay/kernel';

/**
 * `evidence`: what the run shows by now, folded from its records. `now`: milliseconds since 1970, by which
 * deadlines are read. Source: calls/C4, calls/C13.
 */
export type RoleContext = {
  readonly evidence: () => Evidence;
  readonly now?: () => number;
};

/** Code of a request over a sub-task of which not all is known, as of a continuation without its base. */
export const NO_HISTORY = 'no_history';

/** What there is of the sub-task that a body names; null where that is not all that was seen of it. */
export function findSubTask({ evidence }: RoleContext, body: Json): SubTaskEvidence | null {
  const id = isObject(body) ? field(body, 'subtask') : undefined;
  const of = typeof id === 'string' ? subTaskIn(evidence(), id) : null;
  const seen = isObject(body) ? (field(body, 'seen') ?? null) : null;
  return of !== null && isObject(seen) && field(seen, 'calls') === callsIn(of).length ? of : null;
}
