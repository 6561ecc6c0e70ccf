/**
 * Ledgers in PostgreSQL.
 *
 * @packageDocumentation
 */
export { type PostgresStore, type PostgresStoreOptions, postgresStore } from './postgres-store.js';
export { openUrl } from './url.js';
export { DEFAULT_SCHEMA, parseAddress, type Address } from './address.js';
export type { Watch, WatchOptions } from './watch.js';
