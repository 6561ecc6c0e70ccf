/**
 * Outputs and stores kept apart: a file of a run's results beside the ledgers of a store would pass for one
 * of them, or replace it.
 *
 * @module
 */
import { existsSync, realpathSync, statSync, type BigIntStats } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { realPath } from '../files/write.js';
import { misuse } from '../problems/problem.js';
import { placeBeside, type Place } from '../files/place-beside.js';
import { outputsIn } from './outputs.js';

/**
 * Raises `Stop`, `output_in_store`, where the folder of a run's results is that of a store, under whatever
 * name, or one that the store keeps or would take for a ledger; or where a result would be written over a
 * database. Other folders below that of a store are nobody's. `urls`: of the stores that the call names;
 * servers have no folder. Asked before anything is done.
 */
export async function requireOutsideStores(
  folder: string,
  urls: readonly (string | undefined)[],
): Promise<void> {
  for (const url of urls) {
    const place = url === undefined ? null : await placeBeside(url);
    if (
      place === null ||
      !(place.database === null
        ? await isOfStore(folder, place)
        : isOfDatabase(folder, place.folder, place.database))
    )
      continue;
    throw misuse(
      'output_in_store',
      'a store keeps its runs there, and the results would be taken for one of them or replace it; nothing was done',
      folder,
      'name another folder with -o',
    );
  }
}

/** Raises `Stop`, `workspace`: the tools of a task must not reach its own records, nor what it shares with others. */
export function requireApart(
  workspace: string,
  {
    output,
    store,
    memory,
    library,
  }: { readonly [name in 'output' | 'store' | 'memory' | 'library']?: string },
): void {
  const kept = [store, memory, library].map(
    (url) => /^(?:file|sqlite):(.*?)(?:#[^#]*)?$/s.exec(url ?? '')?.[1],
  );
  for (const path of [output, ...kept]) {
    const way = path === undefined ? '' : relative(realpathSync(workspace), wholePath(path));
    if (path !== undefined && !/^\.\.(?:[/\\]|$)/.test(way) && !isAbsolute(way))
      throw misuse(
        'workspace',
        'the tools of this task could change its own records there',
        path,
        `name a folder outside ${workspace}`,
      );
  }
}

/** A path without links, as far as it is there. */
function wholePath(path: string): string {
  const whole = resolve(path);
  return existsSync(whole) ? realpathSync(whole) : join(wholePath(dirname(whole)), basename(whole));
}

async function isOfStore(folder: string, place: Place): Promise<boolean> {
  const { LEDGER_SUFFIX } = await import('@assay/host/store-file');
  const [own, store] = [realPath(folder), realPath(place.folder)];
  // A folder with the name of a result, or below one: the result could not be written.
  if (
    own === store ||
    isSame(own, store) ||
    outputsIn(own).some((output) => isBelow(store, realPath(output)))
  )
    return true;
  const [first = ''] = isBelow(own, store) ? relative(store, own).split(sep) : [];
  return (
    first === '.locks' ||
    first === 'calls' ||
    first.endsWith(LEDGER_SUFFIX) ||
    first.endsWith(`${LEDGER_SUFFIX}.new`)
  );
}

function isOfDatabase(folder: string, beside: string, database: string): boolean {
  const [own, path] = [realPath(folder), join(realPath(beside), database)];
  const kept = new Set(['', '-wal', '-shm', '-journal'].map((end) => realPath(`${path}${end}`)));
  return outputsIn(own).some((output) => kept.has(output)) || isBelow(own, realPath(`${path}.calls`));
}

/** True for the folder itself and everything in it. */
function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** One folder under two names that no link tells of, as where it is mounted twice. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [looked(one), looked(other)];
  return (
    first !== undefined &&
    second !== undefined &&
    first.ino !== 0n &&
    first.ino === second.ino &&
    first.dev === second.dev
  );
}

/** What cannot be looked at is told of where it is used. */
function looked(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
