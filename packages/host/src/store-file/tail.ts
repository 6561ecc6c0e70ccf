/**
 * Reading a ledger file: its lines from any record on; where it ends, its last whole line read back and
 * checked, and what a cut write left after it.
 */
import { err, type Head, LINE_LIMITS, LineSplitter, ok, type Result } from '@assay/kernel';
import { readRunId, readSequence, soundRecord, StoreReadError } from '../index.js';
import type { DiskFile } from './disk.js';

/** The end of a ledger file. */
export type Tail = {
  readonly head: Head;
  /** Size of the whole lines, in bytes. */
  readonly end: number;
  /** Bytes after them: the beginning of a line that was never finished. */
  readonly remnant: number;
};

/**
 * Why a file is no ledger of this run that could go on. `first`: of another run; the rest: nothing to go on
 * from.
 */
type TailFault = { readonly code: 'other_run' } | { readonly code: 'torn'; readonly detail: string };

/**
 * Reads the end of a ledger file. Only its first and last line are read: the last must be a sound record
 * (canonical text, payload hash, record hash), the first must not name another run. What stands after the
 * last line end is a remnant only where a cut write can have left it, never after a close; else the file is
 * `torn`.
 */
export async function readTail(file: DiskFile, runId: string): Promise<Result<TailFault, Tail>> {
  const { size } = await file.look();
  const end = (await lastLineEnd(file, size)) + 1;
  const remnant = size - end;
  if (remnant > LINE_LIMITS.bytes) return torn('the last line is longer than any record');
  if (end === 0) return torn(size === 0 ? 'the file is empty' : 'no line is whole');
  if (remnant > 0 && !isCutLine(await readSpan(file, end, Math.min(remnant, LINE_START.length))))
    return torn('what stands after the last line is no beginning of a record');
  const start = (await lastLineEnd(file, end - 1)) + 1;
  if (end - start > LINE_LIMITS.bytes + 1) return torn('the last line is longer than any record');
  const last = soundRecord(await readSpan(file, start, end - 1 - start));
  const sequence = last === null ? null : readSequence(last.ts);
  if (last === null || sequence === null) return torn('the last line is no sound record');
  // No append comes after a close, so none can have been cut there: these bytes are somebody else's, and not
  // ours to remove.
  if (remnant > 0 && last.kind === 'close') return torn('bytes stand after the close of the run');
  const named = start === 0 ? readRunId(last) : await firstRun(file, start);
  if (named !== null && named !== runId) return err({ code: 'other_run' });
  return ok({ head: { run_id: runId, count: sequence + 1, hash: last.record_hash }, end, remnant });
}

/** Every record line begins so; a power cut may also leave zeros where nothing was written yet. */
const LINE_START = new TextEncoder().encode('{"kind":"');
const CHUNK = 65_536;
const LINE_END = 0x0a;

function isCutLine(start: Uint8Array): boolean {
  return start.every((byte, index) => byte === LINE_START[index] || byte === 0);
}

/**
 * Position of the last line end before `to`. Where none is near enough for a record to stand between: a
 * position farther than that, -1 at the start of the file.
 */
async function lastLineEnd(file: DiskFile, to: number): Promise<number> {
  const least = Math.max(0, to - LINE_LIMITS.bytes - 2);
  for (let upper = to; upper > least; upper -= CHUNK) {
    const lower = Math.max(least, upper - CHUNK);
    const found = (await readSpan(file, lower, upper - lower)).lastIndexOf(LINE_END);
    if (found !== -1) return lower + found;
  }
  return least - 1;
}

/** The run that the first line names, null where it names none or is no record. */
async function firstRun(file: DiskFile, limit: number): Promise<string | null> {
  for (let from = 0; from < limit && from <= LINE_LIMITS.bytes; from += CHUNK) {
    const found = (await readSpan(file, from, Math.min(CHUNK, limit - from))).indexOf(LINE_END);
    if (found === -1) continue;
    const first = soundRecord(await readSpan(file, 0, from + found));
    return first === null ? null : readRunId(first);
  }
  return null;
}

/** Bytes of a file from a position on; fewer where it ends. */
async function readSpan(file: DiskFile, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let held = 0;
  while (held < length) {
    const count = await file.read(bytes.subarray(held), position + held);
    if (count === 0) break;
    held += count;
  }
  return bytes.subarray(0, held);
}

function torn(detail: string): Result<TailFault, never> {
  return err({ code: 'torn', detail });
}

/**
 * The whole lines that a file holds when the reading begins, from sequence `from` on, which is searched for by halves
 * where the file is long. Memory: a chunk and a line. Raises `run_id` where the first line names another run, `torn`
 * where a position is asked for and the first line has none, or a line is longer than any record.
 */
export async function* readLines(file: DiskFile, runId: string, from: number): AsyncGenerator<Uint8Array> {
  const { size } = await file.look();
  const splitter = new LineSplitter();
  const chunk = new Uint8Array(Math.min(LINES_CHUNK, size));
  const near = from > 0 && size > 2 * LINES_CHUNK ? await searchLine(file, size, runId, from) : null;
  let skip: number | null = near?.skip ?? null;
  for (let position = near?.start ?? 0; position < size; ) {
    const count = await file.read(chunk.subarray(0, Math.min(LINES_CHUNK, size - position)), position);
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

const LINES_CHUNK = 262_144;
/** The end of a line: its sequence, and the version. */
const LINE_TAIL = /#([0-9]{12})","v":[0-9]+\}$/;
const LINE_TAIL_BYTES = 128;

/**
 * A line that begins less than a chunk before the one of sequence `from`, and how many lines to skip from there. Null
 * where the file is to be read from its beginning: its first line says why, or a line on the way has no sequence.
 */
async function searchLine(
  file: DiskFile,
  size: number,
  runId: string,
  from: number,
): Promise<{ readonly start: number; readonly skip: number } | null> {
  const end = await nextLineEnd(file, 0, size);
  const first = end === null ? null : await readSpan(file, 0, end);
  let skip = first === null ? 0 : linesBefore(first, runId, from);
  if (skip === 0) return null;
  let [low, high] = [0, size];
  while (high - low > LINES_CHUNK) {
    const middle = Math.floor((low + high) / 2);
    const before = await nextLineEnd(file, middle, high);
    const after = before === null ? null : await nextLineEnd(file, before + 1, high);
    if (before === null || after === null) {
      high = middle;
      continue;
    }
    const tail = await readSpan(
      file,
      Math.max(before, after - LINE_TAIL_BYTES),
      Math.min(after - before, LINE_TAIL_BYTES),
    );
    const sequence = LINE_TAIL.exec(new TextDecoder().decode(tail))?.[1];
    if (sequence === undefined) return null;
    const ahead = from - Number(sequence);
    if (ahead < 0) high = middle;
    else [low, skip] = [before + 1, ahead];
  }
  return { start: low, skip };
}

/** Position of the first line end from a position on; null where there is none before `to`. */
async function nextLineEnd(file: DiskFile, from: number, to: number): Promise<number | null> {
  for (let lower = from; lower < to; lower += SEARCH_CHUNK) {
    const found = (await readSpan(file, lower, Math.min(SEARCH_CHUNK, to - lower))).indexOf(LINE_END);
    if (found !== -1) return lower + found;
  }
  return null;
}

const SEARCH_CHUNK = 4_096;

/** How many lines stand before sequence `from`, by the first line's own sequence. */
function linesBefore(first: Uint8Array, runId: string, from: number): number {
  const record = soundRecord(first);
  const named = record === null ? null : readRunId(record);
  if (named !== null && named !== runId)
    throw new StoreReadError({ code: 'run_id', run_id: runId, detail: 'other_run' });
  if (from <= 0) return 0;
  const sequence = record === null ? null : readSequence(record.ts);
  if (sequence === null)
    throw new StoreReadError({ code: 'torn', run_id: runId, detail: 'the first line is no sound record' });
  return Math.max(0, from - sequence);
}
