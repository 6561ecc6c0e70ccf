/**
 * Waiting for a run to grow.
 *
 * @module
 */
import { Client } from 'pg';
import type { Address } from './address.js';
import { clientConfig, type Limits } from './connections.js';

/** A run being watched. `stop` ends it; no wake comes after. */
export type Watch = { readonly stop: () => Promise<void> };

/** How to watch. `pollMs`: how often to look without being told, 1,000 by default. */
export type WatchOptions = { readonly pollMs?: number };

/** What a watch needs: where the run ends now (null: no such run, or no answer), and the channel of its store. */
type Watched = { readonly runId: string; readonly channel: string; readonly count: () => Promise<number | null>; readonly onWake: () => void };

/**
 * Looks where the run ends, at once, every `pollMs` and whenever a notification names the run, and wakes where
 * that is not what was seen last; the first look always wakes, for what was appended just before it. So a notification that is lost costs time and nothing else, and one that is forged costs a look.
 */
export function watchRun(address: Address, limits: Limits, { runId, channel, count, onWake }: Watched, pollMs: number): Watch {
  const stop = new AbortController();
  let seen: number | null = null;
  let looking: Promise<void> | null = null;
  let isDue = false;

  const look = async (): Promise<void> => {
    while (isDue && !stop.signal.aborted) {
      isDue = false;
      const now = await count();
      if (stop.signal.aborted || now === null || now === seen) continue;
      seen = now;
      onWake();
    }
  };
  const lookSoon = (): void => {
    isDue = true;
    looking ??= look().finally(() => {
      looking = null;
    });
  };
  const ear = listen(address, limits, channel, (payload) => {
    if (payload === runId) lookSoon();
  });
  const timer = setInterval(() => {
    lookSoon();
    ear.mend();
  }, pollMs);
  lookSoon();

  return {
    async stop() {
      stop.abort();
      clearInterval(timer);
      await ear.close();
      await looking;
    },
  };
}

/** An ear on a channel. `mend` connects again where the connection is gone; nothing that fails here is reported. */
function listen(address: Address, limits: Limits, channel: string, onPayload: (payload: string) => void): { readonly mend: () => void; readonly close: () => Promise<void> } {
  let client: Client | null = null;
  let isClosed = false;
  const drop = async (gone: Client): Promise<void> => {
    if (client === gone) client = null;
    await gone.end().catch(() => undefined);
  };
  const mend = (): void => {
    if (client !== null || isClosed) return;
    const own = new Client(clientConfig(address, limits));
    client = own;
    own.on('error', () => void drop(own));
    own.on('end', () => void drop(own));
    own.on('notification', ({ payload }) => onPayload(payload ?? ''));
    own.connect().then(() => own.query(`LISTEN "${channel}"`)).catch(() => drop(own));
  };
  mend();
  return {
    mend,
    async close() {
      isClosed = true;
      if (client !== null) await drop(client);
    },
  };
}
