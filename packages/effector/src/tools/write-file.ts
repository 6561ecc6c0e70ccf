/**
 * The tools `write_file` and `append_file`. Source: 003 §R3, place 3; what would be lost asks first: 003 §9
 * Law 1.
 */
import { promises as fs, type Stats } from 'node:fs';
import { err, ok, type Result } from '@assay/kernel';
import * as z from 'zod';
import { readErrno } from '@assay/host/files';
import {
  type CallContext,
  done,
  type Ended,
  endedBy,
  toolForm,
  type ToolForm,
  type Understood,
  aboutPaths,
  canonicalInput,
} from '../calls/call.js';
import { askFresh, hold, holdAdding, lose, type FileSpot } from '../calls/loss.js';
import { denied, type Refusal } from '../refusal.js';
import {
  besideName,
  lookAtSpot,
  makeFile,
  notAFile,
  placeNew,
  readUpTo,
  removeQuietly,
  sha256,
  withFile,
  writeAll,
} from '../workspace/content.js';
import { at, withSpot, type Spot, type Way } from '../workspace/descend.js';
import { fileKey, type InsidePath, parsePath } from '../workspace/path.js';

const Input = z.strictObject({ path: z.string(), content: z.string() });
type Content = { readonly path: InsidePath; readonly bytes: Uint8Array };
type Act = (context: CallContext, content: Content) => Promise<Result<Refusal, Ended>>;

/**
 * Reads `{path, content}`. A new file is written beside its place, put on the medium and then named; folders
 * above it are made. What is said names the path as it was asked, whatever links its folders are. Where a
 * file stands with other content, `needs_confirmation`; where the content is the same, nothing is done. A new
 * file that programs start by themselves is `needs_confirmation` too.
 */
export const WRITE_FILE: ToolForm = toolForm(Input, 'path', (asked) => understood(asked, write));

/**
 * Reads `{path, content}`. The output says how long the file was, so that what was added can be cut off
 * again. A file that this run did not make is `needs_confirmation`. One with further names (hard links) is
 * `hard_linked`, since one of them may lie outside.
 */
export const APPEND_FILE: ToolForm = toolForm(Input, 'path', (asked) => understood(asked, append));

function understood({ path: text, content }: z.infer<typeof Input>, act: Act): Result<Refusal, Understood> {
  const path = parsePath(text);
  if (path._tag === 'Left') return path;
  if (path.right.segments.length === 0) return err(denied('not_a_file', 'the workspace is a folder'));
  const bytes = Buffer.from(content, 'utf8');
  return ok({
    input: canonicalInput({ content, path: path.right.text }),
    about: aboutPaths([path.right], false),
    act: async (context) => endedBy(await act(context, { path: path.right, bytes })),
  });
}

function makeWay(context: CallContext, path: InsidePath): Way {
  return { make: true, follow: false, found: context.aim.at(0), fresh: askFresh(context, path) };
}

const write: Act = (context, { path, bytes }) =>
  withSpot(context.workspace, path, makeWay(context, path), async (spot) => {
    const there = await lookAtSpot(spot);
    if (spot.name === null) return err(notAFile(spot));
    if (there === null) return writeNew(context, spot, spot.name, path, bytes);
    if (there.isSymbolicLink()) return err(denied('symlink', `${path.text}: a symbolic link stands there`));
    if (!there.isFile()) return err(notAFile(spot));
    if (await isContent(context, spot, there, bytes)) return ok(done(`unchanged ${said(path, bytes)}\n`));
    return replace(context, { ...spot, name: spot.name }, path, there, bytes);
  });

async function writeNew(
  context: CallContext,
  spot: Spot,
  name: string,
  path: InsidePath,
  bytes: Uint8Array,
): Promise<Result<Refusal, Ended>> {
  const ask = askFresh(context, path)(spot.path);
  if (ask !== null) return err(ask);
  const temporary = await written(context, spot, bytes, 0o666);
  try {
    await placeNew(temporary, spot, name);
  } catch (error) {
    await removeQuietly(temporary);
    // Somebody made it since we looked: it is theirs.
    if (readErrno(error) === 'EEXIST') return hold(context, spot, asks);
    throw error;
  }
  await spot.folder.handle.sync();
  return ok(done(`wrote ${said(path, bytes)}\n`));
}

function replace(
  context: CallContext,
  spot: FileSpot,
  path: InsidePath,
  there: Stats,
  bytes: Uint8Array,
): Promise<Result<Refusal, Ended>> {
  const instead = async (): Promise<Ended> => {
    const temporary = await written(context, spot, bytes, there.mode & 0o777);
    try {
      await fs.chmod(temporary, there.mode & 0o777);
      await placeNew(temporary, spot, spot.name);
    } catch (error) {
      await removeQuietly(temporary);
      throw error;
    }
    await spot.folder.handle.sync();
    return done(`replaced ${there.size} bytes by ${said(path, bytes)}\n`, true);
  };
  return lose(context, spot, { asks, instead });
}

/** Writes a file of its own beside the spot and gives its address. */
async function written({ made }: CallContext, spot: Spot, bytes: Uint8Array, mode: number): Promise<string> {
  const address = at(spot.folder, besideName('tmp'));
  await makeFile(address, bytes, mode);
  made.files.add(fileKey(await fs.lstat(address, { bigint: true })));
  return address;
}

async function isContent(
  context: CallContext,
  spot: Spot,
  there: Stats,
  bytes: Uint8Array,
): Promise<boolean> {
  if (there.size !== bytes.length) return false;
  const same = await withFile(spot, 'read', async ({ handle }) => {
    const read = await readUpTo(handle, bytes.length, context.watch);
    return read._tag === 'Left'
      ? read
      : ok(read.right.isWhole && Buffer.compare(read.right.bytes, bytes) === 0);
  });
  return same._tag === 'Right' && same.right;
}

const append: Act = (context, { path, bytes }) =>
  withSpot(context.workspace, path, makeWay(context, path), async (spot) => {
    if (spot.name !== null && (await lookAtSpot(spot)) === null)
      return writeNew(context, spot, spot.name, path, bytes);
    return withFile(spot, 'append', async ({ handle, look }) => {
      if (look.nlink > 1)
        return err(denied('hard_linked', `${path.text}: the file has another name, which may lie outside`));
      const held = await holdAdding(context, { handle, look }, path, spot.path);
      if (held !== null) return held;
      try {
        await writeAll(handle, bytes);
        await handle.sync();
      } catch (error) {
        // Half a text is worse than none; what others have added since is theirs.
        if ((await handle.stat()).size <= look.size + bytes.length) await handle.truncate(look.size);
        throw error;
      }
      return ok(done(`appended ${bytes.length} bytes to ${path.text}, which had ${look.size}\n`));
    });
  });

function said(path: InsidePath, bytes: Uint8Array): string {
  return `${path.text}: ${bytes.length} bytes, sha256 ${sha256(bytes)}`;
}

function asks(bytes: number): string {
  return `a file of ${bytes} bytes is there and would be replaced`;
}
