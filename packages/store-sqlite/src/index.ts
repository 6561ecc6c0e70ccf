/**
 * The SQLite store: all runs in one database, by the driver that Node has, or by an optional prebuilt one.
 *
 * @packageDocumentation
 */
export { sqliteStore } from './sqlite-store.js';
export { openUrl, pathOfUrl } from './url.js';
export { findDriver } from './driver.js';
