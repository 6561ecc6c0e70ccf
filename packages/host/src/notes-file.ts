/**
 * The file of one run's notes, read as it grows: what was read once is kept, so that a note costs the same however many there are.
 *
 * @module
 */
import type { FileHandle } from 'node:fs/promises';
import type { Spent } from '@assay/kernel';
import { CUT_END, takeIn, type Noted } from './note.js';
import { openFileOnly } from './plain-file.js';

/** Notes of one run. Others may write the file too, and put another in its place. Memory grows with the notes. */
export class NotesFile {
  private readonly path: string;
  private noted: Noted = new Map();
  private lines: number = 0;
  /** Bytes of whole lines that were read, of which file, and the last of them. */
  private position: number = 0;
  private file: number | null = null;
  private last: Buffer = Buffer.alloc(0);
  private isCut: boolean = false;
  /** Two readings at a time would count the same lines twice. */
  private reading: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** The bounds noted under a key so far. Rejects where the file cannot be read, or with what {@link takeIn} raises. */
  async under(key: string): Promise<readonly Spent[]> {
    const read = this.reading.then(() => this.readOn());
    this.reading = read.catch(() => undefined);
    await read;
    return [...(this.noted.get(key) ?? [])];
  }

  /** Appends a note; it is on the medium when this returns. */
  append(note: string): Promise<void> {
    return appendLines(this.path, this.isCut, [note]);
  }

  private async readOn(): Promise<void> {
    const file = await openThere(this.path);
    if (file === null) {
      this.beginAnew(null);
      return;
    }
    try {
      const { ino, size } = await file.stat();
      // A file that was made after another was taken away may have its number: what was read last must still stand there.
      if (ino !== this.file || !(await partOf(file, this.position - this.last.length, this.position)).equals(this.last)) this.beginAnew(ino);
      const read = await partOf(file, this.position, size);
      const whole = read.subarray(0, read.lastIndexOf(LINE_FEED) + 1);
      this.lines += takeIn(this.noted, whole.toString('utf8'), this.lines, this.path);
      this.position += whole.length;
      if (whole.length > 0) this.last = Buffer.from(whole.subarray(-LAST_BYTES));
      this.isCut = whole.length < read.length;
    } finally {
      await file.close();
    }
  }

  private beginAnew(file: number | null): void {
    this.noted = new Map();
    this.lines = 0;
    this.position = 0;
    this.file = file;
    this.last = Buffer.alloc(0);
    this.isCut = false;
  }
}

/** Appends lines, in one write, so that no other writer's are lost by it; they are on the medium when this returns. `isCut`: the file's last line has no end. */
export async function appendLines(path: string, isCut: boolean, lines: readonly string[]): Promise<void> {
  const file = await openFileOnly(path, 'append');
  try {
    await file.writeFile(`${isCut ? CUT_END : ''}${lines.map((line) => `${line}\n`).join('')}`);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function openThere(path: string): Promise<FileHandle | null> {
  try {
    return await openFileOnly(path, 'read');
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return null;
    throw error;
  }
}

/** The bytes from `start` to before `end`; fewer where the file has no more. */
async function partOf(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, end - start));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** As much of what was read is compared: a key holds a hash and the number of its request, so no other file has these bytes there. */
const LAST_BYTES = 128;
const LINE_FEED = 0x0a;
