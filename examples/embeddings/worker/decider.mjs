/**
 * A web worker that decides a request, offline: the kernel, the intent machine and the rules; no model, no
 * server.
 */
import { advance, encodeLine, openRequests, openRun, orThrow } from '@assay/kernel';
import { defaultPolicy, intent } from '@assay/kernel/intent';
import { proposeByRules, RULES_PROPOSER } from '@assay/proposers/language';

const EMPTY = {
  confidence: null,
  value: null,
  failure: null,
  at_us: null,
  spent: {},
  cites: [],
  provenance: {},
};
const POLICY = { ...defaultPolicy, proposers: [RULES_PROPOSER] };

/** Takes {runId, text}; posts {ledger, outcome, artifacts}. */
globalThis.addEventListener('message', ({ data: { runId, text } }) => {
  let step = orThrow(
    openRun(intent, {
      run_id: runId,
      ts_base: 'worker',
      policy: POLICY,
      input: { seed_text: text, pin: null },
    }),
  );
  const records = [...step.records];
  for (let [request] = openRequests(step.run); request !== undefined; [request] = openRequests(step.run)) {
    step = orThrow(
      advance(step.run, {
        ...EMPTY,
        ...proposeByRules(request.body),
        proposer: RULES_PROPOSER,
        request_id: request.id,
      }),
    );
    records.push(...step.records);
  }
  const artifacts = Object.fromEntries(
    records.flatMap(({ kind, payload }) => (kind === 'artifact' ? [[payload.name, payload.content]] : [])),
  );
  globalThis.postMessage({
    ledger: records.map((record) => `${encodeLine(record)}\n`).join(''),
    outcome: step.run.outcome,
    artifacts,
  });
});
