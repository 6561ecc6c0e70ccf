/**
 * Driving a plan to its end, and telling it: what `plan` and `resume` share.
 *
 * @module
 */
import { rmSync } from 'node:fs';
import type { GenesisInput, Request } from '@assay/kernel';
import { isObject } from '@assay/kernel';
import { planner } from '@assay/planner';
import { maskedAddress, type Identity, type Ports, type Store } from '@assay/host';
import type { Miss } from '../../options/proposers.js';
import type { ModelFlags } from '../../options/llm.js';
import { EXIT, worst, type ExitCode } from '../../problems/exit.js';
import { stopOf, type Remedy, type Stop } from '../../problems/problem.js';
import { commandLine } from '../../terminal/quote.js';
import { show, type Shown } from '../../terminal/shown.js';
import type { Context } from '../context.js';
import { keptAt, keptUnder } from '../control/options.js';
import { liveDrive } from '../run/live-drive.js';
import { modelFailures } from '../run/model-failures.js';
import { requireUnchanged } from '../run/outputs.js';
import { progressOf } from '../run/progress.js';
import { modelArguments } from '../run/resume-command.js';
import { driveMachine } from '../run/run-request.js';
import { tellEnded } from '../run/tell-ended.js';
import type { Carried } from './execute.js';
import { hireText } from './person.js';

/** The options of a call that goes on with a plan, or begins one. */
export type PlanFlags = ModelFlags & {
  readonly proposer: readonly string[];
  readonly store?: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly library?: string;
  readonly workspace?: string;
  readonly check?: readonly string[];
};

/** A plan to be driven. `start`: a new run, or the id of a stored one; `found`: records stored before. */
export type PlanDriving = {
  readonly start: GenesisInput | string;
  readonly identity: Identity;
  readonly store: Store;
  readonly flags: PlanFlags;
  readonly ports: Ports;
  readonly misses: ReadonlyMap<string, Miss>;
  readonly units: ReadonlySet<string>;
  readonly isTalking: boolean;
  readonly from: string;
  readonly text: string;
  readonly notes?: readonly Shown[];
  /** How it is carried out; absent where it is only planned. */
  readonly carried?: Carried;
};

/**
 * Drives a plan to its end and writes what it came to: exit 0 where it fits, 1 where it is refused, 5 where
 * that is because a model was not reached, 6 where it waits for somebody. Leaves the store open. Raises `Stop`.
 */
export async function drivePlan(context: Context, given: PlanDriving): Promise<ExitCode> {
  const { library, store: named, output } = given.flags;
  const exit =
    library === undefined
      ? await driven(context, given, given.ports)
      : await sharing(context, given, library);
  if (named === undefined && output !== undefined)
    rmSync(keptUnder(output), { recursive: true, force: true });
  return exit;
}

/** What is recorded is handed on also where the run waits or was stopped. */
async function sharing(context: Context, given: PlanDriving, library: string): Promise<ExitCode> {
  const { openLibrary, toldExit } = await import('./library.js');
  const shared = await openLibrary(library, given.store, given.identity.run_id);
  let exit: ExitCode | null = null;
  try {
    exit = await driven(context, given, (request) => shared.ports(request) ?? given.ports(request));
  } finally {
    const problem = await shared.close();
    if (problem !== null) context.output.complaint(problem);
    if (exit !== null) exit = toldExit(exit, problem);
  }
  return exit;
}

async function driven(context: Context, given: PlanDriving, ports: Ports): Promise<ExitCode> {
  const { identity, flags, units, store } = given;
  const { run_id } = identity;
  const url = keptAt(flags);
  const place = maskedAddress(url ?? '');
  const again: Remedy =
    resumePlanCommand(run_id, flags) ?? 'nothing was stored; run it again with -o or --store to go on later';
  const shown = progressOf(context.output, run_id, given.isTalking);
  // The machine keeps its own budget, so the host holds none. Source: dec-K75.
  const live = await liveDrive({ units, slots: 1, store: url ?? undefined, flags: { ...flags, budget: [] } });
  const ended = await context.interruption
    .during((signal) =>
      driveMachine(planner, given.start, run_id, store, {
        ports,
        place,
        signal,
        again,
        live,
        onEvent: shown.show,
        waits: (open) => waitsFor(open, again),
      }),
    )
    .finally(shown.end);
  const more = (await given.carried?.end(ended.artifacts.get('assembly') ?? null)) ?? [];
  const folder = flags.output ?? null;
  if (folder !== null && flags.force !== true) await requireUnchanged(folder, ended);
  await tellEnded(context.output, ended, {
    identity,
    from: given.from,
    text: given.text,
    misses: given.misses,
    folder,
    pages: given.carried === undefined ? ['decision', 'result'] : ['decision', 'course', 'result'],
    notes: [
      ...(given.notes ?? []),
      ...more.map((path, at) => show`${at === 0 ? 'carried out' : '           '} ${path}`),
    ],
    more: { carried: more },
  });
  if (ended.status === 'success') return EXIT.done;
  return worst([EXIT.no, ...modelFailures(ended.records, null).map(({ exit }) => exit)]);
}

/** Exit 6: who must answer, and to what. */
function waitsFor(open: readonly Request[], again: Remedy): Stop {
  const said = open.map(({ kind, body }) => {
    if (kind === 'hire' && isObject(body)) return `a person: ${hireText(body)}`;
    return kind === 'extract' && isObject(body) && (body['conflicts'] as readonly unknown[]).length > 0
      ? 'a person: constraints contradict each other'
      : `an answer to ${kind}`;
  });
  // Tasks that were not recorded yet, or a model: resume has neither unless it is named.
  const isUnnamed = said.some((each, at) => !each.startsWith('a person') && open[at]?.kind !== 'capability');
  return stopOf({
    code: 'waiting',
    message: `the run waits for ${said.join('; ')}`,
    place: '',
    remedy: isUnnamed
      ? 'nobody named here answers that: give the call of assay plan that began this run again; it goes on from here'
      : again,
    exit: EXIT.waiting,
  });
}

/** The command that goes on with a kept plan; null where it is kept nowhere. */
function resumePlanCommand(
  runId: string,
  { store, output, proposer, force, library, workspace, check = [], ...models }: PlanFlags,
): Shown | null {
  if (store === undefined && output === undefined) return null;
  const where = store === undefined ? [output ?? ''] : [runId, '--store', maskedAddress(store)];
  const names = proposer.filter((name) => name !== 'rules');
  return show`${commandLine([
    ...['assay', 'resume', ...where],
    ...names.flatMap((name) => ['--proposer', name]),
    ...modelArguments({ ...models, budget: [] }),
    ...(library === undefined ? [] : ['--library', maskedAddress(library)]),
    ...(workspace === undefined ? [] : ['--workspace', workspace]),
    ...check.flatMap((each) => ['--check', each]),
    ...(store === undefined || output === undefined ? [] : ['-o', output]),
    ...(force === true ? ['--force'] : []),
  ])}`;
}
