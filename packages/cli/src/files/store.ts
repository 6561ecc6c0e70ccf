/** Stores by their address. */
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { folderJournal, maskedAddress, type Journal, type Store, type StoreError } from '@assay/host';
import { readErrno } from '@assay/host/files';
import { err, type Result } from '@assay/kernel';
import type { ListPage, PostgresStore } from '@assay/store-postgres';
import { misuse, orStop, unreachable, unsound, type Stop, badValue } from '../problems/problem.js';
import { serverProblem } from '../problems/server-problem.js';
import {
  damagedProblem,
  listing,
  lockedProblem,
  mediumProblem,
  schemaProblem,
  tornProblem,
} from '../problems/store-problem.js';
import { show } from '../terminal/shown.js';
import { loadOptional } from './read.js';
import { VERSION } from '../terminal/version.js';

/** Any of our stores: each can be tried, and some tell when a run has grown (null: any run). */
export type NamedStore = Omit<Store, 'list'> & {
  /** A page where the store knows any; others list all. */
  readonly list: (page?: ListPage) => ReturnType<Store['list']>;
  readonly tryWriting: () => Promise<Result<StoreError, null>>;
  readonly watch?: (runId: string | null, onWake: () => void) => { readonly stop: () => Promise<void> };
  /** Of a server; beside another store it is a folder. */
  readonly journal?: Journal;
};

/**
 * How to open. `mustExist`: what is not there is an error, a database's when it is used, not a store without
 * runs. `readsOnly`: nothing will be appended.
 */
export type Opening = { readonly mustExist?: boolean; readonly readsOnly?: boolean };

/**
 * Opens `file:DIR`, `sqlite:PATH` or `postgres://…`. Raises {@link Stop} (exit 2) for any other address, and
 * where there is no driver.
 */
export async function openStore(url: string, opening: Opening = {}): Promise<NamedStore> {
  const { open, give } = KINDS.find(({ scheme }) => scheme.test(url)) ?? NO_KIND;
  return orAddress(await open(url, opening), url, give);
}

/** The store. Raises {@link Stop}; `give`: what to give instead of a wrong address. */
function orAddress<S>(store: Result<StoreError, S>, url: string, give: string): S {
  return orStop(store, (error) =>
    error.code === 'url'
      ? misuse('store_url', `not the address of a store: ${error.detail}`, maskedAddress(url), give)
      : storeProblem(error, url),
  );
}

/** A kind of store, by how its addresses begin. `give`: what to give instead of a wrong one. */
type Kind = {
  readonly scheme: RegExp;
  readonly give: string;
  readonly open: (url: string, opening: Opening) => Promise<Result<StoreError, NamedStore>>;
};

const POSTGRES_URL = /^postgres(?:ql)?:/;

const POSTGRES =
  'give postgres://USER@HOST:PORT/DATABASE, with ?schema=NAME and &sslmode=require or ' +
  'verify-full where wanted; the password in PGPASSWORD';

/** Each kind is loaded only when it is named. */
const KINDS: readonly Kind[] = [
  {
    scheme: /^sqlite:/,
    give: 'give sqlite:PATH, such as sqlite:./runs.db; a database in memory keeps nothing',
    open: async (url, { mustExist = false, readsOnly = false }) =>
      (await import('@assay/store-sqlite')).openUrl(url, { create: !mustExist, readsOnly }),
  },
  {
    scheme: POSTGRES_URL,
    give: POSTGRES,
    open: openPostgres,
  },
];

const NO_KIND: Kind = {
  scheme: /(?:)/,
  give: 'give file:DIR, such as file:./runs, sqlite:PATH, such as sqlite:./runs.db, or postgres://USER@HOST/DATABASE',
  open: openFolder,
};

/** True for the address of a server. */
export function isServer(url: string): boolean {
  return POSTGRES_URL.test(url);
}

/** A folder that is to be there, and is not, would pass for a store without runs: a slip of the pen. */
async function openFolder(
  url: string,
  { mustExist = false }: Opening,
): Promise<Result<StoreError, NamedStore>> {
  const { folderOfUrl, openUrl } = await import('@assay/host/store-file');
  const folder = folderOfUrl(url);
  const errno = mustExist && folder !== null ? describeLack(folder) : null;
  return errno === null ? openUrl(url) : err({ code: 'unavailable', run_id: null, operation: 'open', errno });
}

/**
 * Why a folder cannot be found, by the system's name: that it is not there, or that nobody may look. Null
 * where it is found.
 */
function describeLack(folder: string): string | null {
  try {
    return statSync(folder, { throwIfNoEntry: false }) === undefined ? 'ENOENT' : null;
  } catch (error) {
    const errno = readErrno(error);
    if (errno === null) throw error;
    return errno;
  }
}

/** The package is an optional peer: who has no server need not install its driver. */
async function openPostgres(
  url: string,
  { mustExist = false, connections = 2 }: Opening & { readonly connections?: number },
): Promise<Result<StoreError, PostgresStore>> {
  const found = await loadOptional(() => import('@assay/store-postgres'));
  if (found !== null) return found.openUrl(url, { connections, notify: false, create: !mustExist });
  return err({
    code: 'driver',
    detail: 'no driver for PostgreSQL: @assay/store-postgres is not installed',
    install: `npm install @assay/store-postgres@${VERSION}`,
  });
}

/** Opens the PostgreSQL store of a fleet. Raises {@link Stop} as {@link openStore} does. */
export async function openServer(
  url: string,
  opening: Opening & { readonly connections: number },
): Promise<PostgresStore> {
  return orAddress(await openPostgres(url, opening), url, POSTGRES);
}

/**
 * What a store's refusal means to the person at the terminal: exit 3 where what it holds is at fault, 5 where
 * it is out of reach, else 2. `address`: the store's, shown without its password.
 */
export function storeProblem(error: StoreError, address: string): Stop {
  const place = maskedAddress(address);
  switch (error.code) {
    case 'unavailable': {
      if (error.errno === 'ENOENT' && error.operation === 'open')
        return unreachable('store_missing', 'no such store', place, missingRemedy(place));
      return serverProblem(error, place) ?? mediumProblem(error, place);
    }
    case 'locked':
      return lockedProblem(error, place);
    case 'torn':
      if (error.detail.endsWith('(SQLITE_CORRUPT)')) return damagedProblem(place);
      return tornProblem(error, place);
    case 'run_id':
      if (error.detail === 'other_run')
        return unsound(
          'other_run',
          'the store holds another run under this id',
          error.run_id,
          'nothing was changed; give another --set run_id=, or restore the run from a copy',
        );
      return badValue('not a valid run id', error.run_id, 'give another --set run_id=');
    case 'stale_head':
      return unreachable(
        'store_stale',
        'another process wrote to this run at the same time',
        place,
        'run it again',
      );
    case 'driver':
      return misuse('package', error.detail, place, `type: ${error.install}`);
    case 'schema':
      return schemaProblem(error, place);
    case 'not_found':
      return misuse(
        'no_run',
        'no such run in this store',
        error.run_id,
        show`${listing(place)} lists the runs`,
      );
    case 'closed':
    case 'url':
      return unreachable(`store_${error.code}`, 'the store does not answer', place, 'check the address');
  }
}

/**
 * A server answered where there is no schema of that name, and made none: only a command that writes does.
 */
function missingRemedy(place: string): string {
  const where = isServer(place)
    ? 'check ?schema=NAME at the end of the address, which is "assay" where none is named'
    : 'check the path';
  return `${where}; a verb that starts a run makes a store, such as assay task --store, and --memory a memory`;
}

/**
 * The journal of a store, of its own: the same run in two databases has the same keys. `store`: where it is open
 * already. Raises {@link Stop} as {@link openStore} does.
 */
export async function journalOf(url: string, store?: NamedStore): Promise<Journal> {
  const place = await placeBeside(url);
  if (place !== null)
    return folderJournal(join(place.folder, place.database === null ? 'calls' : `${place.database}.calls`));
  const { journal } = store ?? (await openStore(url));
  if (journal === undefined) throw new RangeError('a server has a journal of its own');
  return journal;
}

/**
 * The folder of a file store, or that of a database file and its name; `database` is null for a file store.
 */
export type Place = { readonly folder: string; readonly database: string | null };

/** The place of a store by its address; null for a server, which has none. */
export async function placeBeside(url: string): Promise<Place | null> {
  if (isServer(url)) return null;
  if (url.startsWith('sqlite:')) {
    const path = (await import('@assay/store-sqlite')).pathOfUrl(url);
    return path === null ? null : { folder: dirname(path), database: basename(path) };
  }
  const folder = (await import('@assay/host/store-file')).folderOfUrl(url);
  return folder === null ? null : { folder, database: null };
}
