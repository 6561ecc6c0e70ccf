/**
 * A run whose every request is answered by one function, to its end.
 *
 * @module
 */
import { advance, openRequests, openRun, orThrow, type Json, type Request } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import { defaultPolicy, planner } from '../src/index.js';

const STEPS_MAX = 1_000;

/** The artifacts of a run in mode plan. Null fails a request for good. */
export function answeredBy(
  { goal, constraints }: { readonly goal: string; readonly constraints: Json },
  answer: (request: Request) => Json | null,
): { readonly [name: string]: Json } {
  const policy = { ...defaultPolicy, extract: false, survey: false } as unknown as Json;
  const input: Json = { goal, modality: 'text', constraints, suggestions: [], strikes: [] };
  let step = orThrow(
    openRun(planner, { run_id: 'answered', ts_base: 'T', policy, input }, { sha256: nativeSha256 }),
  );
  const found: { [name: string]: Json } = {};
  for (let count = 0; count < STEPS_MAX; count += 1) {
    for (const { kind, payload } of step.records) {
      const { name, content } = payload as { readonly name?: string; readonly content?: Json };
      if (kind === 'artifact' && name !== undefined) found[name] = content ?? null;
    }
    const [request] = openRequests(step.run);
    if (step.run.outcome !== null || request === undefined) break;
    const value = answer(request);
    step = orThrow(
      advance(step.run, {
        request_id: request.id,
        source: 'rule',
        proposer: 'rules',
        confidence: null,
        value,
        failure: value === null ? { code: 'unavailable', final: true, detail: null } : null,
        at_us: null,
        spent: {},
        cites: [],
        provenance: {},
      }),
    );
  }
  return found;
}
