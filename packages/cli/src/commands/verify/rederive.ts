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
import type { RederiveOrder, RederiveTask } from './rederived-beside.js';

const { path, modules, limits } = workerData as RederiveOrder;
const machines = await machinesFor(modules, [path]);
const stream = new RederiveStream({ machines, sha256: nativeSha256, limits });
parentPort?.on('message', (task: RederiveTask) => {
  if (task.t === 'chunk') {
    stream.push(task.chunk, task.sound);
    parentPort?.postMessage(null);
    return;
  }
  parentPort?.postMessage(stream.end(task.summary));
  parentPort?.close();
});
