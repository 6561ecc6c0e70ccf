/**
 * Ledgers in PostgreSQL.
 *
 * @packageDocumentation
 */
export * from './postgres-store.js';
export * from './url.js';
export { DEFAULT_SCHEMA, parseAddress, type Address } from './address.js';
export type { Watch, WatchOptions } from './watch.js';
