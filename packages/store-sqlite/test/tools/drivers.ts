import { libsqlDriver, nodeDriver, type SqliteDriver } from '../../src/driver.ts';

/**
 * The drivers of this machine. Node 20 has only libsql; from 22.13 on there are both, and both are tested.
 */
export const drivers: readonly SqliteDriver[] = [nodeDriver(), await libsqlDriver()].filter(
  (driver) => driver !== null,
);

if (drivers.length === 0) throw new Error('no driver for SQLite: run npm ci');
