/** An agent loop of our own: the kernel decides, this file performs what is asked. */
import { openLedger } from './ledger.mjs';

/**
 * Drives a run to its end, or takes up where its ledger ends. `perform(request)` calls the model, tool or
 * person.
 */
export async function drive(machine, genesis, perform, path) {
  const ledger = openLedger(machine, genesis, path);
  try {
    for (let request = ledger.request(); request !== undefined; request = ledger.request())
      ledger.answer(request, await performed(request, perform));
    return ledger.run();
  } finally {
    ledger.close();
  }
}

/** Whatever goes wrong outside becomes an answer too: a failure, on the record. */
async function performed(request, perform) {
  try {
    return await perform(request);
  } catch {
    return {
      source: 'tool',
      proposer: 'own-loop',
      failure: { code: 'unavailable', final: false, detail: null },
    };
  }
}
