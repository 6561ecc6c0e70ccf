/**
 * What a worker does for `verify --limit seconds=N`: one file verified with its machines, of which
 * re-derivation is told.
 *
 * @module
 */
import { parentPort, workerData } from 'node:worker_threads';
import { nativeSha256 } from '@assay/host';
import { VerifyStream } from '@assay/verifier';
import { chunksOf } from '../files/read.js';
import { machinesFor } from '../inputs/machines.js';
import type { RederiveOrder } from './within-seconds.js';

const { path, modules, limits } = workerData as RederiveOrder;
const stream = new VerifyStream(path, {
  machines: await machinesFor(modules, [path]),
  sha256: nativeSha256,
  limits,
});
for await (const chunk of chunksOf(path)) {
  stream.push(chunk);
  if (stream.isDecided) break;
}
const { due, checks } = stream.end().document;
parentPort?.postMessage({ due, rederivation: checks.rederivation });
