/** `assay work`: a worker of a fleet, and what is told to those that hold a run. */
import type { Fleet, FleetError, FleetEvent, WorkOptions } from '@assay/fleet';
import { nativeSha256 } from '@assay/host';
import type { Result } from '@assay/kernel';
import type { WorkDocument } from '@assay/kernel/schemas';
import type { Context, Output } from '../call/output.js';
import { fleetProblem, withFleet, type FleetFlags } from '../files/fleet.js';
import { readCount } from '../options/settings.js';
import { workerModule } from '../options/user-machines.js';
import { EXIT, orStop, type ExitCode, needsOption } from '../problems/problem.js';
import { counted, show } from '../terminal/shown.js';

type WorkFlags = FleetFlags & {
  readonly with?: string;
  readonly concurrency?: string;
  readonly tenantLimit?: string;
  readonly leaseMs?: string;
  readonly log?: string;
  readonly witness: readonly string[];
};

/**
 * Drives queued runs until a signal comes, and gives them back: exit 130. A run that a machine or a port breaks is
 * failed in the table, and stops no other. Raises `Stop`.
 */
export async function work({ output, interruption }: Context, flags: WorkFlags): Promise<ExitCode> {
  if (flags.with === undefined) {
    const remedy = 'give --with FILE that exports machines and ports';
    throw needsOption('no module is named', '--with', remedy);
  }
  const concurrency = readCount('--concurrency', flags.concurrency, 8, 1_000);
  const { tenantLimit } = flags;
  const options = {
    ...(await workerModule(flags.with)),
    concurrency,
    leaseMs: readCount('--lease-ms', flags.leaseMs, 5_000, 3_600_000, 1_000),
    ...(tenantLimit === undefined ? {} : { tenantLimit: readCount('--tenant-limit', tenantLimit, 1, 1e6) }),
    onEvent: makeTeller(output),
  };
  const connections = Math.min(concurrency + 4, CONNECTIONS_MAX);
  return withFleet(flags, { connects: true, connections }, async ({ fleet, place, engine }) => {
    const serves = options.machines.map(({ name, version }) => `${name}@${version}`).join(', ');
    output.note(show`assay: work: serves ${serves}, ${concurrency} at once; Ctrl-C stops`);
    const ended = orStop(
      // A worker ends by any signal in the same way.
      await interruption.during(async (signal) => {
        const guard = flags.log === undefined ? {} : await openGuard(flags.log, flags.witness, signal);
        if (flags.log !== undefined)
          output.note(show`assay: work: a run makes no call before its opening is cosigned in ${flags.log}`);
        return fleet.work({ ...options, ...guard, signal });
      }, EXIT.interrupted),
      (error) => fleetProblem(error, error.code === 'engine' ? engine : place),
    );
    output.document({ store: place, ...ended } satisfies WorkDocument);
    const { segments, closed, waiting, failed } = ended;
    const ends = `${closed} closed, ${waiting} waiting, ${failed} failed`;
    output.line(show`${counted(segments, 'segment')}: ${ends}; unfinished runs were given back`);
    return EXIT.interrupted;
  });
}

/** Calls nothing of a run before its opening is cosigned in the log of a folder. */
async function openGuard(
  folder: string,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<Pick<WorkOptions, 'opened'>> {
  const [{ openLogGuard }, { withLog }, { hexOf }, { readTrusted }] = await Promise.all([
    import('@assay/attest/node'),
    import('./log/problem.js'),
    import('./log/check.js'),
    import('./sign/evidence-files.js'),
  ]);
  const witnesses = keys.length === 0 ? null : (await readTrusted(keys)).map(hexOf);
  return withLog(folder, () => openLogGuard({ folder, sha256: nativeSha256, witnesses, signal }));
}

/** Tells a person what a worker meets; what goes on unchanged, once. Messages of others are shown with --verbose. */
function makeTeller(output: Output): (event: FleetEvent) => void {
  let last = '';
  const tell = (said: string, error: unknown = null): void => {
    const message = error instanceof Error && output.isVerbose ? `: ${error.message}` : '';
    if (said !== last) output.note(show`assay: work: ${said}${message}`);
    last = said;
  };
  return (event) => {
    if (event.type === 'unserved') {
      if (event.machines.length > 0) tell(`no worker serves ${event.machines.join(', ')}`);
    } else if (event.type === 'error')
      tell(`the ${event.from} does not answer (${nameError(event.error)})`, event.error);
    else if (event.end === 'released' && nameError(event.error).startsWith('log_'))
      tell(`${event.run_id} waits for the log (${nameError(event.error)})`);
    else if (event.end === 'failed') tell(`${event.run_id} failed: ${event.fault ?? ''}`, event.error);
    else last = '';
  };
}

function nameError(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : null;
  return typeof code === 'string' ? code : error instanceof Error ? error.name : typeof error;
}

/** More connections than that hold each other up in the server. */
const CONNECTIONS_MAX = 20;

/** Has the holder of a run give it back. Raises `Stop`. */
export function hold(context: Context, run: string, flags: FleetFlags): Promise<ExitCode> {
  return tell(context, run, flags, (fleet) => fleet.hold(run), 'held until assay work retry');
}

/** Queues a run again that is held or failed. Raises `Stop`. */
export function retry(context: Context, run: string, flags: FleetFlags): Promise<ExitCode> {
  return tell(context, run, flags, (fleet) => fleet.retry(run), 'queued again');
}

function tell(
  { output }: Context,
  run_id: string,
  flags: FleetFlags,
  act: (fleet: Fleet) => Promise<Result<FleetError, null>>,
  said: string,
): Promise<ExitCode> {
  return withFleet(flags, { mustExist: true }, async ({ fleet, place }) => {
    orStop(await act(fleet), (error) => fleetProblem(error, place));
    output.document({ store: place, run_id });
    output.line(show`${run_id}: ${said}`);
    return EXIT.done;
  });
}
