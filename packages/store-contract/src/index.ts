/**
 * The one suite that every store passes, and hand-made ledgers to feed stores with.
 *
 * @packageDocumentation
 */
export * from './contract.js';
export * from './trying.js';
export * from './processes.js';
export * from './writer.js';
export { ask, Children } from './children.js';
export * from './chain.js';
export * from './places.js';
export type { StorePlace } from './bench.js';
export type { Medium } from './ends.js';
export type { Damage } from './deaths.js';
