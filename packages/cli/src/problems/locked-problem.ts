/**
 * A run that another process writes, and what to do where that process is gone for good.
 *
 * @module
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StoreError } from '@assay/host';
import { show } from '../terminal/shown.js';
import { unreachable, type Stop } from './problem.js';
import { commandLine } from '../terminal/quote.js';

/**
 * The problem, exit 5. A lock of a dead process of this machine is taken over; of one elsewhere nothing can
 * be known, so a person has to look, and of one that is known to live there is no lock to take away. `place`:
 * the store's address.
 */
export function lockedProblem(
  { isAlive, owner, run_id }: Extract<StoreError, { code: 'locked' }>,
  place: string,
): Stop {
  // Of a server, which opens the store anew for each call that writes.
  if (owner === 'this process')
    return unreachable(
      'store_locked',
      'another call in this process is writing this run',
      place,
      'wait until that call ends, then try again',
    );
  const lock = isAlive === true ? null : lockOf(place, run_id);
  const otherwise =
    lock === null
      ? show``
      : show`; if that process no longer exists on its machine, type: ${commandLine([
          'rm',
          '-r',
          lock,
        ])} (see docs/guides/stores.md first)`;
  return unreachable(
    'store_locked',
    `another process is writing this run (${owner})`,
    place,
    show`wait until it ends${otherwise}`,
  );
}

/** The folder of a run's lock, which a file store alone has. */
export function lockOf(place: string, runId: string): string | null {
  if (!place.startsWith('file:')) return null;
  const path = join(
    place.startsWith('file://') ? fileURLToPath(place) : place.slice('file:'.length),
    '.locks',
    runId,
  );
  // What begins like an option is none.
  return path.startsWith('-') ? `./${path}` : path;
}
