/**
 * What was tried, as a tree: plans, their sub-tasks, calls and criteria with the evidence on each; and what did not
 * work: answers that failed, in the words of who gave them, and calls that did not end well.
 */
import { admit, orThrow, type RecordedProposal, type Rejection, type Request } from '@assay/kernel';
import type { Branch, Piece, Tone, Cell, Panel, Row } from '@assay/kernel/view';
import { readText } from '@assay/kernel/shape';
import type { ControllerEvent, Message, Messages } from '../loop/events.js';
import type { CallAnswer, CallBody, DecidingCall, StepAnswer } from '../protocol/requests.js';

const PLANS_MAX = 256;
/** Reasons of an executor that gives a sub-task up. */
const GIVEN_UP: readonly string[] = ['gave_up', 'input_missing'];

/** An answer and what it answers. */
export type Heard = { readonly answer: RecordedProposal; readonly request: Request };

type Plans = readonly Branch[];

/** The plans after one decision more; the last of them is the one that is worked on. */
export function happened(
  plans: Plans,
  given: Heard | null,
  events: readonly ControllerEvent[],
  record: number,
): Plans {
  return events.reduce(
    (so, event) => {
      switch (event.t) {
        case 'message':
          return heard(so, event, record);
        case 'called':
          return under(so, event.subtask, called(event, given, record));
        case 'breached':
          return under(so, event.subtask, {
            ...leaf(record, `call ${event.n} lost what nobody had allowed to be lost`, 'breach of law 1'),
            tone: 'bad',
          });
        default:
          return so;
      }
    },
    moved(plans, given, events, record),
  );
}

/** The plans after a move of an executor was turned away. */
export function turnedAway(
  plans: Plans,
  given: Heard | null,
  { code, detail }: Rejection,
  record: number,
): Plans {
  if (given?.request.kind !== 'step') return plans;
  return under(
    plans,
    readCallBody(given.request).subtask,
    refused(record, code, orThrow(admit(detail)).text),
  );
}

function refused(record: number, code: string, detail: string): Branch {
  return { ...leaf(record, 'turned away', code), tone: 'bad', note: said(detail) };
}

/**
 * What an executor decided on, and why. The last of its attempts that is turned away is no rejection: it ends
 * the sub-task, neither by a claim nor by giving up.
 */
function moved(plans: Plans, given: Heard | null, events: readonly ControllerEvent[], record: number): Plans {
  if (given?.request.kind !== 'step' || given.answer.failure !== null) return plans;
  const { subtask } = readCallBody(given.request);
  const messages = events.filter((event) => event.t === 'message');
  const end = messages.find(({ kind }) => kind === 'SubTaskOutcome');
  const reason = end?.kind === 'SubTaskOutcome' ? (end.body.reason ?? '') : null;
  const isClaimed = messages.some(({ kind }) => kind === 'ExecutionResult');
  if (reason !== null && !isClaimed && !GIVEN_UP.includes(reason))
    return under(plans, subtask, refused(record, reason, ''));
  const move = given.answer.value as unknown as StepAnswer;
  switch (move.t) {
    case 'call': {
      const tools = move.calls.map(({ tool }) => tool).join(', then ');
      return under(plans, subtask, {
        ...leaf(record, ['next: ', { said: tools }], 'step'),
        note: said(move.why),
      });
    }
    case 'done': {
      const on = move.rests_on.length === 0 ? 'no call' : numbers(move.rests_on);
      return under(plans, subtask, {
        ...leaf(record, `says done, rests on ${on}`, 'step'),
        note: said(move.output),
      });
    }
    case 'give_up':
      return under(plans, subtask, {
        ...leaf(record, `gives up${move.call === null ? '' : `, because of call ${move.call}`}`, move.code),
        tone: 'bad',
        note: said(move.why),
      });
  }
}

function called(
  { n, call }: Extract<ControllerEvent, { readonly t: 'called' }>,
  given: Heard | null,
  record: number,
): Branch {
  const { tool, target, status, code } = call;
  const value = given?.answer.value as unknown as CallAnswer | null | undefined;
  // An answer that was not accepted says nothing: the call has its failure as code.
  const answer = value?.status === status && value.code === code ? value : null;
  const confirmed = given?.request.kind === 'call' && readCallBody(given.request).confirmed !== null;
  return {
    ...leaf(
      record,
      [`${n} `, { said: tool }, ' ', { said: target }],
      code === null ? status : `${status}, ${code}`,
    ),
    tone: status === 'ok' ? 'plain' : 'bad',
    note: [
      ...(confirmed ? ['a person allowed it · '] : []),
      ...said(answer?.why ?? ''),
      ...(status === 'ok' ? [`${answer?.output_bytes ?? 0} bytes`] : []),
    ],
  };
}

function heard(plans: Plans, message: Message, record: number): Plans {
  switch (message.kind) {
    case 'DispatchManifest':
      return plans.length >= PLANS_MAX ? plans : [...plans, planned(message.body, record)];
    case 'ConfirmationRequest': {
      const { subtask, n, tool, target, loses, why } = message.body;
      return under(plans, subtask, {
        ...leaf(
          record,
          [`${n} asks a person: `, { said: tool }, ...(target === null ? [] : [' ', { said: target }])],
          why.replaceAll('_', ' '),
        ),
        tone: 'open',
        note: loses === null ? '' : `what would be lost: sha256 ${loses}`,
      });
    }
    case 'Confirmation': {
      const { subtask, n, approved } = message.body;
      return under(plans, subtask, {
        ...leaf(record, `${n} ${approved ? 'is allowed' : 'is not allowed'}`, 'a person'),
        tone: approved ? 'good' : 'bad',
      });
    }
    case 'CorrectionSignal': {
      const { subtask, what_was_wrong, what_to_do, calls } = message.body;
      return under(plans, subtask, {
        ...leaf(record, [{ said: what_was_wrong }], 'do it again'),
        tone: 'open',
        note: [...(calls.length === 0 ? [] : [`shown by ${numbers(calls)} · `]), { said: what_to_do }],
      });
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
  const { status, reason, output, verdicts, calls } = outcome;
  const found = new Map(verdicts.map((verdict) => [verdict.criterion, verdict] as const));
  const tone: Tone = status === 'matched' ? 'good' : 'bad';
  return {
    ...branch,
    record,
    tag: status,
    tone,
    note: [
      reason === null ? '' : `${reason.replaceAll('_', ' ')}: `,
      { said: output },
      ...(calls.length === 0 ? [] : [' · decided by ', { said: calls.map(decidingText).join('; ') }]),
    ],
    under: branch.under.map((under): Branch => {
      const verdict = found.get(readId(under));
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

function decidingText({ n, tool, target, status, code }: DecidingCall): string {
  return `${n} ${tool} ${target} (${code === null ? status : `${status}, ${code}`})`;
}

function numbers(calls: readonly number[]): string {
  return `${calls.length === 1 ? 'call' : 'calls'} ${calls.join(', ')}`;
}

function leaf(record: number, label: Branch['label'], tag: string): Branch {
  return { record, label, tag, tone: 'plain', note: '', under: [] };
}

function said(text: string): readonly Piece[] {
  return text === '' ? [] : [{ said: text }];
}

/** This machine made the request, so its body is of its kind. */
function readCallBody(request: Request): CallBody {
  return request.body as unknown as CallBody;
}

function under(plans: Plans, subtask: string, one: Branch): Plans {
  return inSubtask(plans, subtask, (branch) => ({ ...branch, under: [...branch.under, one] }));
}

/** The last plan with one of its sub-tasks changed. */
function inSubtask(plans: Plans, subtask: string, change: (branch: Branch) => Branch): Plans {
  const last = plans.at(-1);
  if (last === undefined) return plans;
  const under = last.under.map((branch) => (readId(branch) === subtask ? change(branch) : branch));
  return [...plans.slice(0, -1), { ...last, under }];
}

/** The machine's id that a label begins with. */
function readId({ label }: Branch): string {
  const [first] = typeof label === 'string' ? [label] : label;
  return typeof first === 'string' ? first.trimEnd() : '';
}

/** The rows of one answer to a request of a kind. */
export function stopsIn({ value, failure }: RecordedProposal, kind: string, record: number): readonly Row[] {
  const row = (what: Cell, code: Cell, said: string): Row => ({
    record,
    cells: [what, code, said === '' ? null : [{ said }]],
    tone: 'bad',
  });
  if (failure !== null) {
    const { detail } = failure;
    const said = [readText(detail, 'code'), readText(detail, 'detail')].filter((text) => text !== '');
    return [row('answer', failure.code, said.join(': '))];
  }
  const status = readText(value, 'status');
  if (kind !== 'call' || WELL.has(status)) return [];
  const said = readText(value, 'why');
  return [
    row(
      ['call on ', { said: readText(value, 'target') }],
      [{ said: [status, readText(value, 'code')].join(' ').trim() }],
      said === '' ? readText(value, 'output') : said,
    ),
  ];
}

const WELL: ReadonlySet<string> = new Set(['ok', 'truncated']);

/** Everything that did not work, in order; none without any. */
export function stopsPanel(rows: readonly Row[]): readonly Panel[] {
  return rows.length === 0
    ? []
    : [
        {
          id: 'stops',
          title: 'What did not work',
          says: 'Answers that failed and calls that did not end well, in their own words.',
          page: 'decision',
          left_out: 0,
          block: { t: 'table', columns: ['what', 'result', 'said'], rows },
        },
      ];
}
