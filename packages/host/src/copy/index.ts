/**
 * Copying of runs between stores: judged where a run is read, compared where it arrived, never overwriting.
 * What goes wrong is a code; apart from the rest of the host, since it verifies.
 *
 * @packageDocumentation
 */
export { copyBeside } from './copy-beside.js';
export { copyRun, type CopyOptions } from './copy-run.js';
export { type CopyEnd, type CopyFault, type Invalid, type Side } from './batches.js';
