/**
 * The tools `make_dir`, `move_file` and `remove_file`. Source: 003 §R3, place 3; what would be lost asks
 * first: 003 §9 Law 1.
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
  plainInput,
} from '../calls/call.js';
import { askFresh, hold, lose, type FileSpot } from '../calls/loss.js';
import { denied, failed, type Refusal } from '../refusal.js';
import { renderSpot, isSame, withSpot, type Spot } from '../workspace/descend.js';
import { lookAtSpot, notAFile, placeNew } from '../workspace/content.js';
import { fileKey, type InsidePath, parsePath, placeKey } from '../workspace/path.js';

const One = z.strictObject({ path: z.string() });
const Two = z.strictObject({ from: z.string(), to: z.string() });
const OWN = { make: false, follow: false } as const;
const NEW = { make: true, follow: false } as const;

/** Reads `"a/b"` or `{path}`. That the folder is there already is no fault. */
export const MAKE_DIR: ToolForm = toolForm(One, 'path', ofPath(makeDir));

/**
 * Reads `"a.txt"` or `{path}`. Always `needs_confirmation`. Regular files only; of several names one is
 * removed.
 */
export const REMOVE_FILE: ToolForm = toolForm(One, 'path', ofPath(remove));

/**
 * Reads `{from, to}`; `to` is the new path of the file, not a folder. Where a file is, or programs start
 * one of that name by themselves, `needs_confirmation`.
 * Makes folders above `to`.
 */
export const MOVE_FILE: ToolForm = toolForm(Two, 'from', (asked) => {
  const from = parsePath(asked.from);
  if (from._tag === 'Left') return from;
  const to = parsePath(asked.to);
  if (to._tag === 'Left') return to;
  return ok({
    input: canonicalInput({ from: from.right.text, to: to.right.text }),
    about: aboutPaths([from.right, to.right], false),
    act: async (context) => endedBy(await move(context, from.right, to.right)),
  });
});

function ofPath(
  act: (context: CallContext, path: InsidePath) => Promise<Result<Refusal, Ended>>,
): (asked: z.infer<typeof One>) => Result<Refusal, Understood> {
  return (asked) => {
    const path = parsePath(asked.path);
    if (path._tag === 'Left') return path;
    return ok({
      input: plainInput('path', path.right.text),
      about: aboutPaths([path.right], false),
      act: async (context) => endedBy(await act(context, path.right)),
    });
  };
}

function makeDir(context: CallContext, path: InsidePath): Promise<Result<Refusal, Ended>> {
  return withSpot(context.workspace, path, { ...NEW, found: context.aim.at(0) }, async (spot) => {
    const there = await lookAtSpot(spot);
    if (there === null) {
      await fs.mkdir(renderSpot(spot));
      await spot.folder.handle.sync();
      return ok(done(`made ${path.text}\n`));
    }
    if (there.isDirectory()) return ok(done(`${path.text} is there already\n`));
    return err(
      denied(there.isSymbolicLink() ? 'symlink' : 'not_a_folder', `${path.text}: something else is there`),
    );
  });
}

function remove(context: CallContext, path: InsidePath): Promise<Result<Refusal, Ended>> {
  return withSpot(context.workspace, path, { ...OWN, found: context.aim.at(0) }, async (spot) => {
    if (spot.name === null) return err(notAFile(spot));
    const there = await fileAt(spot);
    if (there._tag === 'Left') return there;
    const said = done(`removed ${path.text}, which had ${there.right.size} bytes\n`, true);
    return lose(
      context,
      { ...spot, name: spot.name },
      {
        asks: (bytes) => `${bytes} bytes would be lost`,
        instead: () => Promise.resolve(said),
      },
    );
  });
}

function move(context: CallContext, from: InsidePath, to: InsidePath): Promise<Result<Refusal, Ended>> {
  return withSpot(context.workspace, from, { ...OWN, found: context.aim.at(0) }, async (source) => {
    const moved = await fileAt(source);
    if (moved._tag === 'Left') return moved;
    const fresh = askFresh(context, to);
    return withSpot(context.workspace, to, { ...NEW, found: context.aim.at(1), fresh }, async (target) => {
      if (target.name === null) return err(notAFile(target));
      const there = await lookAtSpot(target);
      if (there !== null && isSame(there, moved.right))
        return err(failed('exists', `${target.path.text}: it is that file already`));
      const replaced = there === null ? null : await fileAt(target);
      if (replaced?._tag === 'Left') return replaced;
      const spot = { ...target, name: target.name };
      if (replaced === null) {
        const ask = fresh(target.path);
        return ask === null ? placed(context, source, spot) : err(ask);
      }
      return lose(context, spot, {
        asks,
        instead: async () => {
          const ended = endedBy(await placed(context, source, spot));
          return ended.status === 'ok' ? movedOnto(source, target, replaced.right) : ended;
        },
      });
    });
  });
}

async function placed(context: CallContext, source: Spot, target: FileSpot): Promise<Result<Refusal, Ended>> {
  const file = await fs.lstat(renderSpot(source), { bigint: true });
  try {
    await placeNew(renderSpot(source), target, target.name);
  } catch (error) {
    if (readErrno(error) === 'EEXIST') return hold(context, target, asks);
    throw error;
  }
  if (!context.made.files.has(fileKey(file))) context.made.left.add(placeKey(source.path));
  await target.folder.handle.sync();
  await source.folder.handle.sync();
  return ok(done(`moved ${source.path.text} to ${target.path.text}\n`));
}

function movedOnto(source: Spot, target: Spot, there: Stats): Ended {
  return done(
    `moved ${source.path.text} to ${target.path.text}, where a file of ${there.size} bytes was\n`,
    true,
  );
}

/** The regular file at a spot, which is not gone through a link. */
async function fileAt(spot: Spot): Promise<Result<Refusal, Stats>> {
  const there = await lookAtSpot(spot);
  if (there === null) return err(failed('not_found', `${spot.path.text}: nothing is there`));
  if (there.isSymbolicLink())
    return err(denied('symlink', `${spot.path.text}: a symbolic link stands there`));
  return there.isFile() ? ok(there) : err(notAFile(spot));
}

function asks(bytes: number): string {
  return `a file of ${bytes} bytes is there and would be replaced`;
}
