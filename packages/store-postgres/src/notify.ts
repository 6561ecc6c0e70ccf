/**
 * Telling watchers that a run has grown: a hint, sent beside the appends and never waited for.
 *
 * @module
 */
import type { Connections } from './connections.js';
import { StatementError } from './failure.js';

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
