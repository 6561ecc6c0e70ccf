/**
 * The part of attest that uses Node: the runtime's own Ed25519, key files and stored trees. Digest and
 * durable writing are given to it. The rest is pure: `@assay/attest`.
 *
 * @packageDocumentation
 */
export {
  makeKeyFiles,
  nativeEd25519,
  type NewKey,
  readSecretKey,
  readTrusted,
  type SecretKeyFault,
} from './node/key-files.js';
export { leadsToRoot, openTreeFile, type OpenTree, type TreeOrigin } from './node/tree-file.js';
export {
  extendsTree,
  LogError,
  type LogFault,
  LogReader,
  proveRun,
  readCheckpoint,
  readCosigned,
} from './node/log-folder.js';
export { type LogSequencer, type LogShell, openLog } from './node/log-sequencer.js';
export { type Witnessed, witnessLog } from './node/log-witness.js';
export { openLogGuard } from './node/log-guard.js';
