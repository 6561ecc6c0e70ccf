/**
 * Notes of calls that are begun, beside the store: what a call cost that a crash cut off is not in the
 * ledger, and nobody else would know that it was made.
 */
import { join } from 'node:path';
import { isRunId, type Spent } from '@assay/kernel';
import { makeRefundNote, CallNotesError, makeNote, takeIn, type Noted } from './note.js';
import { NotesFile } from './notes-file.js';
import { systemCode } from './files/errno.js';

/** Keeps notes of the calls begun, each durable before its call is made. */
export type CallNotes = {
  /**
   * Notes durably that a call under this idempotency key is about to be made, and what it can cost at most;
   * with the bound null there is nothing to note. Gives the bounds of the calls noted under the key before:
   * they ended without their attempt being recorded, and are charged by their note, whoever answers now and
   * at whatever price. A list at once, without a promise, where nobody needs to be asked.
   */
  readonly begin: (
    runId: string,
    key: string,
    bound: Spent | null,
  ) => Promise<readonly Spent[]> | readonly Spent[];
  /**
   * Asked before the store is asked whether it has the run. If it has none, what this gave is called before
   * the first record is stored. What was noted under the run's name when this was asked is of a run that was
   * taken away, and is charged to nobody: with the same first record a run begun again has the same keys.
   * What is noted from then on stays, since another process may begin the same run.
   */
  readonly anew?: (runId: string) => Promise<() => Promise<void>>;
  /**
   * The last call noted under the key cost nothing, its answer comes later. Without it such a call is charged
   * as lost.
   */
  readonly takeBack?: (runId: string, key: string) => Promise<void>;
};

/** Notes in memory, for tests: `kept` is what outlives a process. */
export function memoryNotes(kept: string[] = []): CallNotes {
  return {
    begin: (runId, key, bound) => {
      const own = `${runId}/${key}`;
      const noted: Noted = new Map();
      takeIn(noted, kept.map((note) => `${note}\n`).join(''), 0, 'memory');
      if (bound !== null) kept.push(makeNote(own, bound));
      return Promise.resolve(noted.get(own) ?? []);
    },
    takeBack: (runId, key) => {
      kept.push(makeRefundNote(`${runId}/${key}`));
      return Promise.resolve();
    },
  };
}

/**
 * Notes in a folder, a file `RUN.calls` for each run; the guide "Drive runs" has the format of its lines. A
 * line, the name of its file and the folders made for it are durable before the call is made. The folder is
 * made if it is missing. A file is read once and then as it grows; what was read of the 64 runs noted last is
 * kept in memory. Rejects with a {@link CallNotesError} if the file cannot be read or written, or a line is
 * no note (a last line without its end is none, and no fault).
 */
export function folderNotes(folder: string): CallNotes {
  const files = new Map<string, NotesFile>();
  const openNotes = (runId: string, path: string): NotesFile => {
    const file = files.get(runId) ?? new NotesFile(path);
    files.delete(runId);
    files.set(runId, file);
    for (const oldest of files.keys()) if (files.size > FILES_MAX) files.delete(oldest);
    return file;
  };
  return {
    begin: async (runId, key, bound) => {
      const path = makePath(folder, runId);
      const file = openNotes(runId, path);
      const lost = await reachable(path, () => file.under(key));
      if (bound === null) return lost;
      await reachable(path, () => file.append(makeNote(key, bound)));
      return lost;
    },
    takeBack: async (runId, key) => {
      const path = makePath(folder, runId);
      await reachable(path, () => openNotes(runId, path).append(makeRefundNote(key)));
    },
    anew: async (runId) => {
      const path = makePath(folder, runId);
      const size = await reachable(path, () => openNotes(runId, path).size());
      return async () => {
        if (size > 0) await reachable(path, () => openNotes(runId, path).takeAway(size));
      };
    },
  };
}

/** The file of a run's notes. Raises a RangeError for what is no run id. */
export function makePath(folder: string, runId: string): string {
  if (!isRunId(runId)) throw new RangeError(`call notes: ${runId} is no run id`);
  return join(folder, `${runId}.calls`);
}

/** Failures of the system as a {@link CallNotesError}, `unavailable`; everything else passes. */
export async function reachable<A>(path: string, work: () => Promise<A>): Promise<A> {
  try {
    return await work();
  } catch (error) {
    const errno = systemCode(error);
    if (errno === undefined) throw error;
    throw new CallNotesError({ code: 'notes', reason: 'unavailable', path, errno });
  }
}

const FILES_MAX = 64;
