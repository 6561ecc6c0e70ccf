/** Judgements of a sub-task: met, corrected, or failed. Source: 003 §R4a; dec-B7, dec-G3; calls/C6. */
import { cutText, utf8Length, type Context, type Rejection } from '@assay/kernel';
import type { FailureClass } from '../ggs/input.js';
import type { Correction, JudgeBody, Judgement, TaskVerdict } from '../protocol/requests.js';
import { TEXT_MAX, type Criterion, type Verdict } from '../protocol/criteria.js';
import { started, type Step, message } from './asking.js';
import { close, matched, attemptAt } from './closing.js';
import { askStep } from './dispatch.js';
import { describeProgress, getSubTask, type ControllerState } from './state.js';

/**
 * Hears a judgement: all met closes the sub-task as matched, else it is corrected or fails. The judgement
 * fits the criteria: {@link verdictFault}.
 */
export function judged(
  step: Step,
  { subtask: id }: JudgeBody,
  { verdicts, what_was_wrong, what_to_do }: Judgement,
  context: Context,
  depth: number,
): void {
  const unmet = verdicts.filter(({ verdict }) => verdict === 'fail');
  if (unmet.length === 0) return matched(step, id, verdicts);
  const logical = unmet.filter(({ failure_class }) => failure_class === 'logical');
  correct(step, id, {
    reason: 'criteria_unmet',
    class: logical.length > 0 ? 'logical' : 'environmental',
    signal: {
      what_was_wrong: what_was_wrong ?? cutText(unmet[0]?.evidence ?? '', TEXT_MAX),
      what_to_do: what_to_do ?? 'meet the criteria that are unmet',
      calls: listNumbers(unmet),
    },
    verdicts,
    deciding: listNumbers(logical),
    context,
    depth,
  });
}

function listNumbers(verdicts: readonly Verdict[]): readonly number[] {
  return [...new Set(verdicts.flatMap(({ calls }) => calls))];
}

type Correcting = {
  readonly reason: string;
  readonly class: FailureClass;
  readonly signal: Correction;
  readonly verdicts?: readonly Verdict[];
  readonly deciding?: readonly number[];
  readonly context: Context;
  readonly depth: number;
};

/** Has a sub-task done again, or ends it after its last attempt. */
export function correct(
  step: Step,
  id: string,
  { reason, class: failure_class, signal, verdicts, deciding, context, depth }: Correcting,
): void {
  const { attempt, seen } = describeProgress(step.state, id);
  if (attempt >= started(step.state).setup.policy.limits.retries)
    return close(step, id, {
      reason,
      class: failure_class,
      calls: deciding ?? signal.calls,
      ...(verdicts === undefined ? {} : { verdicts }),
    });
  const { calls, digest, bytes } = seen;
  step.emit(
    message('R4a', 'R3', 'CorrectionSignal', {
      ...signal,
      subtask: id,
      attempt,
      failure_class,
      trajectory: attemptAt(attempt, verdicts ?? [], reason),
      seen: {
        calls,
        digest: context.hash({ before: digest, correction: signal }),
        bytes: bytes + utf8Length(signal.what_was_wrong) + utf8Length(signal.what_to_do),
      },
    }),
  );
  askStep(step, id, depth);
}

/** Ends a sub-task whose validator gave no acceptable answer: nothing was judged (dec-G6). */
export function judgeFailed(step: Step, id: string, code: string): void {
  close(step, id, { reason: `validator_${code}`, class: null, calls: [] });
}

/**
 * Why verdicts do not fit the calls of their sub-task: `unknown_call`, or `no_call` where a pass names none and
 * words are not enough. Null where they fit.
 */
export function citedFault(
  state: ControllerState,
  { subtask: id }: JudgeBody,
  verdicts: readonly Verdict[],
): Rejection | null {
  const { calls } = describeProgress(state, id);
  const { words } = getSubTask(state, id);
  for (const { criterion, verdict, calls: named } of verdicts) {
    const n = named.find((number) => number >= calls.length);
    if (n !== undefined) return { code: 'unknown_call', detail: { criterion, n } };
    if (verdict === 'pass' && named.length === 0 && !words) return { code: 'no_call', detail: { criterion } };
  }
  return null;
}

/**
 * Why verdicts do not fit the criteria that were asked about; null where they fit. The first that applies:
 * `unknown_criterion`, `duplicate_verdict`, `missing_verdict`, `no_failure_class` (dec-G3), `class_on_pass`; the
 * detail names the criterion.
 */
export function verdictFault(
  verdicts: readonly Pick<TaskVerdict, 'criterion' | 'verdict' | 'failure_class'>[],
  criteria: readonly Criterion[],
): Rejection | null {
  const given = new Map<string, (typeof verdicts)[number]>();
  for (const verdict of verdicts) {
    const { criterion } = verdict;
    if (!criteria.some(({ id }) => id === criterion))
      return { code: 'unknown_criterion', detail: { criterion } };
    if (given.has(criterion)) return { code: 'duplicate_verdict', detail: { criterion } };
    given.set(criterion, verdict);
  }
  for (const { id } of criteria) {
    const verdict = given.get(id);
    if (verdict === undefined) return { code: 'missing_verdict', detail: { criterion: id } };
    if (verdict.verdict === 'fail' && verdict.failure_class === null)
      return { code: 'no_failure_class', detail: { criterion: id } };
    if (verdict.verdict === 'pass' && verdict.failure_class !== null)
      return { code: 'class_on_pass', detail: { criterion: id } };
  }
  return null;
}
