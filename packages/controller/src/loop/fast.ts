/**
 * The fast loop: what an executor did is held against the evidence rules, then judged, then corrected or
 * closed. What ends a sub-task at once: a failure, a status `failed`, a stop from outside, and an action
 * nobody confirmed. Source: 003 §R4a, §9 Law 1; dec-B7, dec-B8.
 *
 * @module
 */
import { err, ok, type Context, type Rejection, type Result } from '@assay/kernel';
import type { Execution, Judgement } from '../protocol/answers.js';
import type { ExecuteBody, JudgeBody } from '../protocol/asks.js';
import { EVIDENCE_MAX, TEXT_MAX, type Criterion, type Verdict } from '../protocol/criteria.js';
import { isBlocked } from '../protocol/blocked.js';
import { isDeclared } from '../protocol/declared.js';
import {
  callKind,
  contradictionOf,
  evidenceLine,
  primaryCall,
  type Contradiction,
} from '../protocol/evidence.js';
import type { SubTask } from '../protocol/plan.js';
import { plainPath, type Target, type Tool, type ToolCall } from '../protocol/tools.js';
import { cut } from '../memory/tag.js';
import { ask, started, type Step } from './asking.js';
import { askToConfirm, execute, subTask } from './dispatch.js';
import { message } from './message.js';
import { notDoneAgain, standingAgainst, withFailedActs } from './failed-acts.js';
import { attemptAt, failedOutcome, matchedOutcome, type Failing } from './outcome.js';
import type { CallSeen, FailedAct } from './events.js';

/** Hears an execution: closes the sub-task, corrects it, or has it judged. */
export function executed(
  step: Step,
  body: ExecuteBody,
  execution: Execution,
  context: Context,
  depth: number,
): void {
  const { policy } = started(step.state).setup;
  const { output, status, tool_calls } = execution;
  const subtask = subTask(step, body.subtask);
  const breach = breachOf(body, tool_calls, policy.tools);
  const held = heldBack(step, body, tool_calls);
  const open = notDoneAgain(step.state.progress.get(body.subtask)?.failed_acts ?? [], tool_calls);
  const contradiction =
    breach ??
    (status === 'failed'
      ? null
      : (contradictionOf(tool_calls, policy.tools) ?? standingAgainst(open, tool_calls, policy.tools)));
  const calls = tool_calls.map((call) => callSeen(call, policy.tools, context));
  step.emit(
    message('R3', 'R4a', 'ExecutionResult', {
      subtask: subtask.id,
      attempt: body.attempt,
      status,
      output,
      calls,
      contradiction,
      ...failedActs(open, body, tool_calls, policy.tools),
    }),
  );
  if (breach === null && held.length > 0)
    return askToConfirm(step, subtask, {
      attempt: body.attempt,
      actions: held,
      why: ['irreversible'],
      depth,
    });
  const ending = endingAtOnce(execution, contradiction, policy.tools);
  if (ending !== null) return close(step, subtask, ending);
  if (contradiction === null)
    return ask(step, 'judge', judgeBody(subtask, body.attempt, execution, open), subtask.id, depth);
  const isLast = body.attempt >= policy.limits.retries;
  if (isLast)
    return close(step, subtask, {
      reason: contradiction.code,
      infrastructure: false,
      verdicts: failAll(subtask.criteria, classOf(contradiction), contradiction.line ?? 'no tool was called'),
    });
  const signal = {
    what_was_wrong: wrongOf(contradiction),
    what_to_do: 'do it again in another way, and let a tool show that it was done',
    avoid: [...open.map(({ line }) => line), ...tool_calls.map(evidenceLine)],
  };
  correct(step, subtask, {
    attempt: body.attempt,
    verdicts: [],
    failure_class: classOf(contradiction),
    why: contradiction.code,
    signal,
    depth,
  });
}

/**
 * Hears a judgement: all met closes the sub-task as matched, else it is corrected or fails. The judgement
 * fits the criteria: {@link checkVerdicts}.
 */
export function judged(
  step: Step,
  body: JudgeBody,
  { verdicts, what_was_wrong, what_to_do }: Judgement,
  depth: number,
): void {
  const { policy } = started(step.state).setup;
  const subtask = subTask(step, body.subtask);
  const unmet = verdicts.filter(({ verdict }) => verdict === 'fail');
  if (unmet.length === 0)
    return step.emit(message('R4a', 'R4b', 'SubTaskOutcome', matchedOutcome(step.state, subtask, verdicts)));
  if (body.attempt >= policy.limits.retries)
    return close(step, subtask, { reason: 'criteria_unmet', infrastructure: false, verdicts });
  const first = unmet[0];
  const signal = {
    what_was_wrong: what_was_wrong ?? cut(first?.evidence ?? '', TEXT_MAX),
    what_to_do: what_to_do ?? 'meet the criteria that are unmet',
    avoid: body.tool_calls,
  };
  correct(step, subtask, {
    attempt: body.attempt,
    verdicts,
    failure_class: unmet.some(({ failure_class }) => failure_class === 'logical')
      ? 'logical'
      : 'environmental',
    why: 'criteria_unmet',
    signal,
    depth,
  });
}

/** Ends a sub-task whose executor or validator gave no acceptable answer: nothing was judged (dec-G6). */
export function abandonSubTask(step: Step, id: string, reason: string): void {
  close(step, subTask(step, id), { reason, infrastructure: true, verdicts: [] });
}

/**
 * Holds a judgement against the criteria it was asked for, and gives the verdicts in their order. The first
 * that applies: `unknown_criterion`, `duplicate_verdict`, `missing_verdict`, `no_failure_class` (dec-G3),
 * `class_on_pass`; the detail names the criterion.
 */
export function checkVerdicts<
  V extends { readonly criterion: string; readonly verdict: string; readonly failure_class: string | null },
>(verdicts: readonly V[], criteria: readonly Criterion[]): Result<Rejection, readonly V[]> {
  const given = new Map<string, V>();
  for (const verdict of verdicts) {
    const { criterion } = verdict;
    if (!criteria.some(({ id }) => id === criterion))
      return err({ code: 'unknown_criterion', detail: { criterion } });
    if (given.has(criterion)) return err({ code: 'duplicate_verdict', detail: { criterion } });
    given.set(criterion, verdict);
  }
  for (const { id } of criteria) {
    const verdict = given.get(id);
    if (verdict === undefined) return err({ code: 'missing_verdict', detail: { criterion: id } });
    if (verdict.verdict === 'fail' && verdict.failure_class === null)
      return err({ code: 'no_failure_class', detail: { criterion: id } });
    if (verdict.verdict === 'pass' && verdict.failure_class !== null)
      return err({ code: 'class_on_pass', detail: { criterion: id } });
  }
  return ok(criteria.flatMap(({ id }) => given.get(id) ?? []));
}

type Breach =
  | Contradiction
  | {
      readonly code:
        | 'unknown_tool_used'
        | 'undeclared_tool_used'
        | 'undeclared_target_used'
        | 'blocked_tool_used'
        | 'blocked_target_used'
        | 'unconfirmed_action';
      readonly line: string;
    };

/**
 * What a call did that the plan, the directive or the Laws do not allow: the first breach in the order of the
 * calls.
 */
function breachOf(body: ExecuteBody, calls: readonly ToolCall[], tools: readonly Tool[]): Breach | null {
  for (const call of calls) {
    const breach = breachBy(body, call, tools);
    if (breach !== null) return breach;
  }
  return null;
}

function breachBy(body: ExecuteBody, call: ToolCall, tools: readonly Tool[]): Breach | null {
  const { tool, input, status } = call;
  const line = evidenceLine(call);
  const known = tools.find(({ name }) => name === tool);
  if (known === undefined || !known.available) return { code: 'unknown_tool_used', line };
  // Only a denial says that nothing happened: what timed out, was stopped or ended in an error may have done
  // its harm before.
  if (status !== 'denied' && (call.irreversible || !known.reversible) && !isConfirmed(body, call))
    return { code: 'unconfirmed_action', line };
  if (body.must_not.tools.includes(tool)) return { code: 'blocked_tool_used', line };
  if (isBlocked({ tool, target: input }, body.must_not.targets)) return { code: 'blocked_target_used', line };
  if (!body.uses.some((use) => use.tool === tool)) return { code: 'undeclared_tool_used', line };
  // A look elsewhere changes nothing, and what it shows is evidence; what acts is held to what was looked at
  // before the plan was let through.
  if (callKind(call, tools) === 'act' && !isDeclared({ tool, target: input }, body.uses))
    return { code: 'undeclared_target_used', line };
  return null;
}

/**
 * The acts that failed until now and were not done again; what the plan, the directive or the Laws do not
 * allow is not to be done again, and is none of them.
 */
function failedActs(
  open: readonly FailedAct[],
  body: ExecuteBody,
  calls: readonly ToolCall[],
  tools: readonly Tool[],
): { readonly failed_acts?: readonly FailedAct[] } {
  const failed_acts = withFailedActs(
    open,
    calls.filter((call) => call.status === 'ok' || breachBy(body, call, tools) === null),
    tools,
  );
  return failed_acts.length === 0 ? {} : { failed_acts };
}

/** A person confirms one action on one input; nothing else is covered (003 §9, Law 1). */
function isConfirmed({ confirmed }: ExecuteBody, { tool, input }: ToolCall): boolean {
  const plain = plainPath(input);
  return confirmed.some(
    (action) => action.tool === tool && (action.target === input || plainPath(action.target) === plain),
  );
}

/**
 * Actions that a tool held back because they cannot be undone and nobody had confirmed them. A person is
 * asked once in each attempt.
 */
function heldBack(step: Step, body: ExecuteBody, calls: readonly ToolCall[]): readonly Target[] {
  if (step.state.progress.get(body.subtask)?.held_back === body.attempt) return [];
  const held = calls.filter(
    (call) => call.status === 'denied' && call.irreversible && !isConfirmed(body, call),
  );
  return held.map(({ tool, input }) => ({ tool, target: input }));
}

/** What ends a sub-task without another attempt. */
function endingAtOnce(
  { status, tool_calls }: Execution,
  contradiction: Breach | null,
  tools: readonly Tool[],
): Failing | null {
  if (contradiction?.code === 'unconfirmed_action')
    return { reason: 'unconfirmed_action', infrastructure: true, verdicts: [] };
  if (status === 'failed') return { reason: 'executor_failed', infrastructure: true, verdicts: [] };
  const primary = primaryCall(tool_calls, tools);
  const isStopped = primary !== null && (primary.status === 'timeout' || primary.status === 'interrupted');
  return isStopped ? { reason: `tool_${primary.status}`, infrastructure: true, verdicts: [] } : null;
}

/**
 * A tool that was called and did not get through is the surroundings' doing (003 §R4a: network, permission,
 * file not found); everything else is the approach.
 */
function classOf({ code }: Breach): 'logical' | 'environmental' {
  return code === 'primary_call_failed' ? 'environmental' : 'logical';
}

type Correcting = {
  readonly attempt: number;
  readonly verdicts: readonly Verdict[];
  readonly failure_class: string;
  readonly why: string;
  readonly signal: {
    readonly what_was_wrong: string;
    readonly what_to_do: string;
    readonly avoid: readonly string[];
  };
  readonly depth: number;
};

function correct(
  step: Step,
  subtask: SubTask,
  { attempt, verdicts, failure_class, why, signal, depth }: Correcting,
): void {
  step.emit(
    message('R4a', 'R3', 'CorrectionSignal', {
      ...signal,
      subtask: subtask.id,
      attempt,
      failure_class,
      trajectory: attemptAt(attempt, verdicts, why),
    }),
  );
  execute(step, subtask, { attempt: attempt + 1, correction: signal, depth });
}

function close(step: Step, subtask: SubTask, failing: Failing): void {
  step.emit(message('R4a', 'R4b', 'SubTaskOutcome', failedOutcome(step.state, subtask, failing)));
}

/** What a judge is shown: acts that failed before and were not done again stand first, whoever judges. */
function judgeBody(
  { id, intent, criteria }: SubTask,
  attempt: number,
  { output, tool_calls }: Execution,
  open: readonly FailedAct[],
): JudgeBody {
  return {
    subtask: id,
    intent,
    criteria,
    attempt,
    claim: output,
    tool_calls: [...open.map(({ line }) => line), ...tool_calls.map(evidenceLine)],
  };
}

function failAll(
  criteria: readonly Criterion[],
  failure_class: 'logical' | 'environmental',
  evidence: string,
): readonly Verdict[] {
  return criteria.map(({ id }) => ({
    criterion: id,
    verdict: 'fail',
    failure_class,
    evidence: cut(evidence, EVIDENCE_MAX),
  }));
}

function wrongOf({ code, line }: Breach): string {
  return cut(line === null ? code : `${code}: ${line}`, TEXT_MAX);
}

/** What of a call the state keeps; looks leave no trace in the trail, since looking twice is no loop. */
function callSeen(call: ToolCall, tools: readonly Tool[], context: Context): CallSeen {
  const { tool, input, status, output, digest } = call;
  const triple =
    callKind(call, tools) === 'look' ? null : context.hash({ tool, input, output: digest ?? output });
  return { tool, input, status, triple };
}
