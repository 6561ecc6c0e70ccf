/** What becomes of the notes of calls beside a store when a run is copied. */
import { dirname } from 'node:path';
import { err, ok, type Result } from '@assay/kernel';
import { makePath, reachable } from '../call-notes.js';
import { makeDonePath } from '../done-calls.js';
import { inDurableFolder } from '../files/folder.js';
import { readIfThere } from '../files/plain-file.js';
import { CallNotesError, type CallNotesFault, isMark, takenAway } from '../note.js';
import { appendLines } from '../notes-file.js';
import type { Store } from '../store.js';

/** What became of the notes of a run: of the calls that were begun, and of what its tools had done. */
export type NotesBeside = { readonly calls: NotesCopied; readonly done: NotesCopied };

/**
 * Has one folder of notes know what is noted of a run in another; null for a server, which keeps none.
 * `lost`: there are notes that somebody who goes on with the run would use, and the target keeps none; of a
 * run that is over nobody does. `store` holds the run, so many records long. A Left where notes cannot be
 * read or written.
 */
export async function copyBeside(
  source: string | null,
  target: string | null,
  { store, runId, count }: { readonly store: Store; readonly runId: string; readonly count: number },
): Promise<Result<CallNotesFault, NotesBeside>> {
  if (source === null) return NONE;
  const [first, last] = [await recordAt(store, runId, 0), await recordAt(store, runId, count - 1)];
  const isOver = last?.kind === 'close';
  if (isOver && target === null) return NONE;
  try {
    const calls = await copyNotes(source, target, runId);
    const done =
      isOver || first?.kind !== 'genesis' ? 'none' : await copyDoneCalls(source, target, first.record_hash);
    return ok({ calls, done });
  } catch (error) {
    if (!(error instanceof CallNotesError)) throw error;
    return err(error.fault);
  }
}

const NONE: Result<never, NotesBeside> = ok({ calls: 'none', done: 'none' });

/** A record of a ledger that was read and judged before; null where there is none any more. */
async function recordAt(store: Store, runId: string, at: number): Promise<Recorded | null> {
  for await (const line of store.read(runId, at))
    return JSON.parse(new TextDecoder().decode(line)) as Recorded;
  return null;
}

type Recorded = { readonly kind: string; readonly record_hash: string };

/**
 * Has the notes in one folder stand in another: what a run that is taken up there has lost would else be
 * charged to nobody. Every line of the source that counts stands in the target at least as often as there;
 * what the target has of its own stays, also what another process notes there meanwhile. Durable when it
 * returns. `none`: there are no notes; `lost`: there are, and there is no target. Who copies the same notes
 * twice at the same moment may have them stand there twice. Rejects with a {@link CallNotesError} where they
 * cannot be read or written. No line is judged: one that is no note is none there either.
 */
export function copyNotes(from: string, to: string | null, runId: string): Promise<NotesCopied> {
  return copyLines(makePath(from, runId), to === null ? null : makePath(to, runId));
}

/**
 * The same of the notes of what was done in the run that begins with the record of this hash
 * ({@link folderDoneCalls}): who takes it up there would else make those calls again.
 */
function copyDoneCalls(from: string, to: string | null, genesis: string): Promise<NotesCopied> {
  return copyLines(makeDonePath(from, genesis), to === null ? null : makeDonePath(to, genesis));
}

/** What became of notes that were to be copied. */
type NotesCopied = 'none' | 'copied' | 'lost';

async function copyLines(source: string, target: string | null): Promise<NotesCopied> {
  const noted = splitLines(await bytesAt(source));
  if (noted.length === 0) return 'none';
  if (target === null) return 'lost';
  const own = await bytesAt(target);
  const lacking = beyond(noted, splitLines(own));
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
function splitLines(bytes: Buffer): readonly string[] {
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
