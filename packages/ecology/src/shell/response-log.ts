/**
 * What the last answer of each agent came to, kept while a world is driven.
 *
 * @module
 */
import type { Response } from '../protocol/response.js';
import { responsesOf } from '../world/responses.js';
import type { Decided } from './world-run.js';

/** The last responses of agents. */
export class ResponseLog {
  private readonly last: Map<string, readonly Response[]> = new Map();

  /** What an agent's last answer came to; nothing where it did not act. */
  of(agent: string): readonly Response[] {
    return this.last.get(agent) ?? [];
  }

  /** Hears of a decision. */
  readonly hear = ({
    before,
    request,
    input,
    events,
  }: Pick<Decided, 'before' | 'request' | 'input' | 'events'>): void => {
    if (request === null) return;
    const now = new Map<string, Response[]>();
    for (const { agent, response } of responsesOf(before, { request, input }, { events })) {
      const list = now.get(agent);
      if (list === undefined) now.set(agent, [response]);
      else list.push(response);
    }
    for (const [agent, list] of now) this.last.set(agent, list); // any order
  };
}
