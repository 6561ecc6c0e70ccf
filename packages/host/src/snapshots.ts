/**
 * Snapshots of runs: where they are kept, and taking them. Source: ledger format, "Snapshot file".
 *
 * A snapshot lies beside the ledger, never in it, and may be lost or wrong without harm: the ledger says
 * whether it is used.
 */
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalize, isRunId, snapshot, type Json, type Run } from '@assay/kernel';
import { readIfThere } from './files/plain-file.js';
import { type Timer, within } from './timer.js';

/** Records after which another snapshot is taken, unless `every` says otherwise. */
const SNAPSHOT_EVERY = 10_000;

/** How long a snapshot is waited for, in milliseconds, unless `deadlineMs` says otherwise. */
export const SNAPSHOT_DEADLINE_MS = 10_000;

/**
 * Keeps the latest snapshot of each run, as the bytes of its canonical text. Either may reject, or not
 * settle: a snapshot that is not saved or not found costs time, nothing else.
 */
export type Snapshots = {
  readonly save: (runId: string, bytes: Uint8Array) => Promise<void>;
  /** The snapshot saved last, null where there is none. */
  readonly load: (runId: string) => Promise<Uint8Array | null>;
};

/** How a drive uses snapshots. */
export type SnapshotUse = {
  readonly keep: Snapshots;
  /**
   * Records between two snapshots, 10,000 by default; one is taken at the next group whose
   * decision carries a state hash.
   */
  readonly every?: number;
  /**
   * Milliseconds that loading or saving one may take, 10,000 by default: then it is
   * given up, which `snapshot_error` tells, and the drive goes on without. The drive's signal ends the
   * wait as well, which is not told.
   */
  readonly deadlineMs?: number;
  /**
   * True: whoever can write where snapshots are kept is trusted not to have changed one. Then only the first
   * record and the last group before its head are read; else every record is, hashes, links and graph ids are
   * compared, and only the deriving is saved.
   */
  readonly isTrusted?: boolean;
};

/** Snapshots in memory. Give two of them one map and they keep the same. */
export function memorySnapshots(kept: Map<string, Uint8Array> = new Map()): Snapshots {
  return {
    save: async (runId, bytes) => {
      kept.set(runId, bytes.slice());
    },
    load: async (runId) => kept.get(runId) ?? null,
  };
}

/**
 * Snapshots as files `<run>.snapshot.json` in a folder that exists, each written whole: to the side, to the
 * disk, then in place. Rejects with the file system's errors, and for what bears such a name and is no file
 * (`ERR_NO_FILE`). Nothing waits in the system: a named pipe would hold a thread, and with it the end of the
 * process.
 */
export function folderSnapshots(folder: string): Snapshots {
  const makePath = (runId: string): string => {
    if (!isRunId(runId)) throw new RangeError(`snapshots: ${runId} is no run id`);
    return join(folder, `${runId}.snapshot.json`);
  };
  return {
    save: async (runId, bytes) => {
      const path = makePath(runId);
      const aside = `${path}.${process.pid}.tmp`;
      try {
        // What an earlier process of this number left, whatever it is: only a new file is written to.
        await rm(aside, { force: true });
        const file = await open(aside, 'wx');
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(aside, path);
      } catch (error) {
        await rm(aside, { force: true });
        throw error;
      }
    },
    load: async (runId) => readIfThere(makePath(runId)),
  };
}

/** What a {@link SnapshotTaker} needs of the drive. */
type SnapshotTaking = {
  readonly timer: Timer;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
};

/** Takes a snapshot now and then. */
export class SnapshotTaker {
  private readonly use: SnapshotUse;
  private readonly taking: SnapshotTaking;
  private next: number;
  /** True while a save goes on, one that was given up too: another beside it could be overtaken by it. */
  private isSaving: boolean = false;

  /** `from`: records there are when the drive begins. */
  constructor(use: SnapshotUse, from: number, taking: SnapshotTaking) {
    this.use = use;
    this.taking = taking;
    this.next = from + (use.every ?? SNAPSHOT_EVERY);
  }

  /**
   * Saves a snapshot of a run whose records are durable, where one is due and can be taken. Never rejects.
   */
  async offer<S, I, E extends Json, A extends Json>(run: Run<S, I, E, A>): Promise<void> {
    if (run.count < this.next || this.isSaving) return;
    const taken = snapshot(run);
    if (taken === null) return;
    this.next = run.count + (this.use.every ?? SNAPSHOT_EVERY);
    const bytes = canonicalize(taken);
    const { timer, signal, onError } = this.taking;
    try {
      if (bytes._tag === 'Left') throw new RangeError(`snapshot: ${bytes.left.code} at ${bytes.left.path}`);
      const { right } = bytes;
      await within(this.use.deadlineMs ?? SNAPSHOT_DEADLINE_MS, signal, timer, () =>
        this.save(run.genesis.run_id, right),
      );
    } catch (error) {
      onError(error);
    }
  }

  private async save(runId: string, bytes: Uint8Array): Promise<void> {
    this.isSaving = true;
    try {
      await this.use.keep.save(runId, bytes);
    } finally {
      this.isSaving = false;
    }
  }
}
