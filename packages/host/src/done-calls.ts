/**
 * Notes of what a port has done, beside the store. A call whose answer is not recorded yet is made again after a crash; where it
 * changed something, it would find its own work there: a file moved away, a line added twice. Source: machine interface,
 * "at-least-once performance"; planner-controller E4.
 *
 * @module
 */
import { join } from 'node:path';
import { canonicalize, decodeUtf8, hashText, isDigest, isObject, orThrow, type Json, type JsonObject } from '@assay/kernel';
import { inDurableFolder } from './durable-folder.js';
import { nativeSha256 } from './native-sha256.js';
import { appendLines } from './notes-file.js';
import { readFileOnly } from './plain-file.js';

/**
 * Remembers what was done under an idempotency key. `call`: which of its calls, as plain JSON: its number and what it was asked. `find`: what came
 * of a call that was noted; null where none was. `note`: keeps what came of it. Both reject with the system's errors.
 */
export type DoneCalls = {
  readonly find: (key: string, call: JsonObject) => Promise<Json | null>;
  readonly note: (key: string, call: JsonObject, made: Json) => Promise<void>;
};

/**
 * Such notes in a folder, one file for each run, `GENESIS_HASH.done`: a line of key, digest of the call and what came of it, durable before `note`
 * returns. A file is read once. A line that a crash cut, or that is none, is passed over: its call is made again, as if nothing were noted.
 */
export function folderDoneCalls(folder: string): DoneCalls {
  const files = new Map<string, Promise<Done>>();
  const fileOf = (key: string): { readonly path: string; readonly reading: Promise<Done> } => {
    const path = join(folder, `${genesisIn(key)}.done`);
    const reading = files.get(path) ?? readDone(path);
    files.set(path, reading);
    return { path, reading };
  };
  return {
    find: async (key, call) => {
      const made = (await fileOf(key).reading).made.get(nameOf(key, call));
      return made === undefined ? null : (JSON.parse(made) as Json);
    },
    note: async (key, call, made) => {
      const { path, reading } = fileOf(key);
      const done = await reading;
      const isCut = done.isCut;
      done.isCut = false;
      await inDurableFolder(folder, () => appendLines(path, isCut, [`${nameOf(key, call)} ${textOf(made)}`]));
    },
  };
}

/** What a file held when it was read. `isCut`: its last line has no end, which the next note gives it. */
type Done = { readonly made: ReadonlyMap<string, string>; isCut: boolean };

/** The run of a key: it goes into a file's name, so it must be a digest. */
function genesisIn(key: string): string {
  const genesis = key.slice(0, key.indexOf('/'));
  if (!isDigest(genesis)) throw new RangeError('done calls: an idempotency key begins with the hash of a genesis record');
  return genesis;
}

function nameOf(key: string, call: JsonObject): string {
  return `${key} ${hashText(textOf(call), nativeSha256)}`;
}

function textOf(value: Json): string {
  return orThrow(decodeUtf8(orThrow(canonicalize(value))));
}

async function readDone(path: string): Promise<Done> {
  const made = new Map<string, string>();
  const text = await textAt(path);
  for (const line of text.split('\n').slice(0, -1)) {
    const [, name, value] = /^(\S+ [0-9a-f]{64}) (\{.*\})$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined && isJson(value)) made.set(name, value);
  }
  return { made, isCut: text !== '' && !text.endsWith('\n') };
}

function isJson(text: string): boolean {
  try {
    return isObject(JSON.parse(text) as Json);
  } catch {
    return false;
  }
}

async function textAt(path: string): Promise<string> {
  try {
    return new TextDecoder().decode(await readFileOnly(path));
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return '';
    throw error;
  }
}
