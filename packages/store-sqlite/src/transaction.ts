/**
 * Transactions that write, and waiting for those of others.
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '@assay/kernel';
import type { Connection } from './driver.js';
import { isBusy, SqliteFailure } from './failure.js';

/**
 * Performs `action` as the only writer. A Right is committed and then durable as far as the connection's mode
 * goes; a Left, and whatever is thrown, is rolled back.
 */
export function inTransaction<E, A>(db: Connection, action: () => Result<E, A>): Result<E, A> {
  db.exec('BEGIN IMMEDIATE');
  let isCommitted = false;
  try {
    const result = action();
    if (result._tag === 'Right') {
      db.exec('COMMIT');
      isCommitted = true;
    }
    return result;
  } finally {
    if (!isCommitted) rollBack(db);
  }
}

/**
 * Tries again while another connection is in the way, for at most so many milliseconds, without holding up
 * this process. Then the last failure is thrown.
 */
export async function patiently<T>(patienceMs: number, action: () => T): Promise<T> {
  const until = performance.now() + patienceMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, PAUSE_MAX_MS)) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
    }
    await sleep(pause);
  }
}

/** Long enough to let others work, short beside a person's patience. */
const PAUSE_MAX_MS = 16;

function rollBack(db: Connection): void {
  try {
    db.exec('ROLLBACK');
  } catch (error) {
    // Some failures have rolled back already, and then there is nothing to roll back.
    if (!(error instanceof SqliteFailure)) throw error;
  }
}
