/**
 * A memory as the port of what a controller recalls.
 *
 * @module
 */
import type { Head } from '@assay/kernel';
import { answerFromMemory, type RecallQuery } from '@assay/controller/memory';
import type { Port } from '@assay/host';
import { nowAfter } from './hand-on.js';
import type { MemoryRun, Telling, Told } from './stored-memory.js';

/**
 * A port for a controller's `recall` requests: the memory's own invitation, so that its ledger says what it
 * gave to whom; the answer cites the head behind that. `ask`: gives the memory something; `asking`: the head
 * of the run that asks. Asked again by the same head, after a crash, the memory is only read. What it rejects
 * is the final failure `denied` with its code. Source: calls/C11.
 */
export function recallPort(
  ask: (telling: (run: MemoryRun) => Telling) => Promise<Told>,
  asking: () => Promise<Head>,
): Port {
  return {
    source: 'run',
    proposer: 'memory',
    perform: async ({ body }) => {
      const query = body as unknown as RecallQuery;
      const cited = await asking();
      const { events, head, rejection, run } = await ask(({ state }) => ({
        kind: 'recall',
        source: 'run',
        proposer: 'controller',
        value: { from: 'R2', intent: query.intent, tools: query.tools, at_us: nowAfter(state.clock_us) },
        cites: [cited],
      }));
      if (rejection !== null && rejection.code !== 'already_written')
        return { failure: { code: 'denied', final: true, detail: { code: rejection.code } } };
      const value = answerFromMemory(events, run.state, query, nowAfter(run.state.clock_us));
      return { value, cites: [{ ...head }] };
    },
  };
}
