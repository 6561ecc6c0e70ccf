/**
 * The SQLite store: all runs in one database, by the driver that Node has, or by an optional prebuilt one.
 *
 * @packageDocumentation
 */
export { type SqliteStore, type SqliteStoreOptions, sqliteStore } from './sqlite-store.js';
export { openUrl, pathOfUrl } from './url.js';
export type { Survives } from './database.js';
export { SqliteFailure } from './failure.js';
export { APPLICATION_ID, SCHEMA_VERSION } from './schema.js';
export {
  findDriver,
  libsqlDriver,
  LIBSQL_VERSION,
  nodeDriver,
  type Connection,
  type Row,
  type SqliteDriver,
  type SqlValue,
} from './driver.js';
