/**
 * A witness of a log: cosigns its newest checkpoint if that extends the last one it cosigned, which a file
 * of its own remembers. The state is durable before the cosignature is anywhere. Source:
 * docs/formats/log.md.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { utf8Bytes } from '@assay/kernel';
import { toHex } from '../bytes/read.js';
import { type Checkpoint, cosign, isSigned, parseCheckpoint, readCosignatures } from '../log/checkpoint.js';
import { formatNote } from '../log/note.js';
import { extendsTree, LogError, noteCrypto, readIfThere } from './log-folder.js';
import type { LogShell } from './log-sequencer.js';

const LINE_END = 0x0a;

/** A witness at work. `now`: seconds since 1970. */
export type WitnessTask = {
  readonly folder: string;
  readonly statePath: string;
  readonly secret: Uint8Array;
  readonly now: () => number;
};

/** What was done: `cosigned` now, or `known`, cosigned before. `isFirst`: nothing was known of this log. */
export type Witnessed = {
  readonly result: 'cosigned' | 'known';
  readonly checkpoint: Checkpoint;
  readonly isFirst: boolean;
};

/**
 * Cosigns the newest checkpoint, once. Raises {@link LogError}: `log_missing`, `log_damaged`, `log_state`,
 * `log_locked`, and `inconsistent`, upon which nothing is signed; and the system's errors.
 */
export async function witnessLog(task: WitnessTask, shell: LogShell): Promise<Witnessed> {
  const statePath = resolve(task.statePath);
  const lock = await shell.lock(dirname(statePath), basename(statePath));
  if (lock._tag === 'Left') throw new LogError('log_locked', lock.left.owner);
  try {
    return await witnessOnce(task, shell);
  } finally {
    await lock.right.release();
  }
}

async function witnessOnce(
  { folder, statePath, secret, now }: WitnessTask,
  shell: LogShell,
): Promise<Witnessed> {
  const crypto = noteCrypto(shell.sha256);
  const path = join(folder, 'checkpoint');
  const handle = openToAppend(path);
  try {
    const bytes = new Uint8Array(fstatSync(handle).size);
    readSync(handle, bytes, 0, bytes.length, 0);
    // Another witness is writing its line.
    if (bytes.at(-1) !== LINE_END && bytes.length > 0) throw new LogError('log_locked', path);
    const read = parseCheckpoint(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
    if (read._tag === 'Left' || !isSigned(read.right, crypto)) throw new LogError('log_damaged', path);
    const checkpoint = read.right;
    const state = readState(statePath);
    if (state !== null && state.origin !== checkpoint.origin) throw new LogError('log_state', statePath);
    if (state !== null && !extendsTree(folder, state, checkpoint, shell.sha256))
      throw new LogError('inconsistent', path);
    const key = toHex(crypto.engine.publicKey(secret));
    if (readCosignatures(checkpoint, crypto).some((one) => one.key === key && one.isSound))
      return { result: 'known', checkpoint, isFirst: false };
    await shell.writeAll([{ path: statePath, bytes: utf8Bytes(formatNote(checkpoint.note)) }]);
    append(handle, utf8Bytes(cosign(checkpoint, now(), secret, crypto)));
    return { result: 'cosigned', checkpoint, isFirst: state === null };
  } finally {
    closeSync(handle);
  }
}

function readState(path: string): Checkpoint | null {
  const bytes = readIfThere(path);
  if (bytes === null) return null;
  const state = parseCheckpoint(new TextDecoder().decode(bytes));
  if (state._tag === 'Left') throw new LogError('log_state', path);
  return state.right;
}

function openToAppend(path: string): number {
  try {
    return openSync(path, constants.O_RDWR | constants.O_APPEND);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new LogError('log_missing', path);
    throw error;
  }
}

/**
 * Appends to the very file that was read: a newer checkpoint of the log is another file. A partial write is undone.
 */
function append(handle: number, line: Uint8Array): void {
  const { size } = fstatSync(handle);
  const written = writeSync(handle, line);
  if (written === line.length) return fsyncSync(handle);
  if (fstatSync(handle).size === size + written) ftruncateSync(handle, size);
  throw Object.assign(new Error('written in part'), { code: 'ENOSPC', errno: -1, syscall: 'write' });
}
