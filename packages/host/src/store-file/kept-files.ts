/**
 * Files that stay open between two appends: opening and closing cost more than the write itself.
 *
 * @module
 */
import type { DiskFile } from './disk.js';

/**
 * How many files are kept open. Systems allow a process some hundred at the least; further runs open theirs
 * for each append.
 */
export const KEPT_MAX = 64;

/** Open files by run, at most {@link KEPT_MAX}: of more, the one longest unused is closed. */
export class KeptFiles {
  /** In the order in which they were kept. */
  private readonly files = new Map<string, DiskFile>();

  /** The file of a run, which is the caller's to close from now on; null where none is kept. */
  take(runId: string): DiskFile | null {
    const file = this.files.get(runId) ?? null;
    this.files.delete(runId);
    return file;
  }

  /** Keeps the file of a run of which none is kept. */
  async keep(runId: string, file: DiskFile): Promise<void> {
    this.files.set(runId, file);
    const [eldest] = this.files.keys();
    if (this.files.size > KEPT_MAX && eldest !== undefined) await this.take(eldest)?.close();
  }
}
