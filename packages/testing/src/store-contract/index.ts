/**
 * The one suite that every store passes, and hand-made ledgers to feed stores with.
 *
 * @packageDocumentation
 */
export { storeContract } from './contract.js';
export { tryingContract } from './trying.js';
export { processesContract, ask, Children, type Acknowledged, serveWriter } from './processes.js';
export { chainBytes, makeChain, headOfChain, smallChain, type StorePlace } from './bench.js';
export { type SmallMedium, canMount, mountSmall, temporaryFolder } from './places.js';
export type { Medium } from './ends.js';
export { journalContract } from './journal.js';
