/**
 * What the last answer of each agent came to, kept while a world is driven.
 *
 * @module
 */
import type { Response } from '../protocol/response.js';
import type { Decided } from './world-run.js';

/** The last responses of agents. */
export class ResponseLog {
  private readonly last: Map<string, readonly Response[]> = new Map();

  /** What an agent's last answer came to; nothing where it did not act. */
  of(agent: string): readonly Response[] {
    return this.last.get(agent) ?? [];
  }

  /** Hears of a decision. */
  readonly hear = ({ events }: Decided): void => {
    const now = new Map<string, Response[]>();
    for (const event of events) {
      if (event.t !== 'did' && event.t !== 'no') continue;
      const list = now.get(event.a) ?? [];
      now.set(event.a, list);
      const price_paid = event.x ?? 0;
      list.push(
        event.t === 'did'
          ? { success: true, result: event.r ?? null, price_paid }
          : { success: false, error_code: event.c, error_message: event.m, price_paid },
      );
    }
    for (const [agent, list] of now) this.last.set(agent, list); // any order
  };
}
