/** The tool `read_file`. Source: 003 §R3, place 3. */
import type { FileHandle } from 'node:fs/promises';
import { err, ok, type Result } from '@assay/kernel';
import * as z from 'zod';
import {
  type CallContext,
  done,
  ended,
  type Ended,
  type Sum,
  sumUpTo,
  toolForm,
  type ToolForm,
  type Understood,
  aboutPaths,
  canonicalInput,
  plainInput,
} from '../calls/call.js';
import { denied, failed, type Refusal } from '../refusal.js';
import { type OpenFile, readUpTo, withFile } from '../workspace/content.js';
import { withSpot } from '../workspace/descend.js';
import { parsePath, type InsidePath } from '../workspace/path.js';
import type { Watch } from '../limits.js';

/** Lines are counted from 1, both ends included. */
const Line = z.int().min(1);
const Input = z.strictObject({
  path: z.string().optional(),
  paths: z.array(z.string()).optional(),
  from_line: Line.optional(),
  to_line: Line.optional(),
});

type Range = { readonly from: number; readonly to: number };

/**
 * Reads `"a.txt"`, `{path, from_line?, to_line?}` or `{paths}`. The output is the text of the file, byte for
 * byte, or of the lines with their ends; of several files one behind the other, nothing between. Bytes that
 * are no UTF-8 are `not_text`; of what is longer than `readBytes`, several files together, the beginning
 * comes, `file_too_long`, with size and digest of the whole up to `wholeBytes`.
 */
export const READ_FILE: ToolForm = toolForm(Input, 'path', ({ path, paths, ...lines }) => {
  if (path !== undefined && paths === undefined) return understandOne(path, lines);
  const isSeveral = path === undefined && paths !== undefined && Object.keys(lines).length === 0;
  return isSeveral
    ? understandSeveral(paths)
    : err(denied('bad_input', 'at the input: either path, with lines or without, or paths'));
});

function understandOne(
  given: string,
  { from_line, to_line }: Pick<z.infer<typeof Input>, 'from_line' | 'to_line'>,
): Result<Refusal, Understood> {
  const path = parsePath(given);
  if (path._tag === 'Left') return path;
  const range = { from: from_line ?? 1, to: to_line ?? Infinity };
  if (range.to < range.from) return err(denied('bad_input', 'at /to_line: before /from_line'));
  const { text } = path.right;
  const whole = range.from === 1 && to_line === undefined;
  const lines = {
    ...(range.from === 1 ? {} : { from_line: range.from }),
    ...(to_line === undefined ? {} : { to_line }),
  };
  return ok({
    input: whole ? plainInput('path', text) : canonicalInput({ path: text, ...lines }),
    about: aboutPaths([path.right], true),
    act: (context) => (whole ? actOnAll(context, [path.right]) : actOnLines(context, path.right, range)),
  });
}

function understandSeveral(all: readonly string[]): Result<Refusal, Understood> {
  if (all.length === 0) return err(denied('bad_input', 'at /paths: no path'));
  const paths: InsidePath[] = [];
  for (const given of all) {
    const path = parsePath(given);
    if (path._tag === 'Left') return path;
    paths.push(path.right);
  }
  const said = canonicalInput({ paths: paths.map(({ text }) => text) });
  return ok({ input: said, about: aboutPaths(paths, true), act: (context) => actOnAll(context, paths) });
}

async function actOnLines(context: CallContext, path: InsidePath, range: Range): Promise<Ended> {
  const read = await readAt(context, 0, path, ({ handle }) =>
    readUpTo(handle, context.limits.readBytes, context.watch),
  );
  if (read._tag === 'Left') return ended(read.left);
  const text = decodeText(read.right);
  if (text === null) return notText(path, read.right);
  const lines = done(takeLines(text, range));
  return read.right.isWhole ? lines : { ...lines, ...TOO_LONG };
}

/** The files one behind the other, up to the first that is no text. Beyond what is kept they are summed up. */
async function actOnAll(context: CallContext, paths: readonly InsidePath[]): Promise<Ended> {
  const { limits, watch } = context;
  const parts: string[] = [];
  const sum = sumUpTo(limits.wholeBytes);
  let left = limits.readBytes;
  let isWhole = true;
  for (const [index, path] of paths.entries()) {
    const read = await readAt(context, index, path, async ({ handle }) => {
      const kept = await readUpTo(handle, left, watch);
      if (kept._tag === 'Left') return kept;
      sum.add(kept.right.bytes);
      const stop = kept.right.isWhole ? null : await sumRest(handle, left, sum, watch);
      return stop === null ? kept : err(stop);
    });
    if (read._tag === 'Left') return ended(read.left);
    const text = decodeText(read.right);
    if (text === null) return notText(path, read.right);
    parts.push(text);
    left -= read.right.bytes.length;
    isWhole &&= read.right.isWhole;
  }
  const kept = done(parts.join(''));
  return isWhole ? kept : { ...kept, ...TOO_LONG, whole: sum.whole() };
}

const TOO_LONG = { status: 'truncated', code: 'file_too_long' } as const;

function readAt<T>(
  context: CallContext,
  index: number,
  path: InsidePath,
  read: (file: OpenFile) => Promise<Result<Refusal, T>>,
): Promise<Result<Refusal, T>> {
  const way = { make: false, follow: true, found: context.aim.at(index) };
  return withSpot(context.workspace, path, way, (spot) => withFile(spot, 'read', read));
}

/** What is in a file behind `from`, as long as it counts and there is time. */
async function sumRest(handle: FileHandle, from: number, sum: Sum, watch: Watch): Promise<Refusal | null> {
  const piece = Buffer.alloc(REST_PIECE_BYTES);
  for (let at = from; !sum.isOver(); ) {
    const stop = watch.stop();
    if (stop?.status === 'timeout') sum.leave();
    else if (stop !== null) return stop;
    const { bytesRead } = await handle.read(piece, 0, piece.length, at);
    if (bytesRead === 0) break;
    sum.add(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
  return null;
}

const REST_PIECE_BYTES = 1_048_576;

/** Bytes of a file, from its beginning. */
type Read = { readonly bytes: Uint8Array; readonly isWhole: boolean };

function notText(path: InsidePath, { bytes, isWhole }: Read): Ended {
  const size = `${bytes.length} bytes${isWhole ? '' : ' and more'}`;
  return ended(failed('not_text', `${path.text}: ${size} that are no UTF-8 text`));
}

/** Null where it is no UTF-8. A character that a bound cut through is left out. */
function decodeText({ bytes, isWhole }: Read): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isWhole });
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function takeLines(text: string, { from, to }: Range): string {
  return text
    .split(/(?<=\n)/)
    .slice(from - 1, to)
    .join('');
}
