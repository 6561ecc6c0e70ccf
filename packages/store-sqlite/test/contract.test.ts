import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SqliteDriver } from '../src/driver.ts';
import { canMount, storeContract, tryingContract } from '@assay/testing/store-contract';
import { describe, it } from 'vitest';
import { drivers } from './tools/drivers.js';
import { media } from './tools/media.js';
import { raw, sqlitePlace } from './tools/place.js';

const mayMount = canMount('store-sqlite');

for (const driver of drivers) {
  storeContract(
    `sqlite by ${driver.name} (SQLite ${driver.version})`,
    () => sqlitePlace(driver),
    { describe, it },
    mayMount ? media(driver) : [],
    ['die', 'tear', 'spoil'],
  );

  tryingContract(
    `sqlite by ${driver.name}`,
    () => sqlitePlace(driver),
    async ({ folder }) => (existsSync(join(folder, 'runs.db')) ? rowsOf(driver, folder) : null),
    { describe, it },
    mayMount ? media(driver).filter(({ errno }) => errno === 'EROFS') : [],
  );
}

function rowsOf(driver: SqliteDriver, folder: string): unknown {
  const db = raw(driver, folder);
  const rows = ['sqlite_master', 'assay_meta', 'runs', 'records'].map((table) =>
    db.rows(`SELECT * FROM ${table}`),
  );
  db.close();
  return rows;
}
