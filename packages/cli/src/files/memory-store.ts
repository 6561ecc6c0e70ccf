/**
 * Memories by their address, and in words why one cannot be read or told anything.
 *
 * @module
 */
import {
  MEMORY_RUN,
  createMemory,
  readMemory,
  tell,
  type MemoryRun,
  type ReadMemory,
  type TellError,
  type Telling,
  type Told,
} from '@assay/controller/memory-shell';
import { maskedAddress, type LoadError } from '@assay/host';
import { LineSplitter } from '@assay/kernel';
import { shortenName } from './read.js';
import { ledgerChunks } from './report-file.js';
import { openStore, storeProblem, type NamedStore } from './store.js';
import { EXIT, misuse, orStop, makeStop, unsound, type Stop } from '../problems/problem.js';
import { listing } from '../problems/store-problem.js';
import { show } from '../terminal/shown.js';

/** A store that is open. `place`: how messages name it. */
export type Opened = { readonly store: NamedStore; readonly place: string };

/** True for the address of a store; anything else names a ledger file. */
export function isStoreUrl(where: string): boolean {
  return /^(?:file|sqlite|postgres|postgresql|redis):/.test(where);
}

/** Where a memory is: the address of a store or a ledger file, and the run of the memory. */
export type MemoryAddress = { readonly url: string; readonly run: string };

/** Reads `URL` or `URL#RUN`. The name of a ledger file is taken whole. */
export function memoryNamed(given: string): MemoryAddress {
  const [url = '', run = MEMORY_RUN] = isStoreUrl(given) ? given.split('#', 2) : [given];
  return { url, run };
}

/** The same of a memory that is to be changed. `place`: what was given. Raises `Stop`: `store_url`. */
export function storedMemory(given: string, place: string = given): MemoryAddress {
  if (!isStoreUrl(given))
    throw misuse(
      'store_url',
      'only a memory in a store can be changed',
      place,
      'give the address of its store, such as file:./memory; add #RUN if its run has another name than memory',
    );
  return memoryNamed(given);
}

/** Opens a store for as long as `work` takes. Raises `Stop`. */
export async function inStore<T>(
  url: string,
  work: (opened: Opened) => Promise<T>,
  opening: Parameters<typeof openStore>[1] = {},
): Promise<T> {
  const store = await openStore(url, opening);
  try {
    return await work({ store, place: maskedAddress(url) });
  } finally {
    await store.close();
  }
}

/**
 * Reads a memory from the address of a store or from a ledger file. Nothing is changed. Raises `Stop`:
 * `no_run`, `other_machine`, `store_line`, `store_ledger`, and those of the store.
 */
export async function memoryAt(where: string, runId: string): Promise<ReadMemory> {
  if (!isStoreUrl(where))
    return orStop(await readMemory({ read: () => readLines(where) }, runId), (error) =>
      loadProblem(error, runId, shortenName(where)),
    );
  return inStore(where, (opened) => memoryIn(opened, runId), { mustExist: true, readsOnly: true });
}

/** The same from an open store. */
export async function memoryIn({ store, place }: Opened, runId: string): Promise<ReadMemory> {
  return orStop(await readMemory(store, runId), (error) => loadProblem(error, runId, place));
}

/** Makes a memory; false if there is one. Raises `Stop`. */
export async function memoryMade({ store, place }: Opened, runId: string): Promise<boolean> {
  return orStop(await createMemory(store, runId), (error) => storeProblem(error, place));
}

/** Gives a memory something to decide on. Raises `Stop`. */
export async function memoryTold(
  { store, place }: Opened,
  runId: string,
  telling: (run: MemoryRun) => Telling,
): Promise<Told> {
  return orStop(await tell(store, runId, telling), (error) => tellProblem(error, runId, place));
}

/** Why a memory takes nothing, in words. */
export function tellProblem(error: TellError, runId: string, place: string): Stop {
  switch (error.code) {
    case 'load':
      return loadProblem(error.error, runId, place);
    case 'store':
      return storeProblem(error.error, place);
    case 'not_asked':
      return misuse(
        error.code,
        error.isOver ? 'this memory is closed' : `this memory does not ask for ${error.kind}`,
        runId,
        'assay show shows what it holds',
      );
    case 'inadmissible':
      return misuse(
        error.why,
        'this value is not valid in a memory',
        error.path,
        'see docs/formats/limits.md',
      );
  }
}

/** The lines of a ledger file. Judged by whoever reads them. */
async function* readLines(path: string): AsyncGenerator<Uint8Array> {
  const splitter = new LineSplitter();
  for await (const chunk of ledgerChunks(path)) for (const { bytes } of splitter.push(chunk)) yield bytes;
  for (const { bytes } of splitter.end()) yield bytes;
}

function loadProblem(error: LoadError, runId: string, place: string): Stop {
  switch (error.code) {
    case 'store':
      if (error.error.code === 'not_found')
        return misuse(
          'no_run',
          'no such memory',
          runId,
          show`add its name as #RUN; ${listing(place)} lists the runs there are`,
        );
      return storeProblem(error.error, place);
    case 'line':
      return unsound(
        'store_line',
        `record ${error.record} of this memory is not valid (${error.reason})`,
        place,
        'nothing was changed; see assay verify',
      );
    case 'ledger':
      if (error.failed.code === 'unknown_machine')
        return misuse(
          'other_machine',
          'this is the ledger of another machine, not of a memory',
          place,
          'name the ledger of a memory, or add the name of its run as #RUN',
        );
      return makeStop({
        code: 'store_ledger',
        message: `this memory does not replay: ${error.failed.code} at record ${error.failed.record}`,
        place,
        remedy: 'nothing was changed; see assay verify',
        exit: EXIT.failed,
      });
  }
}
