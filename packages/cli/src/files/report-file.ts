/**
 * A ledger by any of its names: a file, standard input, a folder of results, a run in a store, or a report, of which
 * the page is judged beside it.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PageVerdict } from '@assay/explorer';
import { StoreReadError, maskedAddress } from '@assay/host';
import type { VerifyDocument } from '@assay/verifier';
import { misuse, orStop } from '../problems/problem.js';
import { listing } from '../problems/store-problem.js';
import { commandLine, show } from '../terminal/shown.js';
import { LEDGER_FILE } from './claim.js';
import { readChunks, shortenName } from './read.js';
import { openStore, storeProblem } from './store.js';

const PEEK_BYTES = 256;

/** The document of a report: `page` says what is around the ledger. */
export type PagedDocument = VerifyDocument & { readonly page?: PageVerdict };

/** True for the first bytes of a page; a ledger begins with a record. */
export function isPage(start: Uint8Array): boolean {
  const text = new TextDecoder().decode(start.subarray(0, PEEK_BYTES));
  return /^\s*<(?:!doctype|html)/i.test(text);
}

/** The file of a ledger: the one in a folder of results, else what was given. */
export function ledgerFile(path: string): string {
  const inside = join(path, LEDGER_FILE);
  return existsSync(inside) ? inside : path;
}

/** The lines of a run by the address of its store and its id. Raises `Stop`: `no_run`, and those of stores. */
async function* storedLines(url: string, run: string): AsyncGenerator<Uint8Array> {
  const store = await openStore(url, { mustExist: true, readsOnly: true });
  try {
    for await (const line of store.read(run)) yield Buffer.concat([line, LINE_FEED]);
  } catch (error) {
    if (!(error instanceof StoreReadError)) throw error;
    throw error.error.code === 'not_found'
      ? misuse('no_run', 'this store has no such run', run, 'assay store list lists those there are')
      : storeProblem(error.error, maskedAddress(url));
  } finally {
    await store.close();
  }
}

const LINE_FEED = Uint8Array.of(0x0a);

/** The address of a store, and a run of it; of a store with one run the address alone. */
export const STORED: RegExp = /^((?:file|sqlite|postgres(?:ql)?):[^#]+)(?:#([^#]+))?$/;

/** The one run of a store, children of runs apart. Raises `Stop`: `option_needed`, and those of stores. */
export async function onlyRun(url: string): Promise<string> {
  const store = await openStore(url, { mustExist: true, readsOnly: true });
  try {
    const listed = orStop(await store.list(), (error) => storeProblem(error, url));
    const ids = listed.filter((id) => !id.includes('~'));
    const [only] = ids;
    if (only !== undefined && ids.length === 1) return only;
    const place = maskedAddress(url);
    throw only === undefined
      ? misuse('no_run', 'this store has no runs', place, 'name another store')
      : misuse(
          'option_needed',
          `this store has ${ids.length} runs`,
          place,
          show`name one, such as ${commandLine([`${place}#${only}`])}; ${listing(place)} lists them`,
        );
  } finally {
    await store.close();
  }
}

/** True for the address of a store, also with a run of it, such as `file:./runs#r1`. */
export function isStored(path: string): boolean {
  return STORED.test(path);
}

/**
 * The chunks of a ledger, or of the ledger that a report holds; `look` is told what the page around it is.
 * Raises `Stop`: `report_ledger` for a page without one readable data element, and those of reading a file.
 */
export async function* ledgerChunks(
  path: string,
  look: (page: PageVerdict) => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  const [, url, run] = STORED.exec(path) ?? [];
  const chunks =
    url === undefined ? readChunks(ledgerFile(path)) : storedLines(url, run ?? (await onlyRun(url)));
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    if (held.length === 0 && !isPage(chunk)) {
      yield chunk;
      yield* chunks;
      return;
    }
    const { LEDGER_BYTES_MAX } = await import('@assay/explorer');
    held.push(chunk);
    size += chunk.length;
    if (size > 2 * LEDGER_BYTES_MAX)
      throw misuse(
        'report_ledger',
        'this page is larger than a report can be',
        shortenName(path),
        'name the ledger',
      );
  }
  if (held.length === 0) return;
  const { allShells, readReport } = await import('@assay/explorer');
  const read = readReport(Buffer.concat(held).toString('utf8'), allShells());
  if (read._tag === 'Left') throw misuse('report_ledger', read.left.says, shortenName(path), read.left.next);
  look(read.right.page);
  yield read.right.ledger;
}
