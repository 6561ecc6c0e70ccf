/**
 * Who continues a log: one process at a time. Files are written once and whole, the checkpoint last: after
 * a crash the log is what its checkpoint signs, and files beyond it are written anew. Source:
 * docs/formats/log.md.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Result, type Sha256, utf8Bytes } from '@assay/kernel';
import { storedBytes } from '../merkle/stored.js';
import {
  type Checkpoint,
  logKey,
  parseCheckpoint,
  readCosignatures,
  signCheckpoint,
} from '../log/checkpoint.js';
import { formatEntry, type LogEntry } from '../log/entry.js';
import { formatNote } from '../log/note.js';
import { RunIndex } from '../log/run-index.js';
import { TILE_WIDTH, type Tile, tilePath } from '../log/tiles.js';
import { LogError, LogReader, noteCrypto, readCheckpoint } from './log-folder.js';
import { toHex } from '../bytes/read.js';

/**
 * What the shell of a log is given. `writeAll`: durably, all or none, over what is there. `lock`: of a name
 * in a folder, across processes; left, who holds it.
 */
export type LogShell = {
  readonly sha256: Sha256;
  readonly writeAll: (
    drafts: readonly { readonly path: string; readonly bytes: Uint8Array }[],
  ) => Promise<void>;
  readonly lock: (
    folder: string,
    name: string,
  ) => Promise<Result<{ readonly owner: string }, { readonly release: () => Promise<void> }>>;
};

/** A log that this process continues. */
export type LogSequencer = {
  /** The runs that it holds. */
  readonly index: RunIndex;
  /** The newest checkpoint; null while there is no entry. */
  readonly checkpoint: () => Checkpoint | null;
  /**
   * Appends entries, which must fit those before, as one batch: durable when it resolves. After a rejection
   * open the log anew.
   */
  readonly append: (entries: readonly LogEntry[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Full files written at once, at most. */
const FILES_MAX = 64;

/**
 * Takes a log over, whose entries must lead to its checkpoint; a folder without one is a new log. Raises
 * {@link LogError}: `log_locked`, `log_key`, `log_damaged`; and the system's errors.
 */
export async function openLog(folder: string, secret: Uint8Array, shell: LogShell): Promise<LogSequencer> {
  const lock = await shell.lock(folder, 'sequencer');
  if (lock._tag === 'Left') throw new LogError('log_locked', lock.left.owner);
  try {
    const sequencer = new Sequencer(folder, secret, shell);
    return { ...sequencer.open(), close: lock.right.release };
  } catch (error) {
    await lock.right.release();
    throw error;
  }
}

class Sequencer {
  private readonly folder: string;
  private readonly secret: Uint8Array;
  private readonly shell: LogShell;
  private readonly reader: LogReader;
  private readonly index = new RunIndex();
  private checkpoint: Checkpoint | null = null;
  /** Lines of the file of entries that is not full. */
  private lines: string[] = [];
  /** Paths of partial files that the checkpoint needs. */
  private partial: ReadonlySet<string> = new Set();

  constructor(folder: string, secret: Uint8Array, shell: LogShell) {
    this.folder = folder;
    this.secret = secret;
    this.shell = shell;
    this.reader = new LogReader(folder, shell.sha256);
  }

  open(): Omit<LogSequencer, 'close'> {
    const { folder, shell, secret, index } = this;
    const found = readCheckpoint(folder, shell.sha256);
    const own = toHex(noteCrypto(shell.sha256).engine.publicKey(secret));
    // A witness saw more than is here: to begin anew would be a fork under the same key.
    if (found === null && readCheckpoint(folder, shell.sha256, 'cosigned') !== null)
      throw new LogError('log_damaged', join(folder, 'checkpoint'));
    if (found !== null && logKey(found) !== own) throw new LogError('log_key', logKey(found));
    if (found !== null)
      this.reader.extendTo(found, (entry, { line, digest, full }) => {
        if (index.add(entry, digest) !== null) throw new LogError('log_damaged', join(folder, 'entries'));
        this.lines = full.length > 0 ? [] : [...this.lines, line];
      });
    this.checkpoint = found;
    return { index, checkpoint: () => this.checkpoint, append: (entries) => this.append(entries) };
  }

  private async append(entries: readonly LogEntry[]): Promise<void> {
    const { folder, shell, index } = this;
    const { tree } = this.reader;
    if (entries.length === 0) return;
    const filled: string[] = [];
    let drafts: { path: string; bytes: Uint8Array }[] = [];
    for (const entry of entries) {
      const line = formatEntry(entry);
      const digest = shell.sha256(utf8Bytes(line));
      const fault = index.add(entry, digest);
      if (fault !== null) throw new RangeError(`append: ${fault}: ${entry.run_id}`);
      this.lines.push(line);
      const full = tree.add(digest);
      if (full.length === 0) continue;
      drafts.push(...full.map((tile) => this.draftTile(tile)), this.draftLines(tree.size / TILE_WIDTH - 1));
      filled.push(...full.map(({ level, place }) => tilePath(level, place, TILE_WIDTH)));
      filled.push(tilePath('entries', tree.size / TILE_WIDTH - 1, TILE_WIDTH));
      this.lines = [];
      if (drafts.length < FILES_MAX) continue;
      await shell.writeAll(drafts);
      drafts = [];
    }
    const last = [
      ...tree.partial().map((tile) => this.draftTile(tile)),
      ...(this.lines.length === 0 ? [] : [this.draftLines(Math.floor(tree.size / TILE_WIDTH))]),
    ];
    await shell.writeAll([...drafts, ...last.filter(({ path }) => !this.partial.has(path))]);
    await this.publish(
      signCheckpoint({ size: tree.size, root: tree.root() }, this.secret, noteCrypto(shell.sha256)),
    );
    this.partial = new Set(last.map(({ path }) => path));
    for (const name of filled) rmSync(join(folder, `${name}.p`), { recursive: true, force: true });
  }

  /** The checkpoint before it is kept where a witness cosigned it, so that there is always one. */
  private async publish(text: string): Promise<void> {
    const { folder, shell } = this;
    const before = readCheckpoint(folder, shell.sha256);
    const isCosigned =
      before !== null && readCosignatures(before, noteCrypto(shell.sha256)).some(({ isSound }) => isSound);
    await shell.writeAll([
      ...(isCosigned ? [{ path: join(folder, 'cosigned'), bytes: utf8Bytes(formatNote(before.note)) }] : []),
      { path: join(folder, 'checkpoint'), bytes: utf8Bytes(text) },
    ]);
    const read = parseCheckpoint(text);
    if (read._tag === 'Right') this.checkpoint = read.right;
  }

  private draftTile({ level, place, hashes }: Tile): { path: string; bytes: Uint8Array } {
    return {
      path: join(this.folder, tilePath(level, place, hashes.length)),
      bytes: Buffer.concat(hashes.map(storedBytes)),
    };
  }

  private draftLines(place: number): { path: string; bytes: Uint8Array } {
    return {
      path: join(this.folder, tilePath('entries', place, this.lines.length)),
      bytes: utf8Bytes(this.lines.map((line) => `${line}\n`).join('')),
    };
  }
}
