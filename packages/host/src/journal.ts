/** What is kept beside the ledgers of a store, and never in them. */
import { join } from 'node:path';
import { folderBlobs, folderOutputs, type Blobs, type Outputs } from './blobs.js';
import { folderNotes, makePath, reachable, type CallNotes } from './call-notes.js';
import { folderDoneCalls, makeDonePath, type DoneCallsOptions, type KeptDoneCalls } from './done-calls.js';
import { inDurableFolder } from './files/folder.js';
import { readIfThere } from './files/plain-file.js';
import { isMark, takenAway } from './note.js';
import { appendLines } from './notes-file.js';
import { folderSnapshots, type Snapshots } from './snapshots.js';

/**
 * The journal of a store: calls begun and what tools had done, so that a run that died goes on without charging or
 * calling twice; whole outputs and bytes that ledgers cite; snapshots. `folder`: where it is one.
 */
export type Journal = {
  readonly folder: string | null;
  readonly calls: CallNotes;
  readonly done: (options?: DoneCallsOptions) => KeptDoneCalls;
  readonly outputs: Outputs;
  readonly blobs: Blobs;
  readonly snapshots: Snapshots;
  /** What is noted of a run; what of it was taken away is left out. */
  readonly lines: (run: JournaledRun) => Promise<JournalLines>;
  /** Has each line stand there at least as often as here, durably. */
  readonly add: (run: JournaledRun, lines: JournalLines) => Promise<void>;
};

/** A run by its name, and by the hash of its first record. */
export type JournaledRun = { readonly runId: string; readonly genesis: string };

/** Notes of calls that were begun, and of what was done, as the files of a folder have them. */
export type JournalLines = { readonly calls: readonly string[]; readonly done: readonly string[] };

/** The journal in a folder, which is made when something is noted. */
export function folderJournal(folder: string): Journal {
  const paths = ({ runId, genesis }: JournaledRun) =>
    ({ calls: makePath(folder, runId), done: makeDonePath(folder, genesis) }) as const;
  return {
    folder,
    calls: folderNotes(folder),
    done: (options) => folderDoneCalls(folder, options),
    outputs: folderOutputs(join(folder, 'outputs')),
    blobs: folderBlobs(join(folder, 'blobs')),
    snapshots: folderSnapshots(folder),
    lines: async (run) => {
      const { calls, done } = paths(run);
      return { calls: splitLines(await bytesAt(calls)), done: splitLines(await bytesAt(done)) };
    },
    add: async (run, { calls, done }) => {
      const to = paths(run);
      if (calls.length > 0) await addLines(folder, to.calls, calls);
      if (done.length > 0) await addLines(folder, to.done, done);
    },
  };
}

async function addLines(folder: string, path: string, lines: readonly string[]): Promise<void> {
  const own = await bytesAt(path);
  const lacking = listLacking(lines, splitLines(own));
  const isCut = own.length > 0 && own.at(-1) !== LINE_FEED;
  // Also where nothing is lacking: who put it there may have died before its name was on the medium.
  await reachable(path, () =>
    inDurableFolder(folder, () => appendLines(path, isCut && lacking.length > 0, lacking)),
  );
}

/** Lines that stand here more often than there: two lost calls may have the same line. */
export function listLacking(lines: readonly string[], there: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of there) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left <= 0;
  });
}

/**
 * Whole lines that count: one that a crash cut is of a call that was never begun. A mark counts bytes of its own
 * file, so it stands in no other.
 */
function splitLines(bytes: Buffer): readonly string[] {
  const counting = bytes.subarray(takenAway(bytes, 0), bytes.lastIndexOf(LINE_FEED) + 1).toString('utf8');
  return counting
    .split('\n')
    .slice(0, -1)
    .filter((line) => !isMark(line));
}

async function bytesAt(path: string): Promise<Buffer> {
  return (await reachable(path, () => readIfThere(path))) ?? Buffer.alloc(0);
}

const LINE_FEED = 0x0a;
