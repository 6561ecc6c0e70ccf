/**
 * A memory as the port of what a controller recalls.
 *
 * @module
 */
import type { Head, Json } from '@assay/kernel';
import { answerFromMemory, recallAnswer, type RecallQuery } from '../memory/index.js';
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
      let at_us = 0;
      const { events, head, rejection, run } = await ask(({ state }) => {
        at_us = nowAfter(state.clock_us);
        const value = recallAnswer(query, at_us);
        return { kind: 'recall', source: 'run', proposer: 'controller', value, cites: [cited] };
      });
      if (rejection !== null && rejection.code !== 'already_written')
        return { failure: { code: 'denied', final: true, detail: { code: rejection.code } } };
      // The memory's ledger has that moment, whether it gave the answer or was only read.
      const value = answerFromMemory(events, run.state, query, at_us) as unknown as Json;
      return { value, cites: [{ ...head }] };
    },
  };
}
