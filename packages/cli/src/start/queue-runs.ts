/** Runs put into the queue of a fleet instead of being driven here. */
import type { AnyMachine } from '@assay/fleet';
import type { GenesisInput } from '@assay/kernel';
import type { SubmitDocument } from '@assay/kernel/schemas';
import type { Output } from '../call/output.js';
import { fleetProblem, withFleet, type FleetFlags } from '../files/fleet.js';
import { chooseMachine } from '../options/machines.js';
import { EXIT, orStop, type ExitCode } from '../problems/problem.js';
import { commandLine, counted, show } from '../terminal/shown.js';

/** How runs are queued. `lines`: where each genesis was read. `modules`: of the user's machines. */
type Queued = {
  readonly modules?: readonly string[];
  readonly options?: { readonly tenant?: string; readonly priority?: number; readonly at?: number };
  readonly lines?: readonly string[];
};

/** A machine by its name. */
export type MachineName = Pick<AnyMachine, 'name' | 'version'>;

/** Queues runs, each opened first by its machine where that is here, and says so. Raises `Stop`. */
export async function queueRuns(
  output: Output,
  flags: FleetFlags,
  named: MachineName,
  geneses: readonly GenesisInput[],
  { options = {}, lines = [], modules = [] }: Queued = {},
): Promise<ExitCode> {
  const by = { ...named, engine: geneses[0]?.engine ?? null };
  const queue = (machine: MachineName | AnyMachine): Promise<ExitCode> =>
    withFleet(flags, {}, async ({ fleet, place }) => {
      const done = orStop(await fleet.submit(machine, geneses, options), (error) =>
        fleetProblem(error, place, lines),
      );
      const name = `${machine.name}@${machine.version}`;
      const run_ids = geneses.map(({ run_id }) => run_id);
      output.document({ store: place, machine: name, ...done, run_ids } satisfies SubmitDocument);
      const known = done.known === 0 ? '' : `; ${done.known} were there already`;
      output.line(show`${counted(done.submitted, 'run')} of ${name} queued${known}`);
      const [only = ''] = run_ids;
      if (run_ids.length === 1) output.line(show`run      ${only}`);
      output.line(show`next     ${commandLine(['assay', 'store', 'list', place, '--fleet'])}`);
      return EXIT.done;
    });
  return (await chooseMachine(modules, { machine: by }, queue)) ?? queue(named);
}
