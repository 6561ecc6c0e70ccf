/**
 * Runs of the planner whose every answer is written by hand.
 *
 * @module
 */
import { advance, openRequests, openRun, orThrow, type Json, type Request } from '@assay/kernel';
import {
  defaultPolicy,
  planner,
  type Body,
  type PlannerEvent,
  type PlannerState,
  type Policy,
} from '../src/index.js';

/** What somebody says. `isWrong`: it is expected not to be accepted. */
export type Said = {
  readonly value?: Json;
  readonly denied?: true;
  /** The code of a final failure. */
  readonly failed?: string;
  readonly isWrong?: true;
  readonly spent?: { readonly usd: number };
};
/** Who answers everything. */
export type Answerer = (request: Request<Body>) => Said;

/** A check that tools make. */
export const CHECK = {
  id: 'unit',
  type: 'logic',
  domain: 'software',
  title: 'the tests pass',
  scope: 'local',
  hard: true,
  removal: null,
  payload: { t: 'check', name: 'unit' },
};

/** Plays a run to its end, or until it only waits. */
export function played(
  policy: Partial<Policy>,
  answer: Answerer,
  constraints: readonly Json[] = [CHECK],
): {
  readonly events: readonly PlannerEvent[];
  readonly asked: readonly string[];
  readonly codes: readonly string[];
  readonly state: PlannerState;
  readonly outcome: string | null;
} {
  const whole = {
    ...defaultPolicy,
    mode: 'solve',
    extract: false,
    checks: [{ name: 'unit', command: ['true'] }],
    ...policy,
  };
  const input = {
    goal: 'a goal',
    modality: 'text',
    constraints: [...constraints],
    suggestions: [],
    strikes: [],
  };
  const genesis = { run_id: 'growth', ts_base: 'T', policy: whole as unknown as Json, input };
  let step = orThrow(openRun(planner, genesis));
  const events: PlannerEvent[] = [];
  const asked: string[] = [];
  const codes: string[] = [];
  for (let count = 0; count < 60 && step.run.outcome === null; count += 1) {
    const [request] = openRequests(step.run);
    if (request === undefined) break;
    asked.push(request.kind);
    const { value = null, denied, failed, isWrong, spent = {} } = answer(request);
    const code = denied === true ? null : (failed ?? null);
    step = orThrow(
      advance(step.run, {
        request_id: request.id,
        source: request.accepts.length === 1 && request.accepts[0] === 'human' ? 'human' : 'synthetic',
        proposer: 'fixture:hand',
        confidence: null,
        value: denied === true || code !== null ? null : value,
        failure:
          denied === true
            ? { code: 'denied', final: true, detail: null }
            : code === null
              ? null
              : { code: 'malformed', final: true, detail: { code } },
        at_us: null,
        spent,
        cites: [],
        provenance: {},
      }),
    );
    if ((step.rejection === null) === (isWrong === true))
      throw new Error(`${request.kind}: ${JSON.stringify(step.rejection)}`);
    if (step.rejection !== null) codes.push(step.rejection.code);
    for (const { kind, payload } of step.records)
      if (kind === 'decision')
        events.push(...(payload as unknown as { events: readonly PlannerEvent[] }).events);
  }
  const state: PlannerState = step.run.state;
  return { events, asked, codes, state, outcome: step.run.outcome };
}

/** An output whose check ended so. */
export const made = (exit: number, manifest: Json = null): Json => ({
  artifact: { format: 'text', summary: 'made', content: 'made' },
  leaf_kind: 'atomic',
  leaf_reason: '',
  manifest,
  checks: [['unit', exit]],
  figures: [],
});
/** A tool. */
export const tool = (id: string, capabilities: readonly string[]): Json => ({
  id,
  label: id,
  type: 'digital',
  capabilities,
  bound: {},
  built_by: null,
  composed_of: [],
});
/** What is missing. */
export const gap: Json = {
  capability: 'mending',
  title: 'a mender',
  constraints: [],
  estimate: {},
  rationale: 'none',
};
