/**
 * Lines added at the end of a file that several processes may add to at once.
 *
 * @module
 */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolderSync } from './folder-sync.js';

/**
 * Adds bytes at the end, wherever it is by then, in one write, and syncs: who replaced the file by what it
 * read a moment ago would take away what others added meanwhile. A link is followed. Makes the file and its
 * folder where they are missing. Raises the system's error, and takes back what was written of it, where not
 * all of it could be and nobody has written behind it.
 */
export function appendTo(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const handle = openSync(path, 'a');
  try {
    const before = fstatSync(handle).size;
    const written = writeSync(handle, bytes);
    if (written < bytes.length) throw takenBack(handle, before, written);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  syncFolderSync(dirname(path));
}

/**
 * Ends the last line of a file of so many bytes. At that very place, not wherever the end is by then: others
 * who found the line without its end put the same byte there, and a second one at the end would be a blank
 * line. Raises the system's error.
 */
export function endLineAt(path: string, size: number): void {
  const handle = openSync(path, 'r+');
  try {
    writeSync(handle, LINE_FEED, 0, 1, size);
  } finally {
    closeSync(handle);
  }
}

const LINE_FEED = Uint8Array.of(0x0a);

/**
 * Where a write came short, the medium has no room: a write of the rest would be another line's neighbour.
 */
function takenBack(handle: number, before: number, written: number): Error {
  // Where others have written too, the end is not ours to cut: the beginning of a line stays, which no reader
  // takes.
  if (fstatSync(handle).size === before + written) ftruncateSync(handle, before);
  return Object.assign(new Error('the write came short'), { code: 'ENOSPC' });
}
