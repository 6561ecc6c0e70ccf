/**
 * Notes of calls that are begun, beside the store: what a call cost that a crash cut off is not in the ledger, and nobody
 * else would know that it was made.
 *
 * @module
 */
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunId, type Spent } from '@assay/kernel';
import { makeDurableFolder, syncFolder } from './durable-folder.js';

/**
 * Keeps notes. `begin`: notes durably that a call under this idempotency key is about to be made, and what it can cost at most; with
 * the bound null there is nothing to note. It gives the bounds of the calls that were noted under the key before: they ended without
 * their attempt being recorded, and are charged by their note, whoever answers now and at whatever price.
 */
export type CallNotes = { readonly begin: (runId: string, key: string, bound: Spent | null) => Promise<readonly Spent[]> };

/** Notes in memory, for tests: `kept` is what outlives a process. */
export function memoryNotes(kept: string[] = []): CallNotes {
  return {
    begin: (runId, key, bound) => {
      const own = `${runId}/${key}`;
      const before = boundsIn(kept.map((note) => `${note}\n`).join(''), own, 'memory');
      if (bound !== null) kept.push(noteOf(own, bound));
      return Promise.resolve(before);
    },
  };
}

/** Why notes cannot be used. `unavailable`: they cannot be read or written, with the system's name of why. `damaged`: a line (from 1) is no note, so that what its call cost is not known. */
export type CallNotesFault = { readonly code: 'notes'; readonly path: string } & ({ readonly reason: 'unavailable'; readonly errno: string } | { readonly reason: 'damaged'; readonly line: number });

/** Raised by {@link folderNotes}; `drive` gives it as its error. */
export class CallNotesError extends Error {
  override readonly name = 'CallNotesError';
  readonly fault: CallNotesFault;
  constructor(fault: CallNotesFault) {
    super(`call notes: ${fault.path}: ${fault.reason === 'damaged' ? `line ${fault.line} is no note` : fault.errno}`);
    this.fault = fault;
  }
}

/**
 * Notes in a folder, `RUN.calls`: a line of key and bound for each call (`KEY {"output_tokens":16384}`), each durable before its call
 * is made, its file's name and the folders that were made for it as well. A last line without its end, as a crash leaves it, is of a call that was
 * never begun; the next note marks it by a `~`. The folder is made where it is missing. Rejects with a {@link CallNotesError} where the file cannot be
 * read or written, or another line is no note.
 */
export function folderNotes(folder: string): CallNotes {
  /** Runs whose file this process has seen to: its name is on the medium. */
  const named = new Set<string>();
  return {
    begin: async (runId, key, bound) => {
      if (!isRunId(runId)) throw new RangeError(`call notes: ${runId} is no run id`);
      const path = join(folder, `${runId}.calls`);
      const text = await reachable(path, () => textOf(path));
      const lost = boundsIn(text, key, path);
      if (bound === null) return lost;
      const line = `${text === '' || text.endsWith('\n') ? '' : CUT_END}${noteOf(key, bound)}\n`;
      await reachable(path, async () => {
        if (!named.has(runId)) await makeDurableFolder(folder);
        await append(path, line);
        if (!named.has(runId)) await syncFolder(folder);
      });
      named.add(runId);
      return lost;
    },
  };
}

/** Ends a line that a crash cut. No note ends so. */
const CUT_END = '~\n';

async function append(path: string, text: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function reachable<A>(path: string, work: () => Promise<A>): Promise<A> {
  try {
    return await work();
  } catch (error) {
    const errno: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    if (typeof errno !== 'string') throw error;
    throw new CallNotesError({ code: 'notes', reason: 'unavailable', path, errno });
  }
}

/** The bounds noted under a key. Every whole line must be a note: one that is none may have been of this key. */
function boundsIn(text: string, key: string, path: string): readonly Spent[] {
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n').slice(0, -1);
  return lines.flatMap((line, index) => {
    if (line.endsWith(CUT_END.trimEnd())) return [];
    const note = noteIn(line);
    if (note === null) throw new CallNotesError({ code: 'notes', reason: 'damaged', path, line: index + 1 });
    return note.key === key ? [note.bound] : [];
  });
}

function noteOf(key: string, bound: Spent): string {
  return `${key} ${JSON.stringify(bound)}`;
}

/** A note; null for a line that is none, or whose amounts are no whole numbers from 0. */
function noteIn(line: string): { readonly key: string; readonly bound: Spent } | null {
  const [, key, json] = /^(\S+) (\{.*\})$/.exec(line) ?? [];
  if (key === undefined || json === undefined) return null;
  try {
    const bound = JSON.parse(json) as Spent;
    return Object.values(bound).every((amount) => Number.isSafeInteger(amount) && amount >= 0) ? { key, bound } : null;
  } catch {
    return null;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return '';
    throw error;
  }
}
