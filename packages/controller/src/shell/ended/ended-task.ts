/**
 * How a task ended, from its records: its result, its rounds, and what kept it from being done.
 *
 * @module
 */
import type { EvidenceRecord, Json, Status } from '@assay/kernel';
import { roundsIn, type FinalResult, type RoundSeen, type Target } from '../../index.js';
import { confirmationsIn, type Confirmations } from '../roles/confirming.js';
import { causeOf, type Cause } from './cause.js';
import { notPerceived } from './not-perceived.js';
import { stoppedAt, type StoppedAt } from './stopped-at.js';

/**
 * A task that ended. `cause`: the last thing that went wrong by itself. `isUnread`: the rules know no sentence
 * like the task's.
 */
export type EndedTask = {
  readonly result: FinalResult;
  readonly rounds: readonly RoundSeen[];
  readonly cause: Cause | null;
  readonly stopped_at: readonly StoppedAt[];
  readonly confirmations: Confirmations;
  readonly isUnread: boolean;
};

/** Reads how a closed task ended. `confirmed`: actions allowed beforehand. */
export function endedTask(
  records: readonly EvidenceRecord[],
  { status, artifacts }: { readonly status: Status; readonly artifacts: ReadonlyMap<string, Json> },
  confirmed: readonly Target[],
): EndedTask {
  const result = artifacts.get('final_result') as unknown as FinalResult;
  return {
    result,
    rounds: roundsIn(records),
    cause: causeOf(records, result),
    stopped_at: status === 'success' ? [] : stoppedAt(records),
    confirmations: confirmationsIn(records, confirmed),
    isUnread: notPerceived(records) === 'not_understood',
  };
}
