/**
 * `assay run`: a request decided, with evidence.
 *
 * @module
 */
import { intent } from '@assay/kernel/intent';
import type { Context } from './context.js';
import type { ExitCode } from '../problems/exit.js';
import { storeProblem } from '../files/store.js';
import { requireWritable } from '../files/write.js';
import { keepRun, type Kept } from '../start/kept-run.js';
import { liveDrive } from '../start/live-drive.js';
import { requireOutsideStores } from '../start/outside-stores.js';
import { planRun, type PlannedRun, type PlanOptions } from '../kits/intent/plan-run.js';
import { progressOf } from '../start/progress.js';
import { resumeCommand } from '../start/resume-command.js';
import { driveMachine } from '../start/drive-machine.js';
import { exitOf, resumedAfter, tellEnded } from '../start/tell-ended.js';

/**
 * Decides a request: exit 0 for a blueprint, 1 for a refusal, which is an answer too, 130 where it was
 * interrupted: kept between two records, and the command that goes on is told.
 */
export async function run(
  context: Context,
  given: string | undefined,
  options: PlanOptions,
): Promise<ExitCode> {
  const { output: folder, store } = options;
  if (folder !== undefined) {
    requireWritable(folder);
    await requireOutsideStores(folder, [store]);
  }
  const plan = await planRun(context, given, options);
  const claim = { run_id: plan.identity.run_id, workspace: null };
  return keepRun(options, claim, (kept) => decide(context, plan, options, kept));
}

async function decide(
  context: Context,
  plan: PlannedRun,
  options: PlanOptions,
  { store, notes, place }: Kept,
): Promise<ExitCode> {
  const { identity, policy, input, ports } = plan;
  const { run_id } = identity;
  const isTalking = options.proposer.includes('human');
  const before = await store.head(run_id);
  if (before._tag === 'Left') throw storeProblem(before.left, place);
  const again = resumeCommand(run_id, options);
  const slots = isTalking ? 1 : options.proposer.length;
  const shown = progressOf(context.output, run_id, isTalking);
  const ended = await context.interruption
    .during((signal) =>
      driveMachine(intent, { ...identity, policy, input }, run_id, store, {
        ports,
        place,
        signal,
        ...(again === null ? {} : { again }),
        live: liveDrive({ units: plan.units, slots, notes, flags: options }),
        onEvent: shown.show,
      }),
    )
    .finally(shown.end);
  const found = before.right?.count ?? 0;
  await tellEnded(context.output, ended, {
    identity,
    from: plan.from,
    text: plan.text,
    misses: plan.misses,
    folder: options.output ?? null,
    ...resumedAfter(found, ended),
  });
  return exitOf(ended);
}
