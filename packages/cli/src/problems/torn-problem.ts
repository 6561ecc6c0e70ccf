/**
 * A stored run that is damaged, and what to type about it.
 *
 * @module
 */
import type { StoreError } from '@assay/host';
import { show } from '../terminal/shown.js';
import { unsound, type Stop } from './problem.js';
import { restoreRemedy } from './restore-remedy.js';

/** The problem, exit 3. `place`: the store's address, without its password. */
export function tornProblem({ run_id, detail }: Extract<StoreError, { code: 'torn' }>, place: string): Stop {
  return unsound(
    'store_torn',
    `run ${run_id} is damaged: ${detail}`,
    place,
    show`nothing was changed; ${restoreRemedy(place)}`,
  );
}
