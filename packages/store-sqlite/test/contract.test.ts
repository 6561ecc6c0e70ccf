import { storeContract } from '@assay/store-contract';
import { describe, it } from 'vitest';
import { drivers } from './tools/drivers.js';
import { canMount, media } from './tools/media.js';
import { sqlitePlace } from './tools/place.js';

const mayMount = canMount();

for (const driver of drivers) {
  storeContract(`sqlite by ${driver.name} (SQLite ${driver.version})`, () => sqlitePlace(driver), { describe, it }, mayMount ? media(driver) : [], ['die', 'tear', 'spoil']);
}
