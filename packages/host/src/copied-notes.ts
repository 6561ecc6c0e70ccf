/**
 * The notes of a run, taken from beside one store to beside another.
 *
 * @module
 */
import { dirname } from 'node:path';
import { pathOf, reachable } from './call-notes.js';
import { donePathOf } from './done-calls.js';
import { inDurableFolder } from './files/folder.js';
import { isMark, takenAway } from './note.js';
import { appendLines } from './notes-file.js';
import { readIfThere } from './files/plain-file.js';

/**
 * Has the notes in one folder stand in another: what a run that is taken up there has lost would else be
 * charged to nobody. Every line of the source that counts stands in the target at least as often as there;
 * what the target has of its own stays, also what another process notes there meanwhile. Durable when it
 * returns. `none`: there are no notes; `lost`: there are, and there is no target. Who copies the same notes
 * twice at the same moment may have them stand there twice. Rejects with a {@link CallNotesError} where they
 * cannot be read or written. No line is judged: one that is no note is none there either.
 */
export function copyNotes(from: string, to: string | null, runId: string): Promise<NotesCopied> {
  return copyLines(pathOf(from, runId), to === null ? null : pathOf(to, runId));
}

/**
 * The same of the notes of what was done in the run that begins with the record of this hash
 * ({@link folderDoneCalls}): who takes it up there would else make those calls again.
 */
export function copyDoneCalls(from: string, to: string | null, genesis: string): Promise<NotesCopied> {
  return copyLines(donePathOf(from, genesis), to === null ? null : donePathOf(to, genesis));
}

/** What became of notes that were to be copied. */
export type NotesCopied = 'none' | 'copied' | 'lost';

async function copyLines(source: string, target: string | null): Promise<NotesCopied> {
  const noted = linesOf(await bytesAt(source));
  if (noted.length === 0) return 'none';
  if (target === null) return 'lost';
  const own = await bytesAt(target);
  const lacking = beyond(noted, linesOf(own));
  const isCut = own.length > 0 && own.at(-1) !== LINE_FEED;
  // Also where nothing is lacking: who put it there may have died before its name was on the medium.
  await reachable(target, () =>
    inDurableFolder(dirname(target), () => appendLines(target, isCut && lacking.length > 0, lacking)),
  );
  return 'copied';
}

/**
 * Whole lines that count: one that a crash cut is of a call that was never begun. A mark counts bytes of its
 * own file, so it stands in no other.
 */
function linesOf(bytes: Buffer): readonly string[] {
  const counting = bytes.subarray(takenAway(bytes, 0), bytes.lastIndexOf(LINE_FEED) + 1).toString('utf8');
  return counting
    .split('\n')
    .slice(0, -1)
    .filter((line) => !isMark(line));
}

/** Lines that stand here more often than there: two lost calls may have the same line. */
function beyond(lines: readonly string[], there: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of there) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left <= 0;
  });
}

async function bytesAt(path: string): Promise<Buffer> {
  return (await reachable(path, () => readIfThere(path))) ?? Buffer.alloc(0);
}

const LINE_FEED = 0x0a;
