/**
 * Ledgers in plain files: a store without a database.
 *
 * @packageDocumentation
 */
export {
  type FileStore,
  type FileStoreOptions,
  LEDGER_SUFFIX,
  type Repair,
  fileStore,
} from './file-store.js';
export { folderOfUrl, openUrl } from './url.js';
export { nodeDisk, type Disk, type DiskFile, type Look } from './disk.js';
export { LOCKS, takeLock, type Holder, type Lock } from './lock.js';
export { nodeProcesses, parseToken, tokenOf, type Owner, type Processes } from './owner.js';
