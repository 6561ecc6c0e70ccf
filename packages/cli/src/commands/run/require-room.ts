/**
 * Whether a folder can take the outputs of a stored run, found out before the run is driven.
 *
 * @module
 */
import { headOf, type Json, type Machine } from '@assay/kernel';
import { loadRun, type Store } from '@assay/host';
import { misuse } from '../../problems/problem.js';
import { isTaken, requireUnchanged } from './outputs.js';
import { recordsIn } from './records-in.js';
import { driveProblem, endedOf } from './run-request.js';

/**
 * Raises `Stop`, `exists`, where a folder holds anything that writing this run would change. What an
 * open run comes to is not known before its calls are paid, and only a run that is over is ever written, so
 * for an open one the folder must hold none of its files. Reads and derives the run where the folder is
 * taken; changes nothing.
 */
export async function requireRoom<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  folder: string,
  runId: string,
  store: Store,
  place: string,
): Promise<void> {
  if (!isTaken(folder)) return;
  const loaded = await loadRun(machine, runId, store);
  if (loaded._tag === 'Left') throw driveProblem(loaded.left, runId, place);
  const { due, run } = loaded.right;
  if (run.outcome === null)
    throw misuse(
      'exists',
      'this folder holds another run; nothing was asked and nothing written',
      folder,
      'name another folder with -o, or replace it with --force',
    );
  await requireUnchanged(
    folder,
    endedOf([...(await recordsIn(store, runId, place)), ...due], headOf(run), run.outcome),
  );
}
