/** `assay report --serve`: runs in a browser on this machine, also while they grow. */
import { spawn } from 'node:child_process';
import {
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
  createReadStream,
  promises as fs,
  watch,
  type Dirent,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, basename, relative } from 'node:path';
import type { Runs, ServedRun } from '@assay/explorer';
import { maskedAddress } from '@assay/host';
import { readChunks } from '../files/read.js';
import { isPage } from '../files/ledger.js';
import { openStore, storeProblem, type NamedStore } from '../files/store.js';
import { EXIT, misuse, unreachable, type ExitCode, badValue } from '../problems/problem.js';
import { show } from '../terminal/shown.js';
import { untilAborted } from '../terminal/signals.js';
import type { Context } from '../call/output.js';
import { readErrno } from '@assay/host/files';
import { runView, type EvidenceRecord } from '@assay/kernel';

const PORT_MAX = 65_535;

type Source = { readonly runs: Runs; readonly close: () => Promise<void> };

/**
 * Serves the runs of a file, a folder or a store until it is interrupted: exit 130. Nothing is changed, and
 * nothing is judged here: the page checks what it gets. Raises `Stop`: `listen`, and those of stores and files.
 */
export async function serve(
  { output, interruption }: Context,
  place: string,
  { port, open }: { readonly port: string; readonly open: boolean },
): Promise<ExitCode> {
  const wanted = parsePort(port);
  const { runs, close } = await openSource(place);
  try {
    await interruption.during(async (signal) => {
      const { serveRuns, shellFor } = await import('@assay/explorer');
      const serving = await serveRuns(runs, { page: shellFor('all'), port: wanted });
      if (serving._tag === 'Left')
        throw unreachable(
          'listen',
          `cannot listen on this port (${serving.left.errno})`,
          `127.0.0.1:${wanted}`,
          'give another port with --port, or 0 for a free one',
        );
      const { url, close: end } = serving.right;
      output.document({ url });
      output.line(show`${url}`);
      output.note(show`assay: this is read-only and for this machine only; Ctrl-C ends it`);
      const opened = open ? openBrowser(url) : null;
      await untilAborted(signal);
      opened?.forget();
      await end();
    });
  } finally {
    await close();
  }
  return EXIT.interrupted;
}

/** A folder or a file that is there, else the address of a store. */
async function openSource(place: string): Promise<Source> {
  const close = (): Promise<void> => Promise.resolve();
  const stat = statSync(place, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) return { runs: folderRuns(place), close };
  if (stat?.isFile() === true) {
    await requireLedger(place);
    return { runs: fileRuns(place), close };
  }
  if (!/^[a-z]+:/.test(place))
    throw misuse(
      'missing_file',
      'no such file or folder',
      place,
      'check the path, or give a store such as file:./runs',
    );
  const store = await openStore(place, { mustExist: true, readsOnly: true });
  return { runs: storeRuns(store, maskedAddress(place)), close: () => store.close() };
}

/** Raises `Stop`, `result_file`, for a report: as a ledger it would be called broken. */
async function requireLedger(place: string): Promise<void> {
  for await (const chunk of readChunks(place)) {
    if (!isPage(chunk)) return;
    throw misuse(
      'result_file',
      'this is a report, which needs no server',
      place,
      'open it in a browser, or check it with assay verify',
    );
  }
}

function parsePort(text: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > PORT_MAX)
    throw badValue('not a port', `--serve ${text}`, 'give a number from 1 to 65535, or 0 for a free one');
  return port;
}

/**
 * Opens the address in the user's browser; where there is none, the line that was printed is enough. Every process
 * on the machine can read the arguments of another, so the browser gets a file, which only its user can read.
 */
function openBrowser(url: string): { readonly forget: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'assay-view-'));
  const page = join(folder, 'open.html');
  writeFileSync(page, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">`, { mode: 0o600 });
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '""']
        : ['xdg-open'];
  const child = spawn(command ?? '', [...args, page], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
  return { forget: () => rmSync(folder, { recursive: true, force: true }) };
}

const LINE_FEED = 0x0a;
const TAIL_BYTES = 65_536;
/** A line that was not ended for so long is no line being written. */
const WRITING_MS = 2_000;
const BESIDE = /\.(?:openings|proofs)\.jsonl$/;

/** A file as the only run. */
export function fileRuns(path: string): Runs {
  return listRuns(async () => new Map([[basename(path), path]]));
}

/** The ledgers of a folder and of the folders in it: what ends in `.jsonl`, but openings and proofs. */
export function folderRuns(folder: string): Runs {
  const below = async (path: string, depth: number): Promise<readonly string[]> => {
    const entries = await fs.readdir(path, { withFileTypes: true }).catch((): readonly Dirent[] => []);
    const found = await Promise.all(
      entries.map(async (entry) => {
        if (entry.isDirectory()) return depth === 0 ? [] : below(join(path, entry.name), depth - 1);
        const isLedger = entry.name.endsWith('.jsonl') && !BESIDE.test(entry.name);
        return isLedger ? [join(path, entry.name)] : [];
      }),
    );
    return found.flat();
  };
  return listRuns(async () => {
    const paths = await below(folder, 1);
    return new Map([...paths].sort().map((path) => [relative(folder, path), path]));
  });
}

/** Files by the names they are served under; nothing else is ever opened. */
function listRuns(list: () => Promise<ReadonlyMap<string, string>>): Runs {
  const known = new Map<string, string>();
  const findPath = async (id: string): Promise<string | null> => {
    if (!known.has(id)) for (const [name, path] of await list()) known.set(name, path);
    return known.get(id) ?? null;
  };
  return {
    list: async () =>
      Promise.all(
        [...(await list())].map(
          async ([id, path]): Promise<ServedRun> => ({ id, bytes: await readSize(path) }),
        ),
      ),
    size: async (id) => {
      const path = await findPath(id);
      return path === null ? null : readSize(path);
    },
    read: async function* (id, from) {
      const path = await findPath(id);
      if (path !== null) yield* createReadStream(path, { start: from }) as AsyncIterable<Uint8Array>;
    },
    watch: (id, onWake) => {
      const path = known.get(id);
      if (path === undefined) return () => undefined;
      // Where the system cannot watch, the file is looked at regularly all the same.
      try {
        const watcher = watch(path, { persistent: false }, onWake);
        watcher.on('error', () => undefined);
        return () => watcher.close();
      } catch {
        return () => undefined;
      }
    },
  };
}

/** Bytes of a file: without a last line that is still being written. Null where it is no file, or cannot be read. */
async function readSize(path: string): Promise<number | null> {
  try {
    const found = await fs.stat(path);
    // A pipe would be waited for, for ever.
    if (!found.isFile()) return null;
    const { size, mtimeMs } = found;
    if (Date.now() - mtimeMs > WRITING_MS) return size;
    const handle = await fs.open(path, 'r');
    try {
      for (let end = size; end > 0; end -= TAIL_BYTES) {
        const start = Math.max(0, end - TAIL_BYTES);
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
        const last = buffer.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
        if (last !== -1) return start + last + 1;
      }
      return 0;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (readErrno(error) === null) throw error;
    return null;
  }
}

/** What is known of a stored run: where its lines end, and the sequence of the first. */
type Known = { readonly ends: number[]; first: number };

/** The runs of a store. `place`: its address, as messages name it. Raises `Stop` where it cannot be read. */
export function storeRuns(store: NamedStore, place: string): Runs {
  const known = new Map<string, Known>();
  const ids = async (): Promise<readonly string[]> => {
    const found = await store.list();
    if (found._tag === 'Left') throw storeProblem(found.left, place);
    return found.right;
  };
  /** Reads on to the end of the run; its lines are counted, not kept. */
  const grown = async (id: string): Promise<Known | null> => {
    const run = known.get(id) ?? { ends: [], first: 0 };
    if (!known.has(id) && !(await ids()).includes(id)) return null;
    known.set(id, run);
    const head = await store.head(id);
    if (head._tag === 'Left') throw storeProblem(head.left, place);
    const count = head.right?.count ?? 0;
    if (run.ends.length > 0 && run.first + run.ends.length >= count) return run;
    for await (const line of from(store, id, run)) {
      if (run.ends.length === 0) run.first = readFirst(line);
      run.ends.push((run.ends.at(-1) ?? 0) + line.length + 1);
    }
    return run;
  };
  return {
    list: async () => (await ids()).map((id) => ({ id, bytes: known.get(id)?.ends.at(-1) ?? null })),
    size: async (id) => (await grown(id))?.ends.at(-1) ?? null,
    read: async function* (id, start) {
      const run = known.get(id);
      const skipped = run === undefined ? 0 : run.ends.filter((end) => end <= start).length;
      const before = run?.ends[skipped - 1] ?? 0;
      let left = start - before;
      for await (const line of from(store, id, { ends: { length: skipped }, first: run?.first ?? 0 })) {
        yield Buffer.concat([line, Buffer.from('\n')]).subarray(left);
        left = 0;
      }
    },
    watch: (id, onWake) => {
      const watching = store.watch?.(id, onWake);
      return () => void watching?.stop();
    },
  };
}

/** Lines of a run behind those that are known. */
function from(
  store: NamedStore,
  id: string,
  { ends, first }: { readonly ends: { readonly length: number }; readonly first: number },
): AsyncIterable<Uint8Array> {
  return ends.length === 0 ? store.read(id) : store.read(id, first + ends.length);
}

/** The sequence of a run's first record: that of its base for a continuation. */
function readFirst(line: Uint8Array): number {
  try {
    const run = runView([JSON.parse(Buffer.from(line).toString()) as EvidenceRecord]);
    const base = run._tag === 'Right' ? run.right.genesis.base : null;
    return base !== null && base.snapshot !== null ? base.count : 0;
  } catch {
    return 0;
  }
}
