/**
 * Runs as `assay report --serve` serves them: files of ledgers, a folder of them, or a store. Bytes only.
 *
 * @module
 */
import { createReadStream, promises as fs, watch, type Dirent } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { Runs, ServedRun } from '@assay/explorer';
import { readErrno } from '@assay/host/files';
import { runView, type EvidenceRecord } from '@assay/kernel';
import { storeProblem, type NamedStore } from './store.js';

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
