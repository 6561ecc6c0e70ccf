/**
 * Where files beside a store lie.
 *
 * @module
 */
import { basename, dirname } from 'node:path';

/**
 * The folder of a file store, or that of a database file and its name; `database` is null for a file store.
 */
export type Place = { readonly folder: string; readonly database: string | null };

/** The place of a store by its address; null for a server, which has none. */
export async function placeBeside(url: string): Promise<Place | null> {
  if (/^postgres(?:ql)?:/.test(url)) return null;
  if (url.startsWith('sqlite:')) {
    const path = (await import('@assay/store-sqlite')).pathOfUrl(url);
    return path === null ? null : { folder: dirname(path), database: basename(path) };
  }
  const folder = (await import('@assay/host/store-file')).folderOfUrl(url);
  return folder === null ? null : { folder, database: null };
}
