/** What is wrong with a log of runs, in words; what the log's shell is given; following. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type LogFault, LogError, type LogShell, nativeEd25519 } from '@assay/attest/node';
import { nativeSha256 } from '@assay/host';
import { readErrno, writeAll, WriteError } from '@assay/host/files';
import { nodeDisk, nodeProcesses, takeLock } from '@assay/host/store-file';
import type { Context } from '../../call/output.js';
import { notRead } from '../../files/read.js';
import { EXIT, makeStop, Stop, type ExitCode } from '../../problems/problem.js';
import type { Shown } from '../../terminal/shown.js';

/** Signatures and digests, as this process has them. */
export const LOG_CRYPTO = { engine: nativeEd25519, sha256: nativeSha256 };

/** Durable writing, and locks across processes. */
export const LOG_SHELL: LogShell = {
  sha256: nativeSha256,
  writeAll,
  lock: (folder, name) => takeLock(nodeDisk, nodeProcesses, folder, name),
};

/** Code → exit, sentence, remedy. */
const SAYS: { readonly [code in LogFault]: readonly [ExitCode, string, string] } = {
  log_missing: [
    EXIT.unreachable,
    'there is no log here: it has no checkpoint',
    'check the path; assay log append --log DIR --store URL --key FILE begins a log',
  ],
  log_damaged: [
    EXIT.failed,
    'this log is damaged: a file is missing, or differs from what the checkpoint signs',
    'nothing was changed; restore the folder from a copy',
  ],
  log_key: [
    EXIT.failed,
    'this log is signed with another key',
    'give the key of this log, or the log of this key; nothing was changed',
  ],
  log_locked: [
    EXIT.unreachable,
    'another process is using this',
    'wait until it ends; a log has one sequencer, and a state file one witness',
  ],
  inconsistent: [
    EXIT.failed,
    'this log does not extend its earlier checkpoint: entries were removed or changed; nothing was signed',
    'keep both checkpoints as evidence, and ask the operator of the log',
  ],
  log_state: [
    EXIT.failed,
    'this is not the state file of a witness of this log',
    'give the state file of this log, or a new name; nothing was signed',
  ],
  log_unwitnessed: [
    EXIT.unreachable,
    'no witness cosigned the opening of this run in time, so it made no call',
    'check that assay log append --follow and assay log witness --follow run, then start again',
  ],
};

/** What `work` gives; what is wrong with the log, or with the system, is raised as `Stop`. */
export async function withLog<T>(folder: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LogError) {
      const { code, place } = error;
      const [exit, message, remedy] = SAYS[code];
      throw makeStop({ code, message, place, remedy, exit });
    }
    if (error instanceof WriteError && error.fault.code === 'unwritable')
      throw unwritable(error.fault.path, error.fault.errno);
    const errno = readErrno(error);
    if (errno !== null && WRITING.has(errno)) throw unwritable(folder, errno);
    throw notRead(folder, error);
  }
}

const WRITING: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM']);

function unwritable(place: string, errno: string): Stop {
  return makeStop({
    code: 'unwritable',
    message: `this cannot be written (${errno}); the log is as it was`,
    place,
    remedy: 'check the free space and the permissions, and give the command again',
    exit: EXIT.unreachable,
  });
}

/** A look that takes longer than it may is followed by a rest of three times as long. */
const REST = 3;

/**
 * Does a step again and again until it is interrupted, and tells what each says; null for nothing. What
 * cannot be reached is told once, and tried again. Raises every other problem.
 */
export async function followSteps(
  { output, interruption }: Context,
  everyMs: number,
  step: () => Promise<Shown | null>,
): Promise<ExitCode> {
  await interruption.during(async (signal) => {
    let isLost = false;
    while (!signal.aborted) {
      const began = performance.now();
      try {
        const shown = await step();
        if (shown !== null) output.progress(shown);
        isLost = false;
      } catch (error) {
        if (!(error instanceof Stop) || error.problem.exit !== EXIT.unreachable) throw error;
        if (!isLost) output.complaint(error.problem);
        isLost = true;
      }
      const took = performance.now() - began;
      await sleep(took > everyMs ? REST * took : everyMs - took, undefined, { signal }).catch(
        () => undefined,
      );
    }
  });
  return EXIT.interrupted;
}
