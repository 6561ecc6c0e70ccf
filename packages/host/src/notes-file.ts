/**
 * The file of one run's notes, read as it grows: what was read once is kept, so that a note costs the same
 * however many there are.
 */
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Spent } from '@assay/kernel';
import { inDurableFolder } from './files/folder.js';
import { CUT_END, makeMark, takeIn, takenAway, type Noted } from './note.js';
import { openFileOnly, openIfThere } from './files/plain-file.js';

/**
 * Notes of one run. Others may write the file too, and put another in its place. Memory grows with the notes.
 */
export class NotesFile {
  private readonly path: string;
  private noted: Noted = new Map();
  private lines: number = 0;
  /** Bytes of whole lines that were read, of which file, and the last of them. */
  private position: number = 0;
  private file: number | null = null;
  private last: Buffer = Buffer.alloc(0);
  private isCut: boolean = false;
  /** Bytes at its beginning that are notes of a run that was taken away. */
  private taken: number = 0;
  /**
   * True once this process has seen to it that the file's name is on the medium; another file in its place
   * has a name of its own.
   */
  private isNamed: boolean = false;
  /** Two readings at a time would count the same lines twice. */
  private reading: Promise<unknown> = Promise.resolve();

  private readonly end: LineEnd;

  constructor(path: string) {
    this.path = path;
    this.end = new LineEnd(path);
  }

  /**
   * The bounds noted under a key so far. Rejects where the file cannot be read, or with what {@link takeIn}
   * raises.
   */
  async under(key: string): Promise<readonly Spent[]> {
    const read = this.reading.then(() => this.readOn());
    this.reading = read.catch(() => undefined);
    await read;
    return [...(this.noted.get(key) ?? [])];
  }

  /**
   * Appends a note to the file as it was read last; it is on the medium when this returns, and so is the
   * file's name.
   */
  async append(note: string): Promise<void> {
    const append = (): Promise<void> => this.end.append(note, this.isCut);
    await (this.isNamed ? append() : inDurableFolder(dirname(this.path), append));
    this.isNamed = true;
  }

  /** How long the file is, in bytes; 0 where there is none. */
  async size(): Promise<number> {
    const file = await openIfThere(this.path);
    if (file === null) return 0;
    try {
      return (await file.stat()).size;
    } finally {
      await file.close();
    }
  }

  /** Has the first so many bytes count no more, durably. */
  async takeAway(bytes: number): Promise<void> {
    // Whether the last line there has its end is not read for this: the end of a cut one is a line that is no
    // note in any case.
    await inDurableFolder(dirname(this.path), () => appendLines(this.path, true, [makeMark(bytes)]));
  }

  private async readOn(): Promise<void> {
    const file = await openIfThere(this.path);
    if (file === null) {
      this.beginAnew(null);
      return;
    }
    try {
      const { ino, size } = await file.stat();
      // A file that was made after another was taken away may have its number: what was read last must still
      // stand there.
      if (
        ino !== this.file ||
        !(await readPart(file, this.position - this.last.length, this.position)).equals(this.last)
      )
        this.beginAnew(ino);
      const read = await readPart(file, this.position, size);
      const whole = read.subarray(0, read.lastIndexOf(LINE_FEED) + 1);
      const taken = takenAway(whole, this.position);
      if (taken > this.taken) await this.takeAnew(file, taken, this.position + whole.length);
      else this.lines += takeIn(this.noted, whole.toString('utf8'), this.lines, this.path);
      this.position += whole.length;
      if (whole.length > 0) this.last = Buffer.from(whole.subarray(-LAST_BYTES));
      this.isCut = whole.length < read.length;
    } finally {
      await file.close();
    }
  }

  /** Takes in what stands from `taken` to `end`, in place of what was taken in before. */
  private async takeAnew(file: FileHandle, taken: number, end: number): Promise<void> {
    const all = await readPart(file, 0, end);
    const noted: Noted = new Map();
    const before = all.subarray(0, taken).filter((byte) => byte === LINE_FEED).length;
    this.lines = before + takeIn(noted, all.subarray(taken).toString('utf8'), before, this.path);
    this.noted = noted;
    this.taken = taken;
  }

  private beginAnew(file: number | null): void {
    // The file that is there now is the one that this process made.
    const isOwn = this.file === null && file !== null;
    this.isNamed &&= isOwn;
    this.noted = new Map();
    this.lines = 0;
    this.position = 0;
    this.file = file;
    this.last = Buffer.alloc(0);
    this.isCut = false;
    this.taken = 0;
  }
}

/**
 * The end of a file that this process appends to, line after line: after a line of which not all was written
 * the next one would stand on the rest of it, and be none. Lines of one process go one after the other;
 * another process that writes to the same file gives a cut line its end from what it reads.
 */
export class LineEnd {
  private readonly path: string;
  private mayBeCut: boolean = false;
  private last: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Appends a line; it is on the medium when this returns. `isCut`: the file's last line was found without an
   * end. Rejects with the system's errors.
   */
  append(line: string, isCut: boolean): Promise<void> {
    const appended = this.last.then(() => this.write(line, isCut));
    this.last = appended.catch(() => undefined);
    return appended;
  }

  private async write(line: string, isCut: boolean): Promise<void> {
    try {
      await appendLines(this.path, this.mayBeCut || isCut, [line]);
      this.mayBeCut = false;
    } catch (error) {
      // Perhaps it is whole: an end too many is a line that is no note.
      this.mayBeCut = true;
      throw error;
    }
  }
}

/**
 * Appends lines, each whole within one write, so that no other writer's come between their parts; they are on
 * the medium when this returns. `isCut`: the file's last line has no end.
 */
export async function appendLines(path: string, isCut: boolean, lines: readonly string[]): Promise<void> {
  const file = await openFileOnly(path, 'append');
  try {
    for (const block of splitBlocks(isCut, lines)) {
      const bytes = Buffer.from(block);
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten !== bytes.length)
        throw Object.assign(new Error(`${path}: a line was written in part`), { code: 'ENOSPC' });
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The text in blocks of whole lines. The runtime's own writer of a file cuts where it likes. */
function* splitBlocks(isCut: boolean, lines: readonly string[]): Generator<string> {
  let block = isCut ? CUT_END : '';
  for (const line of lines) {
    if (block.length + line.length >= BLOCK_UNITS && block !== '') {
      yield block;
      block = '';
    }
    block += `${line}\n`;
  }
  if (block !== '') yield block;
}

const BLOCK_UNITS = 65_536;

/** The bytes from `start` to before `end`; fewer where the file has no more. */
async function readPart(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, end - start));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/**
 * As much of what was read is compared: a key holds a hash and the number of its request, so no other file
 * has these bytes there.
 */
const LAST_BYTES = 128;
const LINE_FEED = 0x0a;
