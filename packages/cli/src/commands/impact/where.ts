/** The runs that are named: ledgers, folders of them, and stores. */
import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreReadError, maskedAddress, nativeSha256, type Store, type StoreError } from '@assay/host';
import { compareText } from '@assay/kernel';
import { encodeFile } from '@assay/verifier/attacks';
import { KEPT_BYTES_MAX, isPage, isStored, ledgerChunks } from '../../files/ledger.js';
import { notRead, readChunks, requireOneStdin } from '../../files/read.js';
import { openStore, storeProblem } from '../../files/store.js';
import { EXIT, Stop, misuse } from '../../problems/problem.js';

/** A ledger by its name in a report; `read` gives its bytes. Raises `Stop`. */
export type Named = { readonly file: string; readonly read: () => Promise<Uint8Array> };

/** Everything that is named, and what gives up the stores. */
export type Where = { readonly named: readonly Named[]; readonly close: () => Promise<void> };

/**
 * Opens a PLACE that it knows; null for any other. A place that is no ledger, such as a trace of an agent, has an
 * opener whose `read` makes the ledger in memory. Raises `Stop`.
 */
export type Opener = (place: string) => Promise<Where | null>;

/** The first that knows a place opens it; any other place is a ledger. */
const OPENERS: readonly Opener[] = [openStored, openTraces, openFolder];

/**
 * The ledgers of files, of folders and of stores. Raises `Stop`: `missing_file`, `no_fixtures`, `stdin`, and
 * those of a store.
 */
export async function runsIn(places: readonly string[]): Promise<Where> {
  requireOneStdin(places);
  const opened: Where[] = [];
  for (const place of places) opened.push(await openPlace(place));
  return {
    named: opened.flatMap(({ named }) => named),
    close: async () => {
      for (const { close } of opened) await close();
    },
  };
}

async function openPlace(place: string): Promise<Where> {
  for (const open of OPENERS) {
    const opened = await open(place);
    if (opened !== null) return opened;
  }
  return keepNothing([place]);
}

/** Sessions of agents, each as a ledger in memory. A folder that has ledgers is one of ledgers. */
async function openTraces(place: string): Promise<Where | null> {
  const found = statSync(place, { throwIfNoEntry: false });
  const isTrace =
    found?.isDirectory() === true
      ? below(place).length === 0
      : found?.isFile() === true && (await isLines(place));
  if (!isTrace) return null;
  const { readTraces, NO_TRACE } = await import('../../files/traces.js');
  try {
    const { makeRun } = await import('@assay/gate/import');
    const { runs, hashes } = await readTraces([place]);
    const named = runs.map(({ session, run_id }) => ({
      file: `${place}#${run_id}`,
      read: async () => encodeFile(makeRun(session, run_id, hashes, { sha256: nativeSha256 }).records),
    }));
    return { named, close: async () => undefined };
  } catch (error) {
    // What is no trace either is told by who reads ledgers.
    if (error instanceof Stop && error.problem.code === NO_TRACE) return null;
    throw error;
  }
}

/** True for a file of JSON that does not begin as a ledger does. */
async function isLines(path: string): Promise<boolean> {
  if (!/\.(?:jsonl|json|ndjson)$/.test(path)) return false;
  for await (const chunk of readChunks(path))
    return !Buffer.from(chunk.subarray(0, LEDGER_START.length)).equals(LEDGER_START);
  return false;
}

const LEDGER_START = Buffer.from('{"v":');

async function openFolder(place: string): Promise<Where | null> {
  const isFolder = place !== '-' && statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? keepNothing(ledgersIn(place)) : null;
}

/** Files, which need not be given up. */
function keepNothing(files: readonly string[]): Where {
  return {
    named: files.map((file) => ({ file, read: () => readBytes(file) })),
    close: async () => undefined,
  };
}

/** Folders of other things: hidden ones, packages, and forgeries. */
const NOT_ENTERED = /^(?:\..*|node_modules|forgeries)$/;

/**
 * Every `ledger.jsonl` and `*.ledger.jsonl` below a folder, by name; hidden folders, `node_modules` and `forgeries` are
 * left out. A fixture that lost its ledger is named all the same: left out, it would pass. Raises `Stop`:
 * `no_fixtures`.
 */
function ledgersIn(folder: string): readonly string[] {
  const found = below(folder);
  if (found.length === 0)
    throw misuse(
      'no_fixtures',
      'this folder has no ledger and no session of an agent',
      folder,
      'name a folder with files that end in ledger.jsonl, or with sessions (docs/formats/import.md)',
    );
  return found;
}

function below(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) =>
    compareText(a.name, b.name),
  );
  const isFixture = entries.some(({ name }) => name === 'expected.json' || name === 'fixture.json');
  const isLost = isFixture && !entries.some(({ name }) => name === 'ledger.jsonl');
  const inner = entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_ENTERED.test(entry.name) ? [] : below(path);
    return entry.name === 'ledger.jsonl' || entry.name.endsWith('.ledger.jsonl') ? [path] : [];
  });
  return isLost ? [join(folder, 'ledger.jsonl'), ...inner] : inner;
}

async function openStored(url: string): Promise<Where | null> {
  if (!isStored(url) || url.includes('#')) return null;
  const place = maskedAddress(url);
  const store = await openStore(url, { mustExist: true, readsOnly: true });
  const ids = await store.list();
  if (ids._tag === 'Left') {
    await store.close();
    throw storeProblem(ids.left, place);
  }
  const named = ids.right.map(
    (id): Named => ({
      file: `${place}#${id}`,
      read: async () => {
        try {
          return await gathered(store.read(id), `${place}#${id}`, NEWLINE);
        } catch (error) {
          throw error instanceof StoreReadError ? await readProblem(store, place, error.error) : error;
        }
      },
    }),
  );
  return { named, close: () => store.close() };
}

/** A run that was listed and is not there: it was removed, or the whole store was. */
async function readProblem(store: Store, place: string, error: StoreError): Promise<Stop> {
  if (error.code !== 'not_found') return storeProblem(error, place);
  const ids = await store.list();
  if (ids._tag === 'Left') return storeProblem(ids.left, place);
  return ids.right.length > 0 ? storeProblem(error, place) : storeProblem(GONE, place);
}

const GONE: StoreError = { code: 'unavailable', run_id: null, operation: 'open', errno: 'ENOENT' };
const NEWLINE = Uint8Array.of(0x0a);
const NOTHING = new Uint8Array(0);

/** A file that is small enough is read in one piece: a stream's buffers are larger than most ledgers. */
async function readBytes(path: string): Promise<Uint8Array> {
  const found = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
  try {
    const bytes = found?.isFile() === true && found.size <= KEPT_BYTES_MAX ? await readFile(path) : null;
    if (bytes !== null && !isPage(bytes)) return bytes;
  } catch (error) {
    throw notRead(path, error);
  }
  return gathered(ledgerChunks(path), path, NOTHING);
}

async function gathered(
  parts: AsyncIterable<Uint8Array>,
  place: string,
  end: Uint8Array,
): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    size += part.length + end.length;
    if (size > KEPT_BYTES_MAX)
      throw misuse('too_large', `this ledger has more than ${KEPT_BYTES_MAX} bytes`, place, 'leave it out');
    kept.push(part, end);
  }
  return Buffer.concat(kept);
}

/** True where a problem is one ledger's own, also that it does not hold, and not that of the place it is in. */
export function isOwn(error: unknown): error is Stop {
  const codes: readonly string[] = ['missing_file', 'unreadable', 'is_folder', 'too_large', 'no_run'];
  if (!(error instanceof Stop)) return false;
  return codes.includes(error.problem.code) || error.problem.exit === EXIT.failed;
}
