/**
 * Which run a turn of a session is.
 *
 * @module
 */
import { listRun, type Identity, type Store } from '@assay/host';
import { storeProblem } from '../inputs/store.js';
import type { Session } from './session.js';

/**
 * The name of the next turn: the derived one with the number of the turn. The last turns may come back word for word, and what they did would then pass for
 * what is asked now. A run that is over and is not this very turn, as of an earlier session over the same store, is passed over; an open one is gone on with.
 * Raises `Stop`: those of stores.
 */
export async function turnIdentity({ run_id, ts_base }: Identity, { count, begun }: Session, store: Store, place: string): Promise<Identity> {
  for (let turn = count + 1; ; turn += 1) {
    const identity = { run_id: `${run_id}-${turn}`, ts_base };
    if (identity.run_id === begun || !(await isOver(store, identity.run_id, place))) return identity;
  }
}

async function isOver(store: Store, runId: string, place: string): Promise<boolean> {
  const head = await store.head(runId);
  if (head._tag === 'Left') throw storeProblem(head.left, place);
  if (head.right === null) return false;
  // One that does not hold is no run that is over: driving it says what is wrong with it.
  const { listed } = await listRun(store, runId);
  return listed.outcome !== null && listed.outcome !== 'open';
}
