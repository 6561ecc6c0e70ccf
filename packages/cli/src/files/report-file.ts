/**
 * Reports in place of ledgers: what a page holds is read by its bytes, and the page is judged beside it.
 *
 * @module
 */
import type { PageVerdict } from '@assay/explorer';
import type { VerifyDocument } from '@assay/verifier';
import { chunksOf, nameOf } from './read.js';
import { misuse } from '../problems/problem.js';

const PEEK_BYTES = 256;

/** The document of a report: `page` says what is around the ledger. */
export type PagedDocument = VerifyDocument & { readonly page?: PageVerdict };

/** True for the first bytes of a page; a ledger begins with a record. */
export function isPage(start: Uint8Array): boolean {
  const text = new TextDecoder().decode(start.subarray(0, PEEK_BYTES));
  return /^\s*<(?:!doctype|html)/i.test(text);
}

/**
 * The chunks of a ledger, or of the ledger that a report holds; `look` is told what the page around it is.
 * Raises `Stop`: `report_ledger` for a page without one readable data element, and those of reading a file.
 */
export async function* ledgerChunks(
  path: string,
  look: (page: PageVerdict) => void,
): AsyncGenerator<Uint8Array> {
  const chunks = chunksOf(path);
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
        nameOf(path),
        'name the ledger',
      );
  }
  if (held.length === 0) return;
  const { allShells, readReport } = await import('@assay/explorer');
  const read = readReport(Buffer.concat(held).toString('utf8'), allShells());
  if (read._tag === 'Left') throw misuse('report_ledger', read.left.says, nameOf(path), read.left.next);
  look(read.right.page);
  yield read.right.ledger;
}
