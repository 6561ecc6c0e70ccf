/**
 * Holds calls back until the opening of their run is under a cosigned checkpoint. Source:
 * docs/formats/log.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sha256 } from '@assay/kernel';
import type { LogEntry } from '../log/entry.js';
import { LogError, LogReader, readCosigned } from './log-folder.js';

const LOOK_MS = 50;
const WAIT_MS = 60_000;

/** Where the log is, whose cosignature counts, how long to wait for an opening (60 s), and what ends the waiting. */
export type LogGuardOptions = {
  readonly folder: string;
  readonly sha256: Sha256;
  /** Public keys, in hex, of which one must have cosigned; null for any witness. */
  readonly witnesses?: readonly string[] | null;
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
};

/** For the option `opened` of a worker. */
export type LogGuard = {
  readonly opened: (run: { readonly run_id: string; readonly genesis_hash: string }) => Promise<void>;
};

/**
 * A guard of calls: `opened` resolves once an opening with this genesis hash, and so of this run, and no end of it
 * is under a checkpoint that a witness cosigned. It appends nothing: a sequencer and a witness must be at work. All
 * who wait share one look at the log, twenty times a second. Memory: a hash an opening, and the tree.
 * Rejects with {@link LogError}: `log_unwitnessed` after the time, `log_damaged`, `inconsistent`; with the
 * signal's reason; with the system's errors. Opening it reads the log, and raises the same.
 */
export function openLogGuard({
  folder,
  sha256,
  witnesses = null,
  waitMs = WAIT_MS,
  signal,
}: LogGuardOptions): LogGuard {
  const reader = new LogReader(folder, sha256);
  const known = new Set<string>();
  let lookedAt = -Infinity;
  const look = (): void => {
    if (performance.now() - lookedAt < LOOK_MS) return;
    lookedAt = performance.now();
    const checkpoint = readCosigned(folder, sha256, witnesses);
    if (checkpoint === null || checkpoint.size <= reader.tree.size) return;
    const found: LogEntry[] = [];
    reader.extendTo(checkpoint, (entry) => void found.push(entry));
    // A run that was given up makes no call any more.
    for (const { t, genesis_hash } of found)
      if (t === 'assay.run-opened.v1') known.add(genesis_hash);
      else known.delete(genesis_hash);
  };
  // A long log is read now, while nobody waits.
  look();
  return {
    opened: async ({ run_id, genesis_hash }) => {
      const until = performance.now() + waitMs;
      for (look(); !known.has(genesis_hash); look()) {
        if (performance.now() >= until) throw new LogError('log_unwitnessed', run_id);
        await sleep(LOOK_MS, undefined, signal === undefined ? {} : { signal });
      }
    },
  };
}
