/**
 * What a worker does for `verify --limit seconds=N`: it is fed the bytes of one file, verifies them with the
 * machines, and tells what re-derivation came to.
 *
 * @module
 */
import { parentPort, workerData } from 'node:worker_threads';
import { nativeSha256 } from '@assay/host';
import { VerifyStream } from '@assay/verifier';
import { machinesFor } from '../../options/machines.js';
import type { RederiveOrder } from './within-seconds.js';

const { path, modules, limits } = workerData as RederiveOrder;
const machines = await machinesFor(modules, [path]);
const stream = new VerifyStream(path, { machines, sha256: nativeSha256, limits });
// Each chunk is acknowledged, so no more than one waits; null is the end of the file.
parentPort?.on('message', (chunk: Uint8Array | null) => {
  if (chunk !== null) {
    stream.push(chunk);
    parentPort?.postMessage(null);
    return;
  }
  const { due, checks } = stream.end().document;
  parentPort?.postMessage({ due, checks });
  parentPort?.close();
});
