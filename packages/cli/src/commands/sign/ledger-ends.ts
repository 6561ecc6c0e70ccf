/**
 * Single records of a ledger, found without judging the others: the last one, and the one at a position.
 *
 * @module
 */
import { open } from 'node:fs/promises';
import { LINE_LIMITS, LineSplitter, parseRecordLine, type EvidenceRecord } from '@assay/kernel';
import { notRead } from '../../files/read.js';
import { ledgerChunks, ledgerFile } from '../../files/report-file.js';
import { misuse } from '../../problems/problem.js';

const LINE_END = 0x0a;
const PIECE_BYTES = 65_536;

/** The last record, read from the end of the file; null where its last line is none. Raises `Stop`. */
export async function lastRecord(path: string): Promise<EvidenceRecord | null> {
  try {
    return await readLast(ledgerFile(path));
  } catch (error) {
    throw notRead(path, error);
  }
}

async function readLast(path: string): Promise<EvidenceRecord | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    for (let wanted = PIECE_BYTES; ; wanted *= 4) {
      const length = Math.min(size, wanted);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
      const start = buffer.lastIndexOf(LINE_END, -2);
      if (start !== -1 || length === size)
        return buffer.at(-1) === LINE_END ? recordOf(buffer.subarray(start + 1, -1)) : null;
      if (length > LINE_LIMITS.bytes) return null;
    }
  } finally {
    await file.close();
  }
}

/**
 * The record at a position. Its neighbours are not judged: a path shows where it stands. Raises `Stop`:
 * `no_record`, and those of reading a file.
 */
export async function recordAt(path: string, position: number): Promise<EvidenceRecord> {
  const splitter = new LineSplitter();
  let at = 0;
  for await (const chunk of ledgerChunks(path)) {
    for (const line of splitter.push(chunk)) {
      const record = at === position ? recordOf(line.bytes) : null;
      if (record !== null) return record;
      at += 1;
    }
  }
  throw misuse('no_record', 'no such record', `${path}, record ${position}`, 'records are counted from 0');
}

function recordOf(line: Uint8Array): EvidenceRecord | null {
  const record = parseRecordLine(line);
  return record._tag === 'Right' ? record.right : null;
}
