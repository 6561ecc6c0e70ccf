/**
 * `assay run`: a request decided, with evidence.
 *
 * @module
 */
import { maskedAddress } from '@assay/host';
import type { Context } from './context.js';
import type { ExitCode } from '../problems/exit.js';
import { openStore } from '../files/store.js';
import { misuse } from '../problems/problem.js';
import { liveDrive } from './run/live-drive.js';
import { isTaken, requireOutputs, requireUnchanged } from './run/outputs.js';
import { requireOutsideStores } from './run/outside-stores.js';
import { inputsOf, planRun, requestIn, runRequest, type PlanOptions } from './run/plan-run.js';
import { progressOf } from './run/progress.js';
import { resumeCommand } from './run/resume-command.js';
import type { Ended } from './run/run-request.js';
import { exitOf, tellEnded } from './run/tell-ended.js';

type RunOptions = PlanOptions & {
  readonly store?: string;
  readonly output?: string;
  readonly force?: boolean;
};

/**
 * Decides a request: exit 0 for a blueprint, 1 for a refusal, which is an answer too, 130 where it was
 * interrupted: with a store between two records, and the command that goes on is told.
 */
export async function run(
  context: Context,
  given: string | undefined,
  options: RunOptions,
): Promise<ExitCode> {
  if (options.output !== undefined) {
    requireOutputs(options.output, inputsOf(given, options));
    await requireOutsideStores(options.output, [options.store]);
  }
  const plan = await planRun(context, given, options);
  const { run_id } = plan.identity;
  const target = options.force === true ? undefined : options.output;
  const url = options.store;
  const shown = progressOf(context.output, run_id, options.proposer.includes('human'));
  // Answers of models are never the same twice: what is there already is not compared with them, and nothing
  // is spent to find out.
  if (plan.units.size > 0 && target !== undefined && isTaken(target))
    throw misuse(
      'exists',
      'this folder holds another run; nothing was asked and nothing written',
      target,
      'name another folder with -o, or replace it with --force',
    );
  const slots = options.proposer.includes('human') ? 1 : options.proposer.length;
  const driving = {
    ...requestIn(plan),
    place: maskedAddress(url ?? ''),
    onEvent: shown.show,
    live: await liveDrive({ units: plan.units, slots, store: url, flags: options }),
  };
  let ended: Ended;
  try {
    if (url === undefined) {
      ended = await runRequest({ ...driving, store: null });
    } else {
      // A folder that refuses the run must refuse it before a store has it.
      if (target !== undefined && isTaken(target))
        await requireUnchanged(target, await runRequest({ ...driving, store: null }));
      const store = await openStore(url);
      const again = resumeCommand(run_id, { ...options, store: url });
      ended = await context.interruption.during((signal) => runRequest({ ...driving, store, signal, again }));
    }
  } finally {
    shown.end();
  }
  if (target !== undefined) await requireUnchanged(target, ended);
  await tellEnded(context.output, ended, {
    identity: plan.identity,
    from: plan.from,
    text: plan.text,
    misses: plan.misses,
    folder: options.output ?? null,
  });
  return exitOf(ended);
}
