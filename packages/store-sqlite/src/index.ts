/**
 * The SQLite store: all runs in one database, by the driver that Node has, or by an optional prebuilt one.
 *
 * @packageDocumentation
 */
export * from './sqlite-store.js';
export * from './url.js';
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
