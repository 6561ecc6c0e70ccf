/**
 * What would have happened under other numbers: the recorded answers of a run are given again to a fork of
 * it, and whatever it asks that nobody answered then is not known. Nothing is performed and nothing is spent.
 * Source: planner-controller B.3 item 3.
 *
 * @module
 */
import {
  err,
  ok,
  openRequests,
  type EvidenceRecord,
  type Genesis,
  type Json,
  type KernelOptions,
  type Rejection,
  type Result,
} from '@assay/kernel';
import { forkRun } from '@assay/kernel/fork';
import { controller } from '../loop/machine.js';
import { withChanges, type Change } from './changes.js';
import { rederived } from './rederived.js';
import { roundsIn, type RoundSeen } from './rounds.js';

/** A request of the fork that no recorded answer fits. */
export type Unknown = { readonly id: string; readonly kind: string };

/**
 * The comparison. `parts_at`: the first round whose directive or reason differs, or which only one of the two
 * has; null where they say the same throughout. `unknown`: what can no longer be known, since it was never
 * asked. `left_over`: recorded answers that the fork did not ask for.
 */
export type WhatIf = {
  readonly policy: Json;
  readonly before: readonly RoundSeen[];
  readonly after: readonly RoundSeen[];
  readonly parts_at: number | null;
  readonly unknown: readonly Unknown[];
  readonly left_over: readonly number[];
  readonly outcome: 'success' | 'refused' | null;
  readonly records: readonly EvidenceRecord[];
};

/**
 * Runs a recorded run again under changes. `parent` is a ledger that replays; decisions that were erased are
 * made again. Errors: `not_a_controller_run`; `unknown_setting` {name} where the policy has no such field,
 * `ambiguous_setting` {name, paths}; `bad_policy` and whatever else opening refuses; `base_mismatch`.
 */
export function whatIf(
  recorded: readonly EvidenceRecord[],
  changes: readonly Change[],
  runId: string,
  options?: KernelOptions,
): Result<Rejection, WhatIf> {
  const parent = rederived(recorded, options);
  const [first] = parent;
  const last = parent.at(-1);
  const genesis = first?.kind === 'genesis' ? (first.payload as Genesis | undefined) : undefined;
  if (
    first === undefined ||
    last === undefined ||
    genesis === undefined ||
    genesis.machine.name !== controller.name
  )
    return err({ code: 'not_a_controller_run', detail: null });
  const policy = withChanges(genesis.policy, changes);
  if (policy._tag === 'Left') return policy;
  const carried = genesis.base !== null && genesis.base.snapshot !== null ? genesis.base.count : 0;
  const base = {
    run_id: genesis.run_id,
    count: parent.length + carried,
    hash: last.record_hash,
    snapshot: null,
  };
  const forked = forkRun(
    controller,
    { run_id: runId, ts_base: genesis.ts_base, policy: policy.right, input: genesis.input, base },
    parent,
    options,
  );
  if (forked._tag === 'Left') return forked;
  const { run, records, leftOver } = forked.right;
  const [before, after] = [roundsIn(parent), roundsIn(records)];
  return ok({
    policy: policy.right,
    before,
    after,
    parts_at: partingOf(before, after),
    unknown: openRequests(run).map(({ id, kind }) => ({ id, kind })),
    left_over: leftOver,
    outcome: run.outcome,
    records,
  });
}

function partingOf(before: readonly RoundSeen[], after: readonly RoundSeen[]): number | null {
  const length = Math.max(before.length, after.length);
  for (let index = 0; index < length; index += 1) {
    if (
      before[index]?.directive !== after[index]?.directive ||
      before[index]?.reason !== after[index]?.reason
    )
      return index + 1;
  }
  return null;
}
