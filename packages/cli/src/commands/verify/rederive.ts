/**
 * What a worker does for one file of `verify`: it is fed bytes whose integrity was judged, runs the machine
 * again, and tells what re-derivation came to.
 *
 * @module
 */
import { parentPort, workerData } from 'node:worker_threads';
import { nativeSha256 } from '@assay/host';
import { RederiveStream } from '@assay/verifier';
import { machinesFor } from '../../options/machines.js';
import { Stop } from '../../problems/problem.js';
import type { RederiveOrder, RederiveTask, RederiveTold } from './rederived-beside.js';

const { path, modules, limits } = workerData as RederiveOrder;
const tell = (told: RederiveTold): void => parentPort?.postMessage(told);
/** One task after the other: once something is wrong, nothing that follows is looked at. */
let stream = machinesFor(modules, [path]).then(
  (machines) => new RederiveStream({ machines, sha256: nativeSha256, limits }),
);
stream.catch(failed);
parentPort?.on('message', (task: RederiveTask) => {
  stream = stream.then((ready) => {
    if (task.t === 'chunk') {
      ready.push(task.chunk, task.sound);
      tell({ t: 'taken' });
    } else {
      tell({ t: 'ended', rederived: ready.end(task.summary) });
      parentPort?.close();
    }
    return ready;
  });
  stream.catch(failed);
});

function failed(error: unknown): void {
  if (!(error instanceof Stop)) throw error;
  tell({ t: 'problem', problem: error.problem });
}
