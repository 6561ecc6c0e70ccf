/** Waiting for a run to grow, and telling others that one grew. */
import type { Address } from './address.js';
import type { Connections } from './connections.js';
import { StatementError } from './failure.js';
import { type Limits, Session } from './session.js';

/** A run, or a store, being watched. `stop` ends it; no wake comes after. */
export type Watch = { readonly stop: () => Promise<void> };

/** How to watch. `pollMs`: how often to look without being told, 1,000 by default. */
export type WatchOptions = { readonly pollMs?: number };

/**
 * What a watch needs: how many records the run has now, or with a null `runId` all runs together (null: no
 * answer), and the channel of its store.
 */
type Watched = {
  readonly runId: string | null;
  readonly channel: string;
  readonly count: () => Promise<number | null>;
  readonly onWake: () => void;
};

/**
 * Looks how many records there are, at once, every `pollMs` and whenever a notification names the run, and
 * wakes where that is not what was seen last; the first look always wakes, for what was appended just before
 * it. So a notification that is lost costs time and nothing else, and one that is forged costs a look.
 */
export function watchRun(
  address: Address,
  limits: Limits,
  { runId, channel, count, onWake }: Watched,
  pollMs: number,
): Watch {
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
    if (runId === null || payload === runId) lookSoon();
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

/**
 * An ear on a channel. `mend` connects again where the connection is gone; nothing that fails here is
 * reported.
 */
function listen(
  address: Address,
  limits: Limits,
  channel: string,
  onPayload: (payload: string) => void,
): { readonly mend: () => void; readonly close: () => Promise<void> } {
  let session: Session | null = null;
  let isClosed = false;
  const mend = (): void => {
    if (isClosed || session?.isOver === false) return;
    const own = new Session(address, limits);
    session = own;
    own.onNotification(onPayload);
    own
      .open()
      .then(() => own.run({ text: `LISTEN "${channel}"` }))
      .then(() => own.rest())
      .catch(() => own.giveUp());
  };
  mend();
  return {
    mend,
    async close() {
      isClosed = true;
      await session?.close();
    },
  };
}

/**
 * Sends run ids over a channel of PostgreSQL. Never within the transaction of an append: commits of
 * transactions that notify wait for each other, over all of a server's databases' writers. At most one
 * statement is under way, and none sooner than 50 ms after the last; what came up meanwhile goes together.
 */
export class Notifier {
  private readonly connections: Connections;
  private readonly channel: string;
  private readonly due = new Set<string>();
  private sending: Promise<void> | null = null;
  private isClosing = false;
  private endPause: () => void = () => undefined;

  constructor(connections: Connections, channel: string) {
    this.connections = connections;
    this.channel = channel;
  }

  /** Has this run's watchers told, soon, perhaps. */
  tell(runId: string): void {
    this.due.add(runId);
    this.sending ??= this.send().finally(() => {
      this.sending = null;
    });
  }

  /** Sends what is due, and waits for it. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.endPause();
    await this.sending;
  }

  private async send(): Promise<void> {
    while (this.due.size > 0) {
      const runs = [...this.due].join('\n');
      this.due.clear();
      try {
        await this.connections.run({
          text: 'SELECT pg_notify($1, run) FROM unnest(string_to_array($2, chr(10))) AS run',
          values: [this.channel, runs],
        });
      } catch (error) {
        // Nobody may depend on a hint; watchers look by themselves as well.
        if (!(error instanceof StatementError)) throw error;
        return;
      }
      if (!this.isClosing) await this.pause();
    }
  }

  private async pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GAP_MS);
      timer.unref();
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const GAP_MS = 50;
