/**
 * Ledgers in PostgreSQL.
 *
 * @packageDocumentation
 */
export { type PostgresStore, type PostgresStoreOptions, postgresStore } from './postgres-store.js';
export { openUrl } from './url.js';
