/**
 * What was tried, as a tree: plans, their sub-tasks, calls and criteria with the evidence on each.
 *
 * @module
 */
import type { Branch, Piece, Tone } from '@assay/kernel/view';
import type { Message, Messages } from '../loop/events.js';

const PLANS_MAX = 256;

/** The plans after one message more; the last of them is the one that is worked on. */
export function heard(plans: readonly Branch[], message: Message, record: number): readonly Branch[] {
  switch (message.kind) {
    case 'DispatchManifest':
      return plans.length >= PLANS_MAX ? plans : [...plans, planned(message.body, record)];
    case 'ExecutionResult': {
      const { subtask, attempt, calls } = message.body;
      const made = calls.map(
        ({ tool, input, status }): Branch => ({
          record,
          label: [{ said: tool }, ' ', { said: input }],
          tag: status,
          tone: status === 'ok' ? 'plain' : 'bad',
          note: `attempt ${attempt}`,
          under: [],
        }),
      );
      return inSubtask(plans, subtask, (branch) => ({ ...branch, under: [...branch.under, ...made] }));
    }
    case 'CorrectionSignal': {
      const { subtask, what_was_wrong } = message.body;
      const said: Branch = {
        record,
        label: [{ said: what_was_wrong }],
        tag: 'do it again',
        tone: 'open',
        note: '',
        under: [],
      };
      return inSubtask(plans, subtask, (branch) => ({ ...branch, under: [...branch.under, said] }));
    }
    case 'SubTaskOutcome':
      // R4a's outcome, or the dispatcher's: the same sub-task has one.
      return inSubtask(plans, message.body.subtask, (branch) => ended(branch, message.body, record));
    case 'PlanDirective': {
      const { directive, reason } = message.body.evaluation;
      const last = plans.at(-1);
      const note = `${directive.replaceAll('_', ' ')}: ${reason.replaceAll('_', ' ')}`;
      return last === undefined ? plans : [...plans.slice(0, -1), { ...last, tone: 'open', note }];
    }
    case 'PlanFailure': {
      const { code, why } = message.body;
      const note: readonly Piece[] = why === null ? [] : [{ said: why }];
      return [...plans, { record, label: 'no further plan', tag: code, tone: 'bad', note, under: [] }];
    }
    default:
      return plans;
  }
}

function planned({ round, subtasks }: Messages['DispatchManifest'], record: number): Branch {
  return {
    record,
    label: `plan of round ${round}`,
    tag: 'plan',
    tone: 'plain',
    note: '',
    under: subtasks.map(
      ({ id, intent, criteria }): Branch => ({
        record,
        label: [`${id} `, { said: intent }],
        tag: 'sub-task',
        tone: 'plain',
        note: '',
        under: criteria.map(
          ({ id: criterion, text, hard }): Branch => ({
            record,
            label: [`${criterion} `, { said: text }],
            tag: hard ? 'hard criterion' : 'criterion',
            tone: 'faint',
            note: '',
            under: [],
          }),
        ),
      }),
    ),
  };
}

function ended(branch: Branch, outcome: Messages['SubTaskOutcome'], record: number): Branch {
  const { status, reason, output, verdicts } = outcome;
  const found = new Map(verdicts.map((verdict) => [verdict.criterion, verdict] as const));
  const tone: Tone = status === 'matched' ? 'good' : 'bad';
  return {
    ...branch,
    record,
    tag: status,
    tone,
    note: [reason === null ? '' : `${reason.replaceAll('_', ' ')}: `, { said: output }],
    under: branch.under.map((under): Branch => {
      const verdict = found.get(idOf(under));
      return verdict === undefined
        ? under
        : {
            ...under,
            record,
            tag: `${verdict.verdict}${verdict.failure_class === null ? '' : `, ${verdict.failure_class}`}`,
            tone: verdict.verdict === 'pass' ? 'good' : 'bad',
            note: [{ said: verdict.evidence }],
          };
    }),
  };
}

/** The last plan with one of its sub-tasks changed. */
function inSubtask(
  plans: readonly Branch[],
  subtask: string,
  change: (branch: Branch) => Branch,
): readonly Branch[] {
  const last = plans.at(-1);
  if (last === undefined) return plans;
  const under = last.under.map((branch) => (idOf(branch) === subtask ? change(branch) : branch));
  return [...plans.slice(0, -1), { ...last, under }];
}

/** The machine's id that a label begins with. */
function idOf({ label }: Branch): string {
  const [first] = typeof label === 'string' ? [label] : label;
  return typeof first === 'string' ? first.trimEnd() : '';
}
