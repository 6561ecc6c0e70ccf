/**
 * A ledger file of which single records are read: found by the sequence in their logical time, not by reading
 * what comes before.
 *
 * @module
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { linkFault, parseRecordLine, type EvidenceRecord } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import { misuse, unsound } from '../problems/problem.js';
import { notRead } from './read.js';

/** The records of a file by position. `at` raises `Stop` where one does not hold for itself. */
export type RecordFile = {
  readonly count: number;
  readonly at: (position: number) => EvidenceRecord;
  readonly close: () => void;
};

const CHUNK_BYTES = 65_536;
const LINE_FEED = 0x0a;
const KEPT = 4_096;

type Line = { readonly start: number; readonly next: number; readonly record: EvidenceRecord };

/** Opens a file. Raises `Stop`: those of reading, `encoding`, hashes of a record that do not hold. */
export function recordFile(path: string): RecordFile {
  const [file, size] = opened(path);
  const kept = new Map<number, Line>();
  const lineAt = (start: number): Line => {
    const known = kept.get(start);
    if (known !== undefined) return known;
    const bytes = lineFrom(file, start);
    const record = recordIn(bytes, path, start);
    const line = { start, next: start + bytes.length + 1, record };
    if (kept.size >= KEPT) kept.clear();
    kept.set(start, line);
    return line;
  };
  const first = sequenceOf(lineAt(0).record);
  const last = sequenceOf(lineAt(startBefore(file, size - 1)).record);
  /** Where each position found so far begins: most reads are of a neighbour. */
  const starts = new Map<number, number>([[0, 0]]);
  const at = (position: number): EvidenceRecord => {
    const known = starts.get(position);
    if (known !== undefined) return lineAt(known).record;
    let [low, high] = [0, size];
    while (low < high) {
      const line = lineAt(startBefore(file, Math.floor((low + high) / 2)));
      const found = sequenceOf(line.record) - first;
      starts.set(found, line.start);
      starts.set(found + 1, line.next);
      if (found === position) return line.record;
      if (found < position) low = line.next;
      else high = line.start;
      const near = starts.get(position);
      if (near !== undefined) return lineAt(near).record;
    }
    throw unsound('order', `there is no record ${position}`, path, 'assay verify says more');
  };
  return { count: last - first + 1, at, close: () => closeSync(file) };
}

function opened(path: string): readonly [file: number, size: number] {
  try {
    const file = openSync(path, 'r');
    const stat = fstatSync(file);
    if (stat.isFile() && stat.size > 0) return [file, stat.size];
    closeSync(file);
  } catch (error) {
    throw notRead(path, error);
  }
  throw misuse('unreadable', 'this is no file with records', path, 'name a ledger file');
}

/** Where the line begins that a byte lies in. */
function startBefore(file: number, offset: number): number {
  let end = offset;
  while (end > 0) {
    const from = Math.max(0, end - CHUNK_BYTES);
    const bytes = bytesAt(file, from, end - from);
    const found = bytes.lastIndexOf(LINE_FEED);
    if (found !== -1) return from + found + 1;
    end = from;
  }
  return 0;
}

function lineFrom(file: number, start: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let from = start; ; from += CHUNK_BYTES) {
    const bytes = bytesAt(file, from, CHUNK_BYTES);
    const end = bytes.indexOf(LINE_FEED);
    parts.push(end === -1 ? bytes : bytes.subarray(0, end));
    if (end !== -1 || bytes.length < CHUNK_BYTES) return Buffer.concat(parts);
  }
}

function bytesAt(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, from));
}

function recordIn(bytes: Uint8Array, path: string, start: number): EvidenceRecord {
  const read = parseRecordLine(bytes);
  const code =
    read._tag === 'Left' ? read.left : linkFault(read.right, read.right.parent, null, nativeSha256);
  if (read._tag === 'Right' && code === null) return read.right;
  throw unsound(
    code ?? 'encoding',
    `the record at byte ${start} does not hold`,
    path,
    'assay verify says more',
  );
}

function sequenceOf({ ts }: EvidenceRecord): number {
  return Number(ts.slice(ts.lastIndexOf('#') + 1));
}
