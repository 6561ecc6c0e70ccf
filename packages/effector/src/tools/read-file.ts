/**
 * The tool `read_file`. Source: 003 §R3, place 3.
 *
 * @module
 */
import { err, ok, type Result } from '@assay/kernel';
import * as z from 'zod';
import { done, ended, endedBy, type CallContext, type Ended, type Understood } from '../calls/call.js';
import { aboutPaths } from '../calls/aim.js';
import { canonicalInput, plainInput } from '../calls/canonical.js';
import { toolForm, type ToolForm } from '../calls/form.js';
import { denied, failed, type Refusal } from '../refusal.js';
import { readUpTo } from '../workspace/content.js';
import { withSpot } from '../workspace/descend.js';
import { withFile } from '../workspace/file.js';
import { parsePath, type InsidePath } from '../workspace/path.js';

/** Lines are counted from 1, both ends included. */
const Line = z.int().min(1);
const One = z.strictObject({ path: z.string(), from_line: Line.optional(), to_line: Line.optional() });
const Several = z.strictObject({ paths: z.array(z.string()) });

type Range = { readonly from: number; readonly to: number };

/**
 * Reads `"a.txt"`, `{path, from_line?, to_line?}` or `{paths}`. The output is the text of the file, byte for
 * byte, or of the lines with their ends; of several files one behind the other, nothing between. Bytes that
 * are no UTF-8 are `not_text`; of what is longer than `readBytes`, several files together, the beginning
 * comes, `file_too_long`.
 */
export const READ_FILE: ToolForm = toolForm(z.union([One, Several]), 'path', (asked) =>
  'paths' in asked ? understandSeveral(asked.paths) : understandOne(asked),
);

function understandOne({
  path: given,
  from_line,
  to_line,
}: z.infer<typeof One>): Result<Refusal, Understood> {
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
    act: (context) => act(context, path.right, range),
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

async function act(context: CallContext, path: InsidePath, range: Range): Promise<Ended> {
  return endedBy(await readAt(context, 0, path, range, context.limits.readBytes));
}

/** The files one behind the other, up to the first that cannot be read whole. */
async function actOnAll(context: CallContext, paths: readonly InsidePath[]): Promise<Ended> {
  const parts: Uint8Array[] = [];
  let left = context.limits.readBytes;
  for (const [index, path] of paths.entries()) {
    const read = await readAt(context, index, path, WHOLE, left);
    if (read._tag === 'Left') return ended(read.left);
    if (read.right.status === 'error') return read.right;
    parts.push(read.right.output);
    if (read.right.status !== 'ok') return { ...read.right, output: Buffer.concat(parts) };
    left -= read.right.output.length;
  }
  return done(Buffer.concat(parts));
}

const WHOLE: Range = { from: 1, to: Infinity };

function readAt(
  context: CallContext,
  index: number,
  path: InsidePath,
  range: Range,
  most: number,
): Promise<Result<Refusal, Ended>> {
  const way = { make: false, follow: true, found: context.aim.at(index) };
  return withSpot(context.workspace, path, way, (spot) =>
    withFile(spot, 'read', async ({ handle }) => {
      const content = await readUpTo(handle, most, context.watch);
      return content._tag === 'Left'
        ? content
        : ok(shown(path, content.right.bytes, content.right.isWhole, range));
    }),
  );
}

function shown(path: InsidePath, bytes: Uint8Array, isWhole: boolean, range: Range): Ended {
  const text = textOf(bytes, isWhole);
  if (text === null)
    return ended(
      failed(
        'not_text',
        `${path.text}: ${bytes.length} bytes${isWhole ? '' : ' and more'} that are no UTF-8 text`,
      ),
    );
  const all = done(range.from === 1 && range.to === Infinity ? text : linesOf(text, range));
  return isWhole ? all : { ...all, status: 'truncated', code: 'file_too_long' };
}

/** Null where it is no UTF-8. A character that a bound cut through is left out. */
function textOf(bytes: Uint8Array, isWhole: boolean): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isWhole });
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function linesOf(text: string, { from, to }: Range): string {
  return text
    .split(/(?<=\n)/)
    .slice(from - 1, to)
    .join('');
}
