/**
 * Driving a plan to its end, and telling it: what `plan` and `resume` share.
 *
 * @module
 */
import type { GenesisInput, Request } from '@assay/kernel';
import { isObject } from '@assay/kernel';
import { planner } from '@assay/planner';
import { leavingSignals } from '../../terminal/signals.js';
import { maskedAddress, type Identity, type Ports } from '@assay/host';
import { storeProblem } from '../../files/store.js';
import type { Miss } from '../../options/proposers.js';
import type { ModelFlags } from '../../options/llm.js';
import { EXIT, worst, type ExitCode } from '../../problems/exit.js';
import { stopOf, type Remedy, type Stop } from '../../problems/problem.js';
import { show, type Shown } from '../../terminal/shown.js';
import type { Context } from '../../commands/context.js';
import { liveDrive } from '../../start/live-drive.js';
import { modelFailures } from '../../start/model-failures.js';
import type { Kept } from '../../start/kept-run.js';
import { progressOf } from '../../start/progress.js';
import { modelArguments, resumeLine } from '../../start/resume-command.js';
import { driveMachine } from '../../start/drive-machine.js';
import { resumedAfter, tellEnded } from '../../start/tell-ended.js';
import type { Carried } from './execute.js';
import { hireText } from './person.js';

/** The options of a call that goes on with a plan, or begins one. */
export type PlanFlags = ModelFlags & {
  readonly proposer: readonly string[];
  readonly store?: string;
  readonly output?: string;
  readonly library?: string;
  readonly workspace?: string;
  readonly check?: readonly string[];
};

/** A plan to be driven. `start`: a new run, or the id of a stored one; `found`: records stored before. */
export type PlanDriving = {
  readonly start: GenesisInput | string;
  readonly identity: Identity;
  readonly kept: Kept;
  readonly flags: PlanFlags;
  readonly ports: Ports;
  readonly misses: ReadonlyMap<string, Miss>;
  readonly units: ReadonlySet<string>;
  readonly isTalking: boolean;
  readonly from: string;
  readonly text: string;
  /** How it is carried out; absent where it is only planned. */
  readonly carried?: Carried;
};

/**
 * Drives a plan to its end and writes what it came to: exit 0 where it fits, 1 where it is refused, 5 where
 * that is because a model was not reached, 6 where it waits for somebody. Leaves the store open. Raises `Stop`.
 */
export async function drivePlan(context: Context, given: PlanDriving): Promise<ExitCode> {
  const { library } = given.flags;
  return library === undefined ? driven(context, given, given.ports) : sharing(context, given, library);
}

/** What is recorded is handed on also where the run waits or was stopped. */
async function sharing(context: Context, given: PlanDriving, library: string): Promise<ExitCode> {
  const { openLibrary, toldExit } = await import('./library.js');
  const shared = await openLibrary(library, given.kept.store, given.identity.run_id);
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
  const { identity, flags, units } = given;
  const { store, notes, place } = given.kept;
  const { run_id } = identity;
  const before = await store.head(run_id);
  if (before._tag === 'Left') throw storeProblem(before.left, place);
  const again: Remedy =
    resumePlanCommand(run_id, flags) ?? 'nothing was stored; run it again with -o or --store to go on later';
  const shown = progressOf(context.output, run_id, given.isTalking);
  // The machine keeps its own budget, so the host holds none. Source: dec-K75.
  const live = liveDrive({ units, slots: 1, notes, flags: { ...flags, budget: [] } });
  const ended = await context.interruption
    .during((signal) =>
      // One answer may take it a second: a signal does not wait for that.
      driveMachine(leavingSignals(planner), given.start, run_id, store, {
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
  const resumed = resumedAfter(before.right?.count ?? 0, ended);
  await tellEnded(context.output, ended, {
    identity,
    from: given.from,
    text: given.text,
    misses: given.misses,
    folder: flags.output ?? null,
    pages: given.carried === undefined ? ['decision', 'result'] : ['decision', 'course', 'result'],
    notes: [
      ...(resumed.notes ?? []),
      ...more.map((path, at) => show`${at === 0 ? 'carried out' : '           '} ${path}`),
    ],
    more: { carried: more, ...resumed.more },
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
  { store, output, proposer, library, workspace, check = [], ...models }: PlanFlags,
): Shown | null {
  const names = proposer.filter((name) => name !== 'rules');
  return resumeLine(runId, { store, output }, [
    ...names.flatMap((name) => ['--proposer', name]),
    ...modelArguments({ ...models, budget: [] }),
    ...(library === undefined ? [] : ['--library', maskedAddress(library)]),
    ...(workspace === undefined ? [] : ['--workspace', workspace]),
    ...check.flatMap((each) => ['--check', each]),
  ]);
}
