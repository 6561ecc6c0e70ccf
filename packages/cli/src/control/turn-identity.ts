/**
 * Which run a turn of a session is.
 *
 * @module
 */
import { listRun, type Identity, type Store } from '@assay/host';
import { storeProblem } from '../inputs/store.js';
import type { Session } from './session.js';
import { isDriven } from './session-turn.js';

/**
 * The name of the next turn: the derived one with the number of the turn. The last turns may come back word for word, and what they did would then pass for
 * what is asked now. A run that another call drives now is passed over, and so is one that is over and is no turn still to be added, as of an earlier session over the same store; an open one
 * is gone on with. Raises `Stop`: those of stores.
 */
export async function turnIdentity({ run_id, ts_base }: Identity, { count, begun }: Session, store: Store, place: string): Promise<Identity> {
  for (let turn = count + 1; ; turn += 1) {
    const identity = { run_id: `${run_id}-${turn}`, ts_base };
    const noted = begun.find((one) => one.run_id === identity.run_id);
    if (noted === undefined ? !(await isOver(store, identity.run_id, place)) : !isDriven(noted)) return identity;
  }
}

/** Whether a run is over in a store. Raises `Stop`: those of stores. */
export async function isOver(store: Store, runId: string, place: string): Promise<boolean> {
  const head = await store.head(runId);
  if (head._tag === 'Left') throw storeProblem(head.left, place);
  if (head.right === null) return false;
  // One that does not hold is no run that is over: driving it says what is wrong with it.
  const { listed } = await listRun(store, runId);
  return listed.outcome !== null && listed.outcome !== 'open';
}
