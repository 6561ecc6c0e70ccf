/**
 * Random runs of a machine, step by step: what is drawn next depends on what it asked.
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
  type KernelOptions,
  type Machine,
  type Proposal,
  type Request,
  type Run,
} from '@assay/kernel';
import {
  failingProposal,
  goodProposal,
  lostProposal,
  strangerProposal,
  type Draw,
  type MachineArbitraries,
} from '@assay/testing';
import fc from 'fast-check';

/** One proposal given to a run. `request`: what it answers; null where it answers none. */
export type Drawn<S, I, E extends Json, A extends Json> = {
  readonly before: Run<S, I, E, A>;
  readonly request: Request<A> | null;
  readonly proposal: Proposal;
  readonly after: Run<S, I, E, A>;
  readonly records: readonly EvidenceRecord[];
};

/** A random run: how it began, every step, and all records. */
export type RandomRun<S, I, E extends Json, A extends Json> = {
  readonly genesis: GenesisInput;
  readonly opened: Run<S, I, E, A>;
  readonly steps: readonly Drawn<S, I, E, A>[];
  readonly records: readonly EvidenceRecord[];
  readonly run: Run<S, I, E, A>;
};

const FAILURE = fc.record({
  code: fc.constantFrom('timeout' as const, 'unavailable' as const, 'lost' as const),
  final: fc.nat(3).map((n) => n === 0),
  detail: fc.constant(null),
});

/**
 * Drives a machine through at most `length` proposals: mostly such as it takes; three in `outOf` fail, come
 * from nobody it asked, or answer nothing.
 */
export function randomRun<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  arbitraries: MachineArbitraries<S, A>,
  draw: Draw,
  length: number,
  options: KernelOptions = {},
  outOf: number = 12,
): RandomRun<S, I, E, A> {
  const genesis = draw(arbitraries.genesis);
  const opening = orThrow(openRun(machine, genesis, options));
  const records = [...opening.records];
  const steps: Drawn<S, I, E, A>[] = [];
  let { run } = opening;
  while (steps.length < length && run.outcome === null) {
    const open = openRequests(run);
    if (open.length === 0) break;
    const asked = draw(fc.constantFrom(...open));
    const value = draw(arbitraries.answer(asked, run.state));
    const sort = draw(fc.nat(outOf - 1));
    const proposal = draw(
      sort === 0
        ? lostProposal()
        : sort === 1
          ? (strangerProposal(asked, value) ?? lostProposal())
          : sort === 2
            ? failingProposal(asked, FAILURE)
            : goodProposal(asked, value),
    );
    const step = orThrow(advance(run, proposal));
    steps.push({
      before: run,
      request: open.find(({ id }) => id === proposal.request_id) ?? null,
      proposal,
      after: step.run,
      records: step.records,
    });
    records.push(...step.records);
    run = step.run;
  }
  return { genesis, opened: opening.run, steps, records, run };
}
