/**
 * The file store: one file `<run_id>.ledger.jsonl` for each run in a folder, nothing else to install.
 * Source: design §7.
 */
import { join } from 'node:path';
import { compareText, err, isRunId, ok, type EvidenceRecord, type Head, type Result } from '@assay/kernel';
import { headAfter, StoreReadError, type Store, type StoreError } from '../index.js';
import { readErrno } from '../files/index.js';
import { makeDurableFolder } from '../files/folder.js';
import { type Disk, type DiskFile, KeptFiles, type Look, nodeDisk } from './disk.js';
import { closing, createLedger, extendLedger, groupBytes, tryFolder } from './ledger-file.js';
import { takeLock, type Lock } from './lock.js';
import { nodeProcesses, type Processes } from './owner.js';
import { readLines, readTail, type Tail } from './tail.js';

/** What was mended: so many bytes of a line whose writing was cut, removed from the end of a ledger file. */
export type Repair = { readonly run_id: string; readonly path: string; readonly bytes: number };

/**
 * Options of a file store. `disk` and `processes` are for tests; `onRepair` is told what was mended; `named`: the
 * one run whose ledger is named `as` in place of its id.
 */
export type FileStoreOptions = {
  readonly onRepair?: (repair: Repair) => void;
  readonly named?: { readonly run_id: string; readonly as: string };
  readonly disk?: Disk;
  readonly processes?: Processes;
};

/** A store in a folder, which can also be tried. */
export type FileStore = Store & {
  /**
   * Whether the folder can be written to now, by writing a file that is no ledger and removing it: no run is
   * touched. A run of which another process holds the lock, or whose own file is read-only, is `locked` or
   * `unavailable` all the same. Errors: `closed`, `unavailable`; of a folder that is not there `ENOENT`, and
   * it is not made.
   */
  readonly tryWriting: () => Promise<Result<StoreError, null>>;
};

/** The end of a ledger file's name. */
export const LEDGER_SUFFIX = '.ledger.jsonl';

/**
 * A store in a folder. Nothing is touched before the first append, which makes the folder where it is
 * missing. A run is locked by its first append and let go by its close record or by {@link Store.close}; a
 * lock whose owner is dead is taken over. Run ids that differ only in case: two files where the file system
 * tells them apart, else the later one is refused (`run_id`, `other_run`), since the first line of a ledger
 * names its run.
 */
export function fileStore(folder: string, options: FileStoreOptions = {}): FileStore {
  const store = new OpenStore(folder, options);
  return {
    append: (runId, expected, records) => store.append(runId, expected, records),
    read: (runId, from = 0) => store.read(runId, from),
    head: (runId) => store.head(runId),
    list: () => store.list(),
    close: () => store.close(),
    tryWriting: () => store.tryWriting(),
  };
}

/** A run this store writes: its lock, and the file that its last append left, where it ended then. */
type Writing = {
  readonly lock: Lock;
  known: { readonly head: Head; readonly end: number; readonly identity: string } | null;
};
/** A file opened to be written, as it was then. */
type Opened = { readonly file: DiskFile; readonly look: Look };

class OpenStore {
  private readonly folder: string;
  private readonly disk: Disk;
  private readonly processes: Processes;
  private readonly onRepair: (repair: Repair) => void;
  private readonly named: FileStoreOptions['named'];
  private readonly writing = new Map<string, Writing>();
  /** Files of runs that are written here, between two appends. */
  private readonly kept = new KeptFiles();
  /** The last append under way of each run; appends of one run go one after the other. */
  private readonly queues = new Map<string, Promise<unknown>>();
  private isClosed = false;

  constructor(folder: string, options: FileStoreOptions) {
    this.folder = folder;
    this.disk = options.disk ?? nodeDisk;
    this.processes = options.processes ?? nodeProcesses;
    this.onRepair = options.onRepair ?? (() => undefined);
    this.named = options.named;
  }

  async append(
    runId: string,
    expected: Head | null,
    records: readonly EvidenceRecord[],
  ): Promise<Result<StoreError, Head>> {
    const refusal = this.refuse(runId);
    if (refusal !== null) return err(refusal);
    const next = headAfter(runId, expected, records);
    return this.inTurn(runId, () =>
      this.guard(runId, 'append', () => this.write(runId, expected, next, records)),
    );
  }

  async *read(runId: string, from: number): AsyncGenerator<Uint8Array> {
    const refusal = this.refuse(runId);
    if (refusal !== null) throw new StoreReadError(refusal);
    let file: DiskFile | null = null;
    try {
      const opened = await this.open(runId, 'read');
      if (opened._tag === 'Left') throw new StoreReadError(opened.left);
      file = opened.right;
      if (file === null) throw new StoreReadError({ code: 'not_found', run_id: runId });
      yield* readLines(file, runId, from);
    } catch (error) {
      const errno = readErrno(error);
      throw errno === null
        ? error
        : new StoreReadError({ code: 'unavailable', run_id: runId, operation: 'read', errno });
    } finally {
      await file?.close();
    }
  }

  async head(runId: string): Promise<Result<StoreError, Head | null>> {
    const refusal = this.refuse(runId);
    if (refusal !== null) return err(refusal);
    // In turn: a group being appended is no head before it is durable.
    return this.inTurn(runId, () =>
      this.guard(runId, 'head', async () => {
        const opened = await this.open(runId, 'read');
        if (opened._tag === 'Left') return opened;
        const file = opened.right;
        if (file === null) return ok(null);
        const tail = await closing(file, () => this.tailOf(file, runId));
        return tail._tag === 'Left' ? tail : ok(tail.right.head);
      }),
    );
  }

  async list(): Promise<Result<StoreError, readonly string[]>> {
    if (this.isClosed) return err({ code: 'closed' });
    return this.guard(null, 'list', async () => {
      try {
        const names = await this.disk.list(this.folder);
        return ok(
          names
            .flatMap(parseRunId)
            .map((name) => (name === this.named?.as ? this.named.run_id : name))
            .sort(compareText),
        );
      } catch (error) {
        if (readErrno(error) === 'ENOENT') return ok([]);
        throw error;
      }
    });
  }

  async tryWriting(): Promise<Result<StoreError, null>> {
    if (this.isClosed) return err({ code: 'closed' });
    return this.guard(null, 'write', async () => {
      if ((await this.disk.look(this.folder)) === null)
        return err({ code: 'unavailable', run_id: null, operation: 'write', errno: 'ENOENT' });
      await tryFolder(this.disk, this.folder);
      return ok(null);
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled(this.queues.values());
    for (const runId of [...this.writing.keys()]) await this.letGo(runId);
  }

  private async write(
    runId: string,
    expected: Head | null,
    next: Head,
    records: readonly EvidenceRecord[],
  ): Promise<Result<StoreError, Head>> {
    const wasHeld = this.writing.has(runId);
    const writing = await this.claim(runId);
    if (writing._tag === 'Left') return writing;
    let isWritten = false;
    try {
      const written = await this.extend(runId, writing.right, expected, next, records);
      isWritten = written._tag === 'Right';
      return written;
    } finally {
      // A writer that came for nothing shuts nobody out, and a closed run has no next writer.
      const isOver = isWritten ? records.at(-1)?.kind === 'close' : !wasHeld;
      if (isOver) await this.letGo(runId);
    }
  }

  private async claim(runId: string): Promise<Result<StoreError, Writing>> {
    const held = this.writing.get(runId);
    if (held !== undefined && (await held.lock.isHeld())) return ok(held);
    this.writing.delete(runId);
    await this.kept.take(runId)?.close();
    await makeDurableFolder(this.folder, this.disk);
    const lock = await takeLock(this.disk, this.processes, this.folder, this.nameFor(runId));
    if (lock._tag === 'Left')
      return err({
        code: 'locked',
        run_id: runId,
        owner: lock.left.owner,
        ...(lock.left.isAlive ? { isAlive: true } : {}),
      });
    const writing: Writing = { lock: lock.right, known: null };
    this.writing.set(runId, writing);
    return ok(writing);
  }

  private async extend(
    runId: string,
    writing: Writing,
    expected: Head | null,
    next: Head,
    records: readonly EvidenceRecord[],
  ): Promise<Result<StoreError, Head>> {
    const bytes = groupBytes(records);
    const opened = await this.toWrite(runId, writing);
    if (opened._tag === 'Left') return opened;
    if (opened.right === null) {
      if (expected !== null) return err({ code: 'stale_head', run_id: runId, expected, actual: null });
      const { identity } = await createLedger(this.disk, this.path(runId), bytes);
      writing.known = { head: next, end: bytes.length, identity };
      return ok(next);
    }
    const { file, look } = opened.right;
    let isSound = false;
    try {
      const end = await this.settle(opened.right, runId, writing, expected);
      if (end._tag === 'Left') return end;
      if (bytes.length > 0) await extendLedger(file, bytes, end.right);
      writing.known = { head: next, end: end.right + bytes.length, identity: look.identity };
      isSound = true;
      return ok(next);
    } finally {
      // After a failure the file is opened again, and what it says by then counts, once it is on the medium.
      if (!isSound) writing.known = null;
      if (isSound) await this.kept.keep(runId, file);
      else await file.close();
    }
  }

  /**
   * The file of a run, null where there is none: the one that was kept where the run's name still stands for
   * it and nobody has changed its size, so that a file put in its place, cut or extended since is opened and
   * read again.
   */
  private async toWrite(runId: string, { known }: Writing): Promise<Result<StoreError, Opened | null>> {
    const named = await this.disk.look(this.path(runId));
    const kept = this.kept.take(runId);
    if (kept !== null && named !== null && isKnown(known, named)) return ok({ file: kept, look: named });
    await kept?.close();
    const opened = await this.open(runId, 'write');
    if (opened._tag === 'Left') return opened;
    const file = opened.right;
    if (file === null) return ok(null);
    try {
      return ok({ file, look: await file.look() });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Where to write: the end of a file that ends in `expected`, mended and durable up to there. */
  private async settle(
    { file, look }: Opened,
    runId: string,
    { known }: Writing,
    expected: Head | null,
  ): Promise<Result<StoreError, number>> {
    const isAsLeft = isKnown(known, look);
    const read: Result<StoreError, Tail> = isAsLeft
      ? ok({ ...known, remnant: 0 })
      : await this.tailOf(file, runId);
    if (read._tag === 'Left') return read;
    const { head: actual, end, remnant } = read.right;
    if (actual.hash !== expected?.hash || actual.count !== expected.count)
      return err({ code: 'stale_head', run_id: runId, expected, actual });
    if (remnant > 0) await file.truncate(end);
    if (!isAsLeft) {
      // What a dead writer left may be in memory only; nobody may act on it before it is on the medium.
      await file.sync();
      await this.disk.syncFolder(this.folder);
    }
    if (remnant > 0) this.onRepair({ run_id: runId, path: this.path(runId), bytes: remnant });
    return ok(end);
  }

  private async tailOf(file: DiskFile, runId: string): Promise<Result<StoreError, Tail>> {
    const tail = await readTail(file, runId);
    if (tail._tag === 'Right') return tail;
    return err(
      tail.left.code === 'torn'
        ? { ...tail.left, run_id: runId }
        : { code: 'run_id', run_id: runId, detail: 'other_run' },
    );
  }

  private async letGo(runId: string): Promise<void> {
    const lock = this.writing.get(runId)?.lock;
    this.writing.delete(runId);
    try {
      await this.kept.take(runId)?.close();
    } finally {
      await this.release(lock);
    }
  }

  private async release(lock: Lock | undefined): Promise<void> {
    try {
      await lock?.release();
    } catch (error) {
      // The lock stays behind, and its owner will be seen to be dead.
      if (readErrno(error) === null) throw error;
    }
  }

  private async inTurn<T>(runId: string, action: () => Promise<T>): Promise<T> {
    const before = this.queues.get(runId);
    const turn = before === undefined ? action() : Promise.allSettled([before]).then(action);
    this.queues.set(runId, turn);
    try {
      return await turn;
    } finally {
      if (this.queues.get(runId) === turn) this.queues.delete(runId);
    }
  }

  /** Failures of the system as `unavailable`; everything else is a defect and passes. */
  private async guard<A>(
    runId: string | null,
    operation: string,
    action: () => Promise<Result<StoreError, A>>,
  ): Promise<Result<StoreError, A>> {
    try {
      return await action();
    } catch (error) {
      const errno = readErrno(error);
      if (errno === null) throw error;
      return err({ code: 'unavailable', run_id: runId, operation, errno });
    }
  }

  /**
   * Null where there is no such file. A pipe would keep whoever opens it waiting, so what is no file is not
   * opened.
   */
  private async open(runId: string, mode: 'read' | 'write'): Promise<Result<StoreError, DiskFile | null>> {
    const path = this.path(runId);
    // A link to nowhere is listed like a ledger, so it is not passed over, and not replaced by a run that
    // begins.
    const look = (await this.disk.look(path)) ?? (await this.disk.lookAtName(path));
    if (look === null) return ok(null);
    if (!look.isFile)
      return err({ code: 'torn', run_id: runId, detail: 'what bears the name of the ledger is no file' });
    try {
      return ok(await this.disk.open(path, mode));
    } catch (error) {
      if (readErrno(error) === 'ENOENT') return ok(null);
      throw error;
    }
  }

  private refuse(runId: string): StoreError | null {
    if (this.isClosed) return { code: 'closed' };
    return isRunId(runId) ? null : { code: 'run_id', run_id: runId, detail: 'name' };
  }

  private path(runId: string): string {
    return join(this.folder, `${this.nameFor(runId)}${LEDGER_SUFFIX}`);
  }

  private nameFor(runId: string): string {
    return runId === this.named?.run_id ? this.named.as : runId;
  }
}

/** Whether a file is the one that the last append left, and as long as it was then. */
function isKnown<K extends { readonly end: number; readonly identity: string }>(
  known: K | null,
  look: Look,
): known is K {
  return known !== null && known.identity === look.identity && known.end === look.size;
}

function parseRunId(name: string): readonly string[] {
  const runId = name.endsWith(LEDGER_SUFFIX) ? name.slice(0, -LEDGER_SUFFIX.length) : '';
  return isRunId(runId) ? [runId] : [];
}
