import { basename, dirname } from 'node:path';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { nodeDisk } from '../../../src/store-file/index.ts';
import type { Disk, DiskFile } from '../../../src/store-file/disk.ts';
import type { Owner, Processes } from '../../../src/store-file/owner.ts';

/** One call of the disk, as a fault sees it coming. `size`: bytes about to be written. */
export type Operation = { readonly name: string; readonly file: string; readonly size: number };

/**
 * What happens instead: the process dies (after so many bytes of a write), or the system refuses (likewise).
 */
export type Fault =
  | { readonly crash: true; readonly after?: number }
  | { readonly errno: string; readonly after?: number };

/** The process died here; nothing of it runs on. Not an error of the system, so no code may catch it. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

/**
 * The real file system with faults before chosen operations. Syncs are modelled, not performed:
 * `losePower` throws away what was never synced, keeping so many bytes of it.
 */
export class FaultyDisk {
  readonly operations: Operation[] = [];
  private readonly faultAt: (operation: Operation, index: number) => Fault | null;
  private readonly unsynced = new Map<string, { from: number }>();
  private readonly unnamed = new Set<string>();
  private readonly open = new Set<DiskFile>();
  private isDead = false;

  constructor(faultAt: (operation: Operation, index: number) => Fault | null = () => null) {
    this.faultAt = faultAt;
  }

  get disk(): Disk {
    return {
      open: async (path, mode) => {
        await this.step('open', path);
        return this.file(await nodeDisk.open(path, mode), path);
      },
      look: (path) => this.pass('look', path, () => nodeDisk.look(path)),
      lookAtName: (path) => this.pass('lookAtName', path, () => nodeDisk.lookAtName(path)),
      rename: (from, to) =>
        this.pass('rename', from, async () => {
          await nodeDisk.rename(from, to);
          this.unnamed.add(to);
        }),
      remove: (path) => this.pass('remove', path, () => nodeDisk.remove(path)),
      list: (path) => this.pass('list', path, () => nodeDisk.list(path)),
      makeFolder: (path) => this.pass('makeFolder', path, () => nodeDisk.makeFolder(path)),
      removeFolder: (path) => this.pass('removeFolder', path, () => nodeDisk.removeFolder(path)),
      syncFolder: (path) =>
        this.pass('syncFolder', path, async () => {
          for (const name of this.unnamed) if (dirname(name) === path) this.unnamed.delete(name);
        }),
    };
  }

  /**
   * A power cut: names never synced are gone, and of unsynced bytes the first `kept` remain, or zeros in
   * their place.
   */
  async losePower(kept: number, zeros = false): Promise<void> {
    for (const [path, { from }] of this.unsynced) {
      if (this.unnamed.has(path)) continue;
      const bytes = await readFile(path).catch(() => null);
      if (bytes === null) continue;
      if (zeros) await writeFile(path, bytes.fill(0, Math.min(bytes.length, from + kept)));
      else await truncate(path, Math.min(bytes.length, from + kept));
    }
    for (const path of this.unnamed) await rm(path, { recursive: true, force: true });
  }

  private file(file: DiskFile, path: string): DiskFile {
    this.open.add(file);
    return {
      look: () => this.pass('look', path, () => file.look()),
      read: (into, position) => this.pass('read', path, () => file.read(into, position)),
      write: async (bytes, position) => {
        const fault = this.meet('write', path, bytes.length);
        const known = this.unsynced.get(path);
        this.unsynced.set(path, { from: Math.min(known?.from ?? position, position) });
        if (fault === null) return file.write(bytes, position);
        if ((fault.after ?? 0) > 0) await file.write(bytes.subarray(0, fault.after), position);
        throw this.fail(fault);
      },
      truncate: (size) => this.pass('truncate', path, () => file.truncate(size)),
      sync: () =>
        this.pass('sync', path, async () => {
          this.unsynced.delete(path);
          const final = path.replace(/\.new$/, '');
          this.unsynced.delete(final);
        }),
      close: async () => {
        if (this.open.delete(file)) await file.close();
      },
    };
  }

  private async pass<T>(name: string, path: string, action: () => Promise<T>): Promise<T> {
    await this.step(name, path);
    return action();
  }

  private async step(name: string, path: string): Promise<void> {
    const fault = this.meet(name, path, 0);
    if (fault !== null) throw this.fail(fault);
  }

  private meet(name: string, path: string, size: number): Fault | null {
    if (this.isDead) throw new Crash();
    const operation = { name, file: basename(path), size };
    this.operations.push(operation);
    return this.faultAt(operation, this.operations.length - 1);
  }

  private fail(fault: Fault): Error {
    if ('errno' in fault)
      return Object.assign(new Error(fault.errno), { code: fault.errno, syscall: 'fault' });
    this.isDead = true;
    for (const file of this.open) void file.close();
    this.open.clear();
    return new Crash();
  }
}

/** Processes that tests start and kill: a store made with `process(n)` is process n. */
export class TestProcesses {
  private readonly living = new Set<number>();

  start(pid: number): Processes {
    this.living.add(pid);
    const owner: Owner = { pid, start: '1', boot: '', namespace: '', host: 'test' };
    return { self: () => owner, isAlive: (other) => this.living.has(other.pid) };
  }

  kill(pid: number): void {
    this.living.delete(pid);
  }
}
