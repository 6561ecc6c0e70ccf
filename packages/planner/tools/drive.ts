/**
 * Random runs of the planner to their end, step by step, for laws that look at every step.
 *
 * @module
 */
import {
  advance,
  openRequests,
  openRun,
  orThrow,
  type EvidenceRecord,
  type GenesisInput,
  type Json,
  type Proposal,
} from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import fc from 'fast-check';
import { planner, type PlannerEvent, type PlannerState, type Policy } from '../src/index.js';
import { answers, genesis } from './arbitraries.js';

/** One decision: the states around it, its events, and the ids it opened and withdrew. */
export type Moment = {
  readonly before: PlannerState;
  readonly after: PlannerState;
  readonly events: readonly PlannerEvent[];
  readonly withdrawn: readonly string[];
  readonly isClosed: boolean;
};

/** A run: its policy and its decisions. */
export type Driven = {
  readonly policy: Policy;
  readonly input: GenesisInput;
  readonly moments: readonly Moment[];
  readonly records: readonly EvidenceRecord[];
  readonly outcome: string | null;
};

type DecisionPayload = { readonly events: readonly PlannerEvent[]; readonly withdrawn: readonly string[] };

/** Drives a run with answers drawn by `draw`, at most so many of them. */
export function driven(
  input: GenesisInput,
  draw: (arbitrary: fc.Arbitrary<unknown>) => unknown,
  steps: number,
): Driven {
  const options = { sha256: nativeSha256 };
  let step = orThrow(openRun(planner, input, options));
  const records: EvidenceRecord[] = [...step.records];
  const moments: Moment[] = [momentOf(step.run.state, step.run.state, step.records)];
  for (let count = 0; count < steps && step.run.outcome === null; count += 1) {
    const open = openRequests(step.run);
    const request = open[(draw(fc.nat(63)) as number) % open.length];
    if (request === undefined) break;
    const isFailure = (draw(fc.nat(11)) as number) === 0;
    const people = request.accepts.length === 1 && request.accepts[0] === 'human';
    const proposal: Proposal = {
      request_id: request.id,
      source: people ? 'human' : 'synthetic',
      proposer: 'fixture:random',
      confidence: null,
      value: isFailure ? null : (draw(answers(request)) as Json),
      failure: isFailure
        ? {
            code: draw(fc.constantFrom('timeout', 'denied', 'malformed')) as 'timeout',
            final: draw(fc.boolean()) as boolean,
            detail: null,
          }
        : null,
      at_us: count * 20_000_000,
      spent: { usd: draw(fc.constantFrom(0, 1, 2, 9)) as number, tokens: draw(fc.nat(3)) as number },
      cites: [],
      provenance: {},
    };
    const before = step.run.state;
    step = orThrow(advance(step.run, proposal));
    records.push(...step.records);
    moments.push(momentOf(before, step.run.state, step.records));
  }
  return {
    policy: input.policy as unknown as Policy,
    input,
    moments,
    records,
    outcome: step.run.outcome,
  };
}

function momentOf(before: PlannerState, after: PlannerState, records: readonly EvidenceRecord[]): Moment {
  const decision = records.find(({ kind }) => kind === 'decision')?.payload as DecisionPayload | undefined;
  return {
    before,
    after,
    events: decision?.events ?? [],
    withdrawn: decision?.withdrawn ?? [],
    isClosed: records.some(({ kind }) => kind === 'close'),
  };
}

/** So many random runs of a mode, by one seed. */
export function manyRuns(
  mode: Policy['mode'],
  runs: number,
  seed: number,
  steps: number = 120,
): readonly Driven[] {
  const draws = fc.sample(fc.tuple(genesis(fc.constant(mode)), fc.gen()), { numRuns: runs, seed });
  return draws.map(([input, gen]) => driven(input, (arbitrary) => gen(() => arbitrary), steps));
}
