/**
 * Ledgers in plain files: a store without a database.
 *
 * @packageDocumentation
 */
export { LEDGER_SUFFIX, fileStore } from './file-store.js';
export { folderOfUrl, openUrl } from './url.js';
export { nodeDisk } from './disk.js';
export { takeLock } from './lock.js';
export { nodeProcesses, renderToken } from './owner.js';
