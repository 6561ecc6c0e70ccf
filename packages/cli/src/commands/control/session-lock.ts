/**
 * One call at a time reads a session and writes it again: the lock of the file store, held for that alone and
 * never while a task is done.
 *
 * @module
 */
import { join } from 'node:path';
import { err } from '@assay/kernel';
import { LOCKS, nodeDisk, nodeProcesses, takeLock } from '@assay/store-file';
import { writingProblem } from '../../files/write.js';
import { patiently } from '../../options/patience.js';
import { show } from '../../terminal/shown.js';
import { unreachable, type Stop } from '../../problems/problem.js';
import { commandLine } from '../../terminal/quote.js';

/** No run has a name that begins with a dot, so a folder may hold a session and a file store. */
const NAME = '.session';
/**
 * How long a session is waited for, in milliseconds. Whoever holds it reads and writes one small file, and
 * looks for a run in a store at most.
 */
const PATIENCE_MS = 60_000;

/**
 * Does something while no other call reads or writes the session of a folder, which is made where it is
 * missing. What is held by a process of this machine that died is taken over. Raises `Stop`:
 * `session_locked`, exit 5, `session` and `unwritable`.
 */
export async function withSession<T>(
  folder: string,
  action: () => Promise<T>,
  patienceMs: number = PATIENCE_MS,
): Promise<T> {
  const taken = await patiently(
    async () => {
      const lock = await takeLock(nodeDisk, nodeProcesses, folder, NAME).catch((error: unknown) => {
        throw lockingProblem(folder, error);
      });
      return lock._tag === 'Right'
        ? lock
        : err({
            code: 'locked' as const,
            run_id: NAME,
            owner: lock.left.owner,
            ...(lock.left.isAlive ? { isAlive: true as const } : {}),
          });
    },
    { patienceMs },
  );
  if (taken._tag === 'Left')
    throw taken.left.code === 'locked'
      ? lockedSession(folder, taken.left)
      : new TypeError(`a lock is taken or not: ${taken.left.code}`);
  try {
    return await action();
  } finally {
    await taken.right.release().catch((error: unknown) => {
      throw lockingProblem(folder, error);
    });
  }
}

function lockingProblem(folder: string, error: unknown): unknown {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : null;
  const [name, kind] = code === 'ERR_NO_LOCKS' ? [LOCKS, 'no folder'] : [`${LOCKS}/${NAME}`, 'no lock'];
  return code === 'ERR_NO_LOCKS' || code === 'ERR_NO_LOCK'
    ? unreachable(
        'session_locked',
        `what is called ${name} there is ${kind}, and a session is locked by one`,
        folder,
        'take it away',
      )
    : writingProblem(folder, error);
}

/**
 * Of a process elsewhere nothing can be known, so a person has to look; of one that is known to live there is
 * no lock to take away.
 */
function lockedSession(
  folder: string,
  { owner, isAlive }: { readonly owner: string; readonly isAlive?: true },
): Stop {
  const path = join(folder, LOCKS, NAME);
  const otherwise =
    isAlive === true
      ? show``
      : show`; where that process is gone for good (look there, not here), type: ${commandLine(['rm', '-r', path.startsWith('-') ? `./${path}` : path])}`;
  return unreachable(
    'session_locked',
    `another call holds this session (${owner})`,
    folder,
    show`give the same command again when it has ended: what is done in a store is not done twice${otherwise}`,
  );
}
