/**
 * How a task ended, from its records: its result, its rounds, and what kept it from being done; a task that is over
 * read as an earlier turn of a conversation.
 */
import {
  type EvidenceRecord,
  type JsonObject,
  type Json,
  type Status,
  isObject,
  err,
  ok,
  replayable,
  replayWith,
  runView,
  type Result,
} from '@assay/kernel';
import { listObjects, readField, readText } from '@assay/kernel/shape';
import { nativeSha256 } from '@assay/host';
import {
  roundsIn,
  type FinalResult,
  type RoundSeen,
  type Target,
  type TaskSpec,
  controller,
  SUMMARY_MAX,
  USER_TEXT_MAX,
  type SessionTurn,
} from '../index.js';
import { SESSION_MAX } from '../protocol/criteria.js';
import { confirmationsIn, type Confirmations } from './roles/confirming.js';
import { callsIn, NO_EVIDENCE, subTaskIn, type EvidenceCall } from '../evidence/index.js';
import { withRecord } from '../evidence/evidence.js';
import { CONTROL_RULES } from './roles/players.js';
import { forkedFrom } from '../memory-shell/hand-on.js';

/** The events of a decision; none of another record. */
export function eventsIn({ kind, payload }: EvidenceRecord): readonly JsonObject[] {
  return kind === 'decision' ? listObjects(readField(payload, 'events')) : [];
}

/**
 * A task that ended. `cause`: the last thing that went wrong by itself. `isUnread`: the task is no plan, and the
 * rules were asked what it is.
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
    cause: findCause(records, result),
    stopped_at: status === 'success' ? [] : stoppedAt(records),
    confirmations: confirmationsIn(records, confirmed),
    isUnread: notPerceived(records) === 'not_understood',
  };
}

/** What went wrong. `tool`: of the call, null where nothing was called. */
type Cause = { readonly tool: string | null; readonly said: string };

const NO_ANSWER = 'no_answer';
/** What a person did not allow is said with the confirmations; of a role that was never heard no call says why. */
const NOT_CONFIRMED = 'not_confirmed';
const ASKED = 'needs_confirmation: ';
/** Said of calls that were not made since an earlier one had failed, or was judged wrongly. */
const FOLLOWS = /^(?:blocked_tool|blocked_target): /;

/**
 * The cause of an abandoned task; null where a role gave up and said no more than its code, where one was
 * never heard, which the reason says, and where the task was not abandoned.
 */
export function findCause(
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
  const said = records.flatMap(({ kind, payload }) => {
    const detail = kind === 'proposal' ? readField(readField(payload, 'failure'), 'detail') : null;
    const [code, more] = [readText(detail, 'code'), readText(detail, 'detail')];
    return code === '' || more === '' ? [] : [`${code}: ${more}`];
  });
  return said.length === 0 ? null : { tool: null, said: said.at(-1) ?? '' };
}

/** A call that ended work, and why. */
export type StoppedAt = { readonly tool: string; readonly said: string };

/** Of these the reason says more than the call, which did what was decided. */
const BREACHES: ReadonlySet<string> = new Set(['law1_breach', 'blocked_target_used', 'loop']);

/** The calls at which work failed, each once, in the order of records. */
export function stoppedAt(records: readonly EvidenceRecord[]): readonly StoppedAt[] {
  let evidence = NO_EVIDENCE;
  let move: Json = null;
  const found = records.flatMap((record): readonly StoppedAt[] => {
    evidence = withRecord(evidence, record);
    if (record.kind === 'proposal') move = readField(record.payload, 'value');
    return eventsIn(record).flatMap((event) => {
      const body = readField(event, 'body');
      const reason = readText(body, 'reason');
      if (readText(event, 'kind') !== 'SubTaskOutcome' || readText(body, 'status') !== 'failed') return [];
      const of = subTaskIn(evidence, readText(body, 'subtask'));
      const [first] = listObjects(readField(body, 'calls'));
      const call =
        of === null || first === undefined ? undefined : callsIn(of)[Number(readField(first, 'n'))];
      if (call === undefined || reason === NOT_CONFIRMED || reason.endsWith('_no_answer')) return [];
      return [
        { tool: call.tool, said: BREACHES.has(reason) ? `${reason}: ${call.target}` : sayWhat(call, move) },
      ];
    });
  });
  return found.filter(
    ({ tool, said }, index) =>
      found.findIndex((other) => other.tool === tool && other.said === said) === index,
  );
}

/** What the executor says that gave up, for it saw the call; else what the tool says. */
function sayWhat({ output, status, code, target }: EvidenceCall, move: Json): string {
  const isDone = status === 'ok' || status === 'truncated';
  if (isDone && isObject(move) && readText(move, 't') === 'give_up') return readText(move, 'why');
  return status === 'ok' || output === '' ? `${code ?? status}: ${target}` : output;
}

/** The code of the rules' last answer as perceiver, if that is why the run ended; else null. */
function notPerceived(records: readonly EvidenceRecord[]): string | null {
  const asked = new Set<string>();
  let code: string | null = null;
  for (const { kind, payload } of records) {
    if (kind === 'decision')
      for (const request of listObjects(readField(payload, 'requests')))
        if (readText(request, 'kind') === 'perceive') asked.add(readText(request, 'id'));
    if (kind !== 'proposal' || !isObject(payload) || !asked.has(readText(payload, 'request_id'))) continue;
    const isByRules =
      readText(payload, 'source') === 'rule' && readText(payload, 'proposer') === CONTROL_RULES;
    code = isByRules ? readText(readField(readField(payload, 'failure'), 'detail'), 'code') : null;
  }
  return code === '' ? null : code;
}

/** The task in words, and the earlier turn that it refers to; null if nothing was understood. */
export function taskIn(records: readonly EvidenceRecord[]): Pick<TaskSpec, 'intent' | 'refers_to'> | null {
  for (const record of records) {
    const said = eventsIn(record).find((event) => readText(event, 'kind') === 'TaskSpec');
    if (said === undefined) continue;
    const body = readField(said, 'body');
    const refers_to = readField(body, 'refers_to');
    return { intent: readText(body, 'intent'), refers_to: typeof refers_to === 'number' ? refers_to : null };
  }
  return null;
}

/** Most earlier runs that a task takes. */
export const EARLIER_RUNS_MAX: number = SESSION_MAX;

/**
 * Why a ledger is no task that is over. `other_machine`: `machine` names it. `underivable`: at `record` the
 * controller decides otherwise (`why` is `differs`) or cannot say. `run_open`: more may be answered.
 */
export type NotEnded =
  | { readonly code: 'other_machine'; readonly machine: string }
  | { readonly code: 'underivable'; readonly why: string; readonly record: number }
  | { readonly code: 'run_open' };

/** Derives every decision of a task that is over again. Only where integrity holds. Codes: {@link NotEnded}. */
function requireEnded(records: readonly EvidenceRecord[]): Result<NotEnded, void> {
  const machine = readText(readField(records[0]?.payload, 'machine'), 'name');
  if (machine !== controller.name) return err({ code: 'other_machine', machine });
  const sha256 = nativeSha256;
  const derived = replayWith([replayable(controller, { sha256 })], records, { sha256 });
  if (derived._tag === 'Left')
    return err({ code: 'underivable', why: derived.left.code, record: derived.left.record });
  return records.at(-1)?.kind === 'close' ? ok(undefined) : err({ code: 'run_open' });
}

/**
 * A task as an earlier turn: what was asked, and the summary of its result. Words that refer to an earlier
 * turn themselves are given as the task that was understood. Codes: {@link NotEnded}; `fork` for a what-if,
 * of which nothing happened.
 */
export function earlierTurn(
  records: readonly EvidenceRecord[],
): Result<NotEnded | { readonly code: 'fork'; readonly parent: string }, SessionTurn> {
  const ended = requireEnded(records);
  if (ended._tag === 'Left') return ended;
  const parent = forkedFrom(records);
  if (parent !== null) return err({ code: 'fork', parent });
  const view = runView(records);
  if (view._tag === 'Left')
    return err({ code: 'underivable', why: view.left.code, record: view.left.record });
  const { genesis, artifacts } = view.right;
  const task = taskIn(records);
  const said = task === null || task.refers_to === null ? readText(genesis.input, 'text') : task.intent;
  const summary = readText(artifacts.get('final_result')?.value, 'summary');
  return ok({ input: said.slice(0, USER_TEXT_MAX), summary: summary.slice(0, SUMMARY_MAX) });
}
