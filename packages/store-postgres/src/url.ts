/** A PostgreSQL store by its address. */
import { err, ok, type Result } from '@assay/kernel';
import { maskedAddress, type StoreError } from '@assay/host';
import { parseAddress } from './address.js';
import { postgresStore, type PostgresStore, type PostgresStoreOptions } from './postgres-store.js';

/**
 * Opens `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with `?schema=NAME` and `&sslmode=MODE` where wanted
 * (`postgresql:` is the same). What is left out comes from libpq's variables (`PGUSER`, `PGPASSWORD` …) and
 * `.pgpass`. Error: `url`, with the password masked. Touches nothing.
 *
 * @example
 * ```ts
 * const store = orThrow(openUrl('postgres://app@db.example/runs?schema=assay'));
 * ```
 */
export function openUrl(url: string, options?: PostgresStoreOptions): Result<StoreError, PostgresStore> {
  const address = parseAddress(url);
  if (address._tag === 'Left') return err({ code: 'url', url: maskedAddress(url), detail: address.left });
  return ok(postgresStore(address.right, options));
}
