/**
 * Why a task was abandoned, in one line: the last thing that went wrong by itself. What ends a run is a bound
 * or a planner without another way (`omega`, `no_op_loop`, `planner_gave_up`), and names the last straw;
 * what was not found, not allowed or not confirmed stands in the answers. Source: 003 §9, Law 0.
 *
 * @module
 */
import type { EvidenceRecord } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import type { FinalResult } from '../../index.js';
import { confirmationsIn } from '../roles/confirming.js';
import { eventsIn } from '../records/fields.js';
import { whyNotPerceived } from './not-perceived.js';
import { stoppedAt } from './stopped-at.js';

/** What went wrong. `tool`: of the call, null where nothing was called. */
export type Cause = { readonly tool: string | null; readonly said: string };

const NO_ANSWER = 'no_answer';
const NOT_CONFIRMED = 'not_confirmed';
const ASKED = 'needs_confirmation: ';
/** Said of calls that were not made since an earlier one had failed, or was judged wrongly. */
const FOLLOWS = /^(?:blocked_tool|blocked_target): /;

/**
 * The cause of an abandoned task; null where a role gave up and said no more than its code, where one was
 * never heard, which the reason says, and where the task was not abandoned.
 */
export function causeOf(
  records: readonly EvidenceRecord[],
  { directive, reason, why }: Pick<FinalResult, 'directive' | 'reason' | 'why'>,
): Cause | null {
  if (directive !== 'abandon' || reason === NO_ANSWER || why === NO_ANSWER) return null;
  const refused = records.findLastIndex((record) =>
    eventsIn(record).some(
      (event) =>
        readText(event, 'kind') === 'SubTaskOutcome' &&
        readText(readField(event, 'body'), 'reason') === NOT_CONFIRMED,
    ),
  );
  const failed = stoppedAt(records.slice(refused + 1)).findLast(({ said }) => !FOLLOWS.test(said));
  return (
    failed ??
    (refused < 0 ? null : notConfirmed(records.slice(0, refused + 1))) ??
    stoppedAt(records).at(-1) ??
    givenUp(records)
  );
}

/** What a person did not allow: the call that was held back, in the tool's words, or what was asked about. */
function notConfirmed(records: readonly EvidenceRecord[]): Cause | null {
  const last = confirmationsIn(records, []).lacking.at(-1);
  if (last === undefined) return null;
  const said = records.flatMap(({ kind, payload }) => {
    const value = kind === 'proposal' ? readField(payload, 'value') : null;
    return readText(value, 'target') === last.target && readText(value, 'output').startsWith(ASKED)
      ? readText(value, 'output').slice(ASKED.length)
      : [];
  });
  return { tool: last.tool, said: `${NOT_CONFIRMED}: ${said.at(-1) ?? last.target}` };
}

/**
 * What a role said that gave up, where nothing was called: why no task was understood, or no plan could be
 * made.
 */
function givenUp(records: readonly EvidenceRecord[]): Cause | null {
  const why = whyNotPerceived(records);
  if (why !== null) return { tool: null, said: why };
  const said = records.flatMap(({ kind, payload }) => {
    const detail = kind === 'proposal' ? readField(readField(payload, 'failure'), 'detail') : null;
    const [code, more] = [readText(detail, 'code'), readText(detail, 'detail')];
    return code === '' || more === '' ? [] : [`${code}: ${more}`];
  });
  return said.length === 0 ? null : { tool: null, said: said.at(-1) ?? '' };
}
