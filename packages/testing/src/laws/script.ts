/** Random runs: a machine driven through proposals of every sort. */
import type {
  EvidenceRecord,
  Failure,
  GenesisInput,
  Json,
  Proposal,
  Request,
  Run,
  Step,
} from '@assay/kernel';
import fc from 'fast-check';
import { admittedJson } from '../generators/json.js';
import { failingProposal, goodProposal, lostProposal, strangerProposal } from '../generators/proposals.js';
import { demand, type Draw } from './law.js';
import type { Setup } from './setup.js';

/** One proposal given to a run, and what came of it. */
export type Taken<S, I, E extends Json, A extends Json> = {
  readonly before: Run<S, I, E, A>;
  readonly proposal: Proposal;
  readonly step: Step<S, I, E, A>;
};

/** A random run: its genesis, every step, all records, and where it ended. */
export type Drive<S, I, E extends Json, A extends Json> = {
  readonly genesis: GenesisInput;
  readonly first: Run<S, I, E, A>;
  readonly steps: readonly Taken<S, I, E, A>[];
  readonly records: readonly EvidenceRecord[];
  readonly run: Run<S, I, E, A>;
};

/**
 * Sorts of proposals: a likely value, a failure, a value from a source that is not accepted, one to a request
 * that never was.
 */
export type Sort = 'answer' | 'failure' | 'stranger' | 'lost';

const SORTS: readonly Sort[] = [
  'answer',
  'answer',
  'answer',
  'answer',
  'failure',
  'failure',
  'stranger',
  'lost',
];

/** Opens a run on a drawn genesis. A genesis the machine does not open is a fault of the arbitraries. */
export function openDrawn<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  draw: Draw,
): { readonly genesis: GenesisInput; readonly step: Step<S, I, E, A> } {
  const genesis = draw(setup.arbitraries.genesis);
  const opened = setup.kernel.openRun(setup.machine, genesis, setup.options);
  demand(
    opened._tag === 'Right',
    () => `arbitraries.genesis: openRun gives ${opened._tag === 'Left' ? opened.left.code : ''}`,
  );
  return { genesis, step: opened.right };
}

/**
 * What a law adds to a drive. `propose`: where proposals come from. `opened` and `after` look at the run as
 * it stands; `after` may add a step of its own.
 */
export type DriveOptions<S, I, E extends Json, A extends Json> = {
  readonly propose?: (run: Run<S, I, E, A>, draw: Draw) => Proposal | null;
  readonly opened?: (run: Run<S, I, E, A>) => void;
  readonly after?: (taken: Taken<S, I, E, A>) => Step<S, I, E, A> | null;
};

/** Drives a machine through a random run of at most `length` proposals of every sort. */
export function drive<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  draw: Draw,
  length: number,
  options: DriveOptions<S, I, E, A> = {},
): Drive<S, I, E, A> {
  const { genesis, step: opening } = openDrawn(setup, draw);
  const records = [...opening.records];
  const steps: Taken<S, I, E, A>[] = [];
  let run = opening.run;
  options.opened?.(run);
  for (let index = 0; index < length && run.outcome === null; index += 1) {
    const proposal =
      options.propose === undefined ? proposalTo(setup, run, draw) : options.propose(run, draw);
    if (proposal === null) break;
    const taken = take(setup, run, proposal);
    steps.push(taken);
    records.push(...taken.step.records);
    const more = options.after?.(taken) ?? null;
    if (more !== null) records.push(...more.records);
    run = (more ?? taken.step).run;
  }
  return { genesis, first: opening.run, steps, records, run };
}

/** Gives a run a proposal that must be recorded. */
export function take<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  run: Run<S, I, E, A>,
  proposal: Proposal,
): Taken<S, I, E, A> {
  const step = setup.kernel.advance(run, proposal);
  demand(
    step._tag === 'Right',
    () =>
      `advance refuses a sound proposal: ${step._tag === 'Left' ? `${step.left.code} ${step.left.path}` : ''}`,
  );
  return { before: run, proposal, step: step.right };
}

/** A drawn proposal to one of the open requests, or to none. Null if nothing is open. */
export function proposalTo<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  run: Run<S, I, E, A>,
  draw: Draw,
): Proposal | null {
  const request = pickRequest(setup, run, draw);
  if (request === null) return null;
  const value = (): Json => draw(setup.arbitraries.answer(request, run.state));
  switch (draw(fc.constantFrom(...SORTS))) {
    case 'answer':
      return draw(goodProposal(request, value()));
    case 'failure':
      return draw(failingProposal(request, ordinaryFailure()));
    case 'stranger':
      return draw(strangerProposal(request, value()) ?? lostProposal());
    case 'lost':
      return draw(lostProposal());
  }
}

/** One of the open requests, or null. */
export function pickRequest<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  run: Run<S, I, E, A>,
  draw: Draw,
  isFit: (request: Request<A>) => boolean = () => true,
): Request<A> | null {
  const open = setup.kernel.openRequests(run).filter(isFit);
  return open.length === 0 ? null : draw(fc.constantFrom(...open));
}

/** Failures a host reports every day, so that scripts go on: final ones are the rarer. */
export function ordinaryFailure(): fc.Arbitrary<Failure> {
  return ORDINARY;
}

const ORDINARY: fc.Arbitrary<Failure> = fc.record({
  code: fc.constantFrom('timeout', 'unavailable', 'denied', 'malformed', 'cancelled', 'lost'),
  final: fc.nat(3).map((n) => n === 0),
  detail: fc.oneof(fc.constant(null), admittedJson({ fractions: false, tokens: false, depthMax: 1 })),
});
