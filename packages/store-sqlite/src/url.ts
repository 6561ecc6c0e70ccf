/** A SQLite store by its address. */
import { fileURLToPath } from 'node:url';
import { err, ok, type Result } from '@assay/kernel';
import type { StoreError } from '@assay/host';
import { findDriver } from './driver.js';
import { sqliteStore, type SqliteStore, type SqliteStoreOptions } from './sqlite-store.js';

/**
 * Opens `sqlite:PATH` (the rest is a path, taken as it stands, relative to the working folder) or
 * `sqlite:///PATH` (percent-decoded, as in a file URL) by the driver that is there. Error: `url`, `driver`.
 * Touches nothing.
 *
 * @example
 * ```ts
 * const store = orThrow(await openUrl('sqlite:./runs.db'));
 * ```
 */
export async function openUrl(
  url: string,
  options?: SqliteStoreOptions,
): Promise<Result<StoreError, SqliteStore>> {
  const path = pathOfUrl(url);
  if (path === null) return err({ code: 'url', url, detail: 'expected sqlite:PATH' });
  const driver = await findDriver();
  return driver._tag === 'Left' ? driver : ok(sqliteStore(path, driver.right, options));
}

/**
 * SQLite's own names for a database in memory, which keeps nothing; as a path one would name a file of that
 * name.
 */
const IN_MEMORY = /^(?:file:)?:memory:/;

/** The path of the database that an address names; null where it is none, or one in memory. */
export function pathOfUrl(url: string): string | null {
  if (!url.startsWith('sqlite:') || url.includes('\0')) return null;
  const rest = url.slice('sqlite:'.length);
  if (!rest.startsWith('//')) return rest === '' || IN_MEMORY.test(rest) ? null : rest;
  try {
    return fileURLToPath(`file:${rest}`);
  } catch {
    return null;
  }
}
