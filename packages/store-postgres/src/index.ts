/**
 * Ledgers in PostgreSQL.
 *
 * @packageDocumentation
 */
export {
  type ListPage,
  type PostgresStore,
  type PostgresStoreOptions,
  postgresStore,
} from './postgres-store.js';
export { openUrl } from './url.js';
export { DURABLE } from './statements.js';
export { batched } from './connections.js';
