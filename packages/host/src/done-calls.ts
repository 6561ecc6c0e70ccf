/**
 * Notes of what a port has done, beside the store. A call whose answer is not recorded yet is made again
 * after a crash; where it changed something, it would find its own work there: a file moved away, a line
 * added twice. Source: machine interface, "at-least-once performance"; planner-controller E4.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  canonicalize,
  decodeUtf8,
  isDigest,
  isObject,
  orThrow,
  type Json,
  type JsonObject,
} from '@assay/kernel';
import { inDurableFolder } from './files/folder.js';
import { CUT_END, takenAway } from './note.js';
import { LineEnd, NotesFile } from './notes-file.js';
import { readIfThere } from './files/plain-file.js';
import { systemCode } from './files/errno.js';

/**
 * Remembers what was done under an idempotency key, call by call. `call`: its number among those of the
 * request. `find`: what was noted of it, by this object or before it; null where nothing was. `note`: keeps
 * it. Both reject with the system's errors.
 */
export type DoneCalls = {
  readonly find: (key: string, call: number) => Promise<JsonObject | null>;
  readonly note: (key: string, call: number, made: JsonObject) => Promise<void>;
};

/** Such notes that are kept beside a store. */
export type KeptDoneCalls = DoneCalls & {
  /**
   * Asked for a run, by the hash of its genesis record, before its store is asked whether it has it; where it
   * has none, what this gives is called before the first record is stored. What was noted of the run when
   * this was asked is of one that was taken away: a run begun again with the same first record would else
   * record calls that it never made. What is noted from then on stays, since another process may begin the
   * same run.
   */
  readonly anew: (genesis: string) => Promise<() => Promise<void>>;
};

/**
 * Such notes in a folder, one file for each run, `GENESIS_HASH.done`: a line of key, number and what came of
 * the call, durable before `note` returns. A file is read once. A line that is none, as a crash or a full
 * medium cuts it, is passed over: its call is made again, as if nothing were noted. A line `anew BYTES ~`
 * says that as much of the beginning is of a run that was taken away. `onUnusable` is told once of a file
 * that cannot be read or kept, or holds a line that is none and was not cut, with the system's name of why
 * (`damaged` for such a line): its calls may be made again.
 */
export function folderDoneCalls(
  folder: string,
  { onUnusable = () => undefined }: DoneCallsOptions = {},
): KeptDoneCalls {
  const files = new Map<string, Promise<Done>>();
  const told = new Set<string>();
  const tell = (path: string, why: string): void => {
    if (!told.has(path)) onUnusable(path, why);
    told.add(path);
  };
  const telling = <A>(path: string, work: Promise<A>): Promise<A> =>
    work.catch((error: unknown) => {
      const errno = systemCode(error);
      if (errno !== undefined) tell(path, errno);
      throw error;
    });
  const readFile = (key: string): Promise<Done> => {
    const path = makeDonePath(folder, genesisIn(key));
    const reading =
      files.get(path) ??
      telling(
        path,
        readDone(path, () => tell(path, 'damaged')),
      );
    files.set(path, reading);
    return reading;
  };
  return {
    anew: async (genesis) => {
      const path = makeDonePath(folder, genesis);
      const size = await new NotesFile(path).size().catch(() => null);
      return async () => {
        if (size === 0) return;
        // Where they can be neither set aside nor removed they are not used: whoever asks for one is told so.
        const read = telling(
          path,
          setAside(path, size).then(() => readDone(path, () => tell(path, 'damaged'))),
        );
        files.set(path, read);
        await read.catch(() => undefined);
      };
    },
    find: async (key, call) => (await readFile(key)).made.get(`${key} ${call}`) ?? null,
    note: async (key, call, made) => {
      const done = await readFile(key);
      const text = orThrow(decodeUtf8(orThrow(canonicalize(made))));
      await telling(
        makeDonePath(folder, genesisIn(key)),
        inDurableFolder(folder, () => done.end.append(`${key} ${call} ${text}`, done.isCut)),
      );
      done.isCut = false;
      done.made.set(`${key} ${call}`, made);
    },
  };
}

/** How such notes are kept. */
export type DoneCallsOptions = { readonly onUnusable?: (path: string, why: string) => void };

/** What is noted in a file. `isCut`: its last line has no end, which the next note gives it. */
type Done = { readonly made: Map<string, JsonObject>; readonly end: LineEnd; isCut: boolean };

/**
 * The file of the run that begins with the record of this hash. Raises a RangeError for what is none, since
 * it goes into a file's name.
 */
export function makeDonePath(folder: string, genesis: string): string {
  if (!isDigest(genesis))
    throw new RangeError('done calls: an idempotency key begins with the hash of a genesis record');
  return join(folder, `${genesis}.done`);
}

/** The run of a key. */
function genesisIn(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

/**
 * By a mark, which takes nothing that another process notes meanwhile; a file that cannot be marked, or whose
 * length is not known (null), is removed.
 */
async function setAside(path: string, size: number | null): Promise<void> {
  try {
    if (size !== null) {
      await new NotesFile(path).takeAway(size);
      return;
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
  await rm(path, { force: true });
}

async function readDone(path: string, onDamaged: () => void): Promise<Done> {
  const made = new Map<string, JsonObject>();
  const bytes = (await readIfThere(path)) ?? Buffer.alloc(0);
  const text = bytes.subarray(takenAway(bytes, 0)).toString('utf8');
  for (const line of text.split('\n').slice(0, -1)) {
    const [, name, value] = /^(\S+ \d+) (\{.*\})$/.exec(line) ?? [];
    const noted = name === undefined || value === undefined ? null : parsed(value);
    if (name !== undefined && noted !== null) made.set(name, noted);
    else if (!line.endsWith(CUT_END.trimEnd())) onDamaged();
  }
  return { made, end: new LineEnd(path), isCut: text !== '' && !text.endsWith('\n') };
}

function parsed(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
