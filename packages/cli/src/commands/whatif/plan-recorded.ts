/**
 * What `run --from` decides: a recorded run under changes.
 *
 * @module
 */
import { derivedRun } from '../explain/derived.js';
import { readPins } from '../../options/pins.js';
import { misuse } from '../../problems/problem.js';
import type { PlannedRun, PlanOptions } from '../run/plan-run.js';
import { readChanges } from './changes.js';
import { planFrom } from './plan.js';

/**
 * Reads a recorded run and the changes asked for. Raises `Stop`: `two_requests`, `conflict`, and those of
 * what it reads.
 */
export async function planRecorded(
  given: string | undefined,
  path: string,
  options: PlanOptions,
): Promise<PlannedRun> {
  if (given !== undefined)
    throw misuse(
      'two_requests',
      'a request and a recorded run are given; one of them is decided',
      `--from ${path}`,
      'give one of them',
    );
  const other = options.policy !== undefined ? '--policy' : options.proposer.length > 0 ? '--proposer' : null;
  if (other !== null)
    throw misuse(
      'conflict',
      'a recorded run brings its policy and its answers along',
      `${other} with --from`,
      'change it with --weight, --pin, --unpin, --without or --drop',
    );
  const run = await derivedRun(path);
  const plan = planFrom(run, readChanges(options, await readPins(options.pin)), options);
  return {
    ...plan,
    from: `the run ${run.head.run_id}`,
    text: run.grounds.seedText,
    misses: new Map(),
    units: new Set(),
  };
}
