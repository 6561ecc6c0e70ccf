/**
 * `relay`, a machine for benches: one standing invitation; each answer is told on as one event that holds
 * one of a few texts. It does next to nothing, so that a step costs what the kernel and the verifier cost.
 */
import { advance, openRequests, openRun, orThrow, ok } from '../../kernel/dist/index.js';
import { corpus } from '../../kernel/bench/corpus.mjs';

/** Cut so that the mean line of a run is about 1.3 KB. */
const TEXT_MAX = 360;
const TEXTS = corpus(64).map(({ payload }) => JSON.stringify(payload).slice(0, TEXT_MAX).toWellFormed());
const ASK = { kind: 'tell', body: null, accepts: ['synthetic'], attempts: 0 };

export const relay = {
  name: 'relay',
  version: 1,
  open: () => ok({ state: { told: 0 }, decision: { events: [], asks: [ASK] } }),
  parse: (value) => ok(value),
  decide: (state) => ok({ events: [{ text: TEXTS[state.told % TEXTS.length] }], asks: [ASK] }),
  evolve: (state) => ({ told: state.told + 1 }),
  encode: (state) => state,
  decode: (json) => ok(json),
};

/**
 * Records of a relay run, `count` at least, group by group: an iterator, so that a long ledger needs no
 * memory.
 */
export function* relayGroups(count, sha256, run_id = 'bench') {
  const payloads = corpus(4_000);
  let step = orThrow(
    openRun(
      relay,
      { run_id, ts_base: 'bench', policy: null, input: null, base: null, engine: null },
      { sha256 },
    ),
  );
  yield step.records;
  for (let written = step.records.length, index = 0; written < count; index += 1) {
    const [request] = openRequests(step.run);
    const { kind, payload } = payloads[index % payloads.length];
    step = orThrow(
      advance(step.run, {
        request_id: request.id,
        source: 'synthetic',
        proposer: kind,
        confidence: null,
        value: payload,
        failure: null,
        at_us: index,
        spent: { bytes: index },
        cites: [],
        provenance: {},
      }),
    );
    written += step.records.length;
    yield step.records;
  }
}
