/** `assay store list --fleet`: the runs of a fleet by its table; no ledger is read. */
import type { FleetRun, RunState } from '@assay/fleet';
import { isDigest } from '@assay/kernel';
import type { FleetDocument } from '@assay/kernel/schemas';
import type { Context } from '../../call/output.js';
import { fleetProblem, withFleet } from '../../files/fleet.js';
import { storeProblem } from '../../files/store.js';
import { readCount } from '../../options/settings.js';
import { EXIT, orStop, type ExitCode } from '../../problems/problem.js';
import { commandLine, padded, show, styled, type Shown } from '../../terminal/shown.js';

/** What is listed. */
export type FleetPage = {
  readonly engine?: string;
  readonly state?: RunState;
  readonly tenant?: string;
  readonly limit?: string;
  readonly after?: string;
};

/** Lists a page of the runs of a fleet, by id, and counts all of them. Raises `Stop`. */
export async function listFleet(
  { output }: Context,
  url: string,
  { engine, limit, state, tenant, after }: FleetPage,
): Promise<ExitCode> {
  const query = {
    limit: readCount('--limit', limit, 100, 1_000),
    ...(state === undefined ? {} : { state }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(after === undefined ? {} : { after }),
  };
  const flags = { store: url, ...(engine === undefined ? {} : { engine }) };
  return withFleet(flags, { mustExist: true }, async ({ fleet, store, place }) => {
    const found = orStop(await fleet.runs(query), (error) => fleetProblem(error, place));
    // Neither a fleet nor a store may be there: a name that was mistyped.
    if (tenant === undefined && Object.values(found.totals).every((count) => count === 0))
      orStop(await store.list({ after: '', limit: 1 }), (error) => storeProblem(error, place));
    const runs = found.runs.map(({ version, machine, head, ...run }) => ({
      ...run,
      machine: `${machine}@${version}`,
      head: head !== null && isDigest(head.hash) ? { count: head.count, hash: head.hash } : null,
    }));
    output.document({ store: place, ...found, runs } satisfies FleetDocument);
    const width = found.runs.reduce((most, { run_id }) => Math.max(most, run_id.length), 0);
    for (const run of found.runs) output.line(describe(run, width));
    const totals = Object.entries(found.totals).map(([name, count]) => `${count} ${name}`);
    output.line(show`${totals.join(', ')}`);
    if (found.after !== null) {
      const again = Object.entries({ state, tenant, limit, after: found.after });
      const words = again.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
      output.line(show`next     ${commandLine(['assay', 'store', 'list', place, '--fleet', ...words])}`);
    }
    return EXIT.done;
  });
}

function describe(run: FleetRun, width: number): Shown {
  const { run_id, machine, version, state, held, outcome, fault, waiting, holder, tenant, since } = run;
  const why = {
    queued: held ? 'held' : '',
    driving: `by ${holder ?? ''}`,
    waiting: waiting
      .map(({ request, kind, until }) => `${kind} ${request}${until === null ? '' : ` until ${until}`}`)
      .join(', '),
    closed: outcome ?? '',
    failed: fault ?? '',
  }[state];
  const style = state === 'failed' ? 'bad' : state === 'closed' ? 'good' : 'open';
  const words = `${held && state !== 'queued' ? 'held; ' : ''}${why}`;
  return show`${padded(show`${run_id}`, width)}  ${machine}@${version}  ${padded(
    styled(style, show`${state}`),
    7,
  )}  ${since}${tenant === '' ? '' : `  ${tenant}`}  ${words}`;
}
