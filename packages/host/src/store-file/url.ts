/** A file store by its address. */
import { fileURLToPath } from 'node:url';
import { err, ok, type Result } from '@assay/kernel';
import type { StoreError } from '../index.js';
import { fileStore, type FileStore, type FileStoreOptions } from './file-store.js';

/**
 * Opens `file:DIR` (the rest is a path, taken as it stands, relative to the working folder) or
 * `file:///DIR` (a file URL, percent-decoded). Error: `url`. Touches nothing.
 *
 * @example
 * ```ts
 * const store = orThrow(openUrl('file:./runs'));
 * ```
 */
export function openUrl(url: string, options?: FileStoreOptions): Result<StoreError, FileStore> {
  const folder = folderOfUrl(url);
  if (folder === null) return err({ code: 'url', url, detail: 'expected file:DIR' });
  return ok(fileStore(folder, options));
}

/** The folder that an address of a file store names; null where it is none. */
export function folderOfUrl(url: string): string | null {
  if (!url.startsWith('file:') || url.includes('\0')) return null;
  const rest = url.slice('file:'.length);
  if (!rest.startsWith('//')) return rest === '' ? null : rest;
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}
