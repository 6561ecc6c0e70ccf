/**
 * What a worker does for `verify` with several threads: it is sent names of files and verifies them.
 *
 * @module
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { VerifyReport } from '@assay/verifier';
import type { VerifyOrder } from './in-threads.js';
import { verifyFile } from './verify-file.js';
import { plainOptions } from './verify-options.js';

const { files, flags } = workerData as VerifyOrder;
const options = plainOptions(files, flags);
// Whoever asks is told.
options.catch(() => undefined);
parentPort?.on('message', (path: string) => {
  void options
    .then((given) => verifyFile(path, { ...given, keepIndex: false }, { progress: () => undefined }))
    // The thread that asked does it again, and tells.
    .catch((): VerifyReport | null => null)
    .then((report) => parentPort?.postMessage(report));
});
