/**
 * Stores by their address.
 *
 * @module
 */
import type { Result } from '@assay/kernel';
import type { Store, StoreError } from '@assay/host';
import { misuse, unreachable, type Stop } from '../problem.js';

/**
 * Opens `file:DIR` or `sqlite:PATH`. `mustExist`: a database that is not there is an error when it is used, not a
 * store without runs. Raises {@link Stop} (exit 2) for any other address, and where there is no driver.
 */
export async function openStore(url: string, { mustExist = false }: { readonly mustExist?: boolean } = {}): Promise<Store> {
  const store = await opened(url, mustExist);
  if (store._tag === 'Right') return store.right;
  if (store.left.code === 'url') throw misuse('store_url', 'this is no address of a store', url, 'give file:DIR, such as file:./runs, or sqlite:PATH, such as sqlite:./runs.db');
  throw storeProblem(store.left, url);
}

/** Each kind of store is loaded only when it is named. */
async function opened(url: string, mustExist: boolean): Promise<Result<StoreError, Store>> {
  if (!url.startsWith('sqlite:')) return (await import('@assay/store-file')).openUrl(url);
  const { openUrl } = await import('@assay/store-sqlite');
  return openUrl(url, { create: !mustExist });
}

/** What a store's refusal means to the person at the terminal. `place`: the store's address. */
export function storeProblem(error: StoreError, place: string): Stop {
  switch (error.code) {
    case 'unavailable':
      if (error.errno === 'ENOENT' && error.operation === 'open') return unreachable('store_missing', 'there is no database', place, 'assay run --store makes one; check the path');
      return unreachable('store_unavailable', `the store cannot ${error.operation} (${error.errno})`, place, 'check the medium: room, permissions, whether it is mounted');
    case 'locked':
      return unreachable('store_locked', `another process writes this run (${error.owner})`, place, 'wait until it ends');
    case 'torn':
      return unreachable('store_torn', `what is stored of this run is damaged: ${error.detail}`, place, 'assay verify says where; restore the file from a copy');
    case 'run_id':
      return misuse('run_id', error.detail === 'name' ? 'this is no name for a run' : 'another run is stored under this name', error.run_id, 'give another --run-id');
    case 'stale_head':
      return unreachable('store_stale', 'another process has written to this run meanwhile', place, 'run it again');
    case 'driver':
      return misuse('store_driver', error.detail, place, `type: ${error.install}`);
    case 'schema':
      return misuse('store_schema', SCHEMA[error.detail](error.found, error.expected), place, SCHEMA_REMEDY[error.detail]);
    case 'closed':
    case 'url':
    case 'not_found':
      return unreachable(`store_${error.code}`, 'the store does not answer', place, 'check the address');
  }
}

const SCHEMA = {
  foreign: () => 'what is there is no store of Assay',
  older: (found: number | null, expected: number) => `the store has schema version ${found}, older than ${expected}, and cannot be migrated here`,
  newer: (found: number | null, expected: number) => `the store has schema version ${found}, newer than ${expected}, the newest this version knows`,
} as const;

const SCHEMA_REMEDY = {
  foreign: 'give another place; nothing there was changed',
  older: 'open it once where it can be written; nothing was changed',
  newer: 'use the version of Assay that wrote it, or a later one; nothing was changed',
} as const;
