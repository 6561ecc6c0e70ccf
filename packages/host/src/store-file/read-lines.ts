/**
 * Reading the lines of a ledger file while it may grow.
 *
 * @module
 */
import { LINE_LIMITS, LineSplitter } from '@assay/kernel';
import { runOf, sequenceOf, soundRecord, StoreReadError } from '../index.js';
import type { DiskFile } from './disk.js';

/**
 * The whole lines that a file holds when the reading begins, from sequence `from` on. Memory: a chunk and
 * a line. Raises `run_id` where the first line names another run, `torn` where a position is asked for and
 * the first line has none, or a line is longer than any record.
 */
export async function* readLines(file: DiskFile, runId: string, from: number): AsyncGenerator<Uint8Array> {
  const { size } = await file.look();
  const splitter = new LineSplitter();
  const chunk = new Uint8Array(CHUNK);
  let skip: number | null = null;
  for (let position = 0; position < size; ) {
    const count = await file.read(chunk.subarray(0, Math.min(CHUNK, size - position)), position);
    if (count === 0) return;
    position += count;
    for (const line of splitter.push(chunk.subarray(0, count))) {
      if (line.bytes.length > LINE_LIMITS.bytes)
        throw new StoreReadError({ code: 'torn', run_id: runId, detail: 'a line is longer than any record' });
      skip ??= linesBefore(line.bytes, runId, from);
      // A copy: the chunk is filled again while the caller still holds the line.
      if (skip === 0) yield line.bytes.slice();
      else skip -= 1;
    }
  }
}

const CHUNK = 262_144;

/** How many lines stand before sequence `from`, by the first line's own sequence. */
function linesBefore(first: Uint8Array, runId: string, from: number): number {
  const record = soundRecord(first);
  const named = record === null ? null : runOf(record);
  if (named !== null && named !== runId)
    throw new StoreReadError({ code: 'run_id', run_id: runId, detail: 'other_run' });
  if (from <= 0) return 0;
  const sequence = record === null ? null : sequenceOf(record.ts);
  if (sequence === null)
    throw new StoreReadError({ code: 'torn', run_id: runId, detail: 'the first line is no sound record' });
  return Math.max(0, from - sequence);
}
