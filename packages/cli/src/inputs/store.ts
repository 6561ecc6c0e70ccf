/**
 * Stores by their address.
 *
 * @module
 */
import type { Store, StoreError } from '@assay/host';
import { misuse, unreachable, type Stop } from '../problem.js';

/** Opens `file:DIR`. Raises {@link Stop} (exit 2) for any other address. */
export async function openStore(url: string): Promise<Store> {
  const { openUrl } = await import('@assay/store-file');
  const store = openUrl(url);
  if (store._tag === 'Right') return store.right;
  throw misuse('store_url', 'this is no address of a store', url, 'give file:DIR, such as file:./runs');
}

/** What a store's refusal means to the person at the terminal. `place`: the store's address. */
export function storeProblem(error: StoreError, place: string): Stop {
  switch (error.code) {
    case 'unavailable':
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
