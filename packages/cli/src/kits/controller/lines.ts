/**
 * A task as lines: while it goes on, from what was just recorded; its answer, what it waits for, and what stands beside
 * the result. Source: 002 §R7 `FinalResult`; 003 §9, Law 0; calls/C8, C9, C10.
 *
 * @module
 */
import { readBody, type ConfirmBody } from '@assay/controller';
import { readTarget, type Confirmations, type EndedTask, type StoppedAt } from '@assay/controller/shell';
import {
  field,
  isArray,
  isObject,
  runView,
  type EvidenceRecord,
  type Json,
  type Request,
} from '@assay/kernel';
import { safeJson } from '@assay/views';
import type { Waiting } from '../../start/kit.js';
import { cut, points, show, styled, type Shown, commandLine, textIn, valueIn } from '../../terminal/shown.js';

type RoundSeen = EndedTask['rounds'][number];

const TEXT_POINTS = 100;
const SAID_POINTS = 200;

/**
 * The output of a task that was done, line by line: an answer of the rules, or of a task of which no call changed
 * anything; else none. Each line is set in: none can stand for a line of the command.
 */
export function answerLines(
  records: readonly EvidenceRecord[],
  { directive, output, summary }: EndedTask['result'],
): readonly Shown[] {
  if (directive === 'abandon' || output === null) return [];
  if (!summary.startsWith(ANSWERED) && records.some(hasActed)) return [];
  return (typeof output === 'string' ? output.replace(/\n$/, '') : safeJson(output))
    .split('\n')
    .map((line, at) => show`${at === 0 ? 'answer      ' : '            '}${line}`);
}

function hasActed({ kind, payload }: EvidenceRecord): boolean {
  const events = kind === 'decision' && isObject(payload) ? (field(payload, 'events') ?? null) : null;
  return (isArray(events) ? events : []).some((event) => {
    const call = isObject(event) && field(event, 't') === 'called' ? (field(event, 'call') ?? null) : null;
    return isObject(call) && field(call, 'kind') === 'act' && field(call, 'status') === 'ok';
  });
}

/** How the rules sum up a plan that has an answer. */
const ANSWERED = 'the answer is ';

/** Why a task was abandoned; null where nothing went wrong by itself. */
export function becauseText(cause: EndedTask['cause']): string | null {
  return cause === null
    ? null
    : `${cause.tool === null ? '' : `${cause.tool}: `}${cut(cause.said, SAID_POINTS)}`;
}

/** One line for each call at which work stopped. */
export function stoppedLines(stopped: readonly StoppedAt[]): readonly Shown[] {
  return stopped.map(({ tool, said }) => show`stopped at  ${tool}: ${cut(said, SAID_POINTS)}`);
}

/** Of a task that is no plan: the line that is no call, the nearest plans, and who reads free words. */
export async function nearestLines(
  { cause }: EndedTask,
  records: readonly EvidenceRecord[],
): Promise<readonly Shown[]> {
  const { findNearest } = await import('@assay/proposers/tasks');
  const text = textIn(valueIn(records[0]?.payload ?? null, 'input'), 'text');
  return [
    show`no plan     ${becauseText(cause) ?? ''} (docs/formats/plan-notation.md)`,
    ...findNearest(text).map((plan, index): Shown => {
      return { parts: [{ text: `${(index === 0 ? 'write' : 'or').padEnd(12)}${plan}`, style: null }] };
    }),
    show`or          ask a language model: --proposer llm:PROVIDER/MODEL`,
  ];
}

/** What could be typed to allow what was not, and what was typed in vain. */
export function confirmationLines({ lacking, idle }: Confirmations): readonly Shown[] {
  return [
    ...lacking.map(
      ({ tool, target }, index) =>
        show`${index === 0 ? 'to allow it' : '           '} ${commandLine(['--confirm', `${tool}:${target}`])}`,
    ),
    ...idle.map(
      ({ tool, target }) =>
        show`unused      --confirm ${commandLine([
          `${tool}:${target}`,
        ])}: the run asked about no such action; name the tool and the input exactly`,
    ),
  ];
}

/** One evaluation as a line. */
function roundLine({ round, prev_directive, directive, reason, D, P, Omega, L }: RoundSeen): Shown {
  return show`round ${round}   ${prev_directive} → ${styled('strong', show`${directive}`)}   ${
    reason
  }   L ${points(L.ppm)}   D ${D.exact}   P ${P.exact}   Ω ${points(Omega.ppm)}`;
}

/** The lines that records have to tell while a run goes on: plans, calls, corrections, directives. */
export function liveLines(
  records: readonly EvidenceRecord[],
  rounds: readonly RoundSeen[],
): readonly Shown[] {
  let answer: Json = null;
  const said = records.flatMap(({ kind, payload }): readonly Shown[] => {
    if (kind === 'proposal') answer = valueIn(payload, 'value');
    if (kind === 'rejection') return [show`refused   ${textIn(payload, 'code')}`];
    const events = kind === 'decision' ? valueIn(payload, 'events') : null;
    return (isArray(events) ? events : []).flatMap((event) => eventLines(event, answer));
  });
  return [...said, ...rounds.map(roundLine)];
}

function eventLines(event: Json, answer: Json): readonly Shown[] {
  const of = (key: string): Json => valueIn(event, key);
  switch (of('t')) {
    case 'message':
      return renderMessage(textIn(event, 'kind'), of('body'));
    case 'called':
      return [callLine(Number(of('n')), of('call'), answer)];
    case 'breached':
      return [show`breach    call ${Number(of('n'))} lost something that no person allowed to be lost`];
    default:
      return [];
  }
}

/** `3 read_file essay.txt → 2,140 bytes`, or how it ended. */
function callLine(n: number, call: Json, answer: Json): Shown {
  const status = textIn(call, 'status');
  const bytes = valueIn(answer, 'output_bytes');
  const ended =
    status === 'ok'
      ? `${(typeof bytes === 'number' ? bytes : 0).toLocaleString('en-US')} bytes`
      : [status, textIn(call, 'code')].join(' ').trim();
  return show`${String(n).padStart(4)}      ${textIn(call, 'tool')} ${cut(textIn(call, 'target'), TEXT_POINTS)} → ${ended}`;
}

function renderMessage(kind: string, body: Json): readonly Shown[] {
  switch (kind) {
    case 'TaskSpec':
      return [show`task      ${textIn(body, 'intent')}`];
    case 'DispatchManifest': {
      const subtasks = valueIn(body, 'subtasks');
      return [show`plan      ${isArray(subtasks) ? subtasks.length : 0} sub-tasks`];
    }
    case 'SubTaskOutcome':
      return [
        show`work      ${textIn(body, 'subtask')} ${textIn(body, 'status')}${
          textIn(body, 'reason') === '' ? '' : `: ${textIn(body, 'reason')}`
        }`,
      ];
    case 'ConfirmationRequest':
      return [show`asks      ${textIn(body, 'tool')} ${textIn(body, 'target')}: ${textIn(body, 'why')}`];
    case 'CorrectionSignal':
      return [show`again     ${textIn(body, 'subtask')}: ${textIn(body, 'what_was_wrong')}`];
    default:
      return [];
  }
}

const WHY: Readonly<Record<ConfirmBody['why'], string>> = {
  irreversible: 'this cannot be undone',
  caution: 'this went wrong before',
  needs_confirmation: 'this needs your permission',
};

/** What a person is asked to allow. */
export function confirmText(body: ConfirmBody): string {
  const { tool, target } = readTarget(body);
  return `allow ${tool} ${target}? ${WHY[body.why]}`;
}

/** Why a task cannot go on by itself. `confirmed`: what was allowed already. */
export function waitingFor(
  open: readonly Request[],
  records: readonly EvidenceRecord[],
  confirmed: readonly string[],
): Waiting {
  const asked = open.flatMap(({ body }) => readBody('confirm', body) ?? []);
  const actions = asked.map(readTarget);
  const said = asked.map((body, at) => {
    const { tool, target } = actions[at] ?? { tool: '', target: '' };
    const held = heldWith(records, body);
    return held === null ? `${tool} ${target}` : `${tool} (${held})`;
  });
  const options = actions.map(({ tool, target }) => `${tool}:${target}`);
  return {
    said:
      said.length === 0 ? open.map(({ kind }) => kind).join(', ') : `a person to allow ${said.join('; ')}`,
    place: options.join(' '),
    again: { confirm: [...new Set([...confirmed, ...options])] },
  };
}

/** What the tool of this very target said that would lose this, without its code. */
function heldWith(
  records: readonly EvidenceRecord[],
  { target, loses }: Pick<ConfirmBody, 'target' | 'loses'>,
): string | null {
  const view = runView(records);
  if (view._tag === 'Left') return null;
  const { answers, requests } = view.right;
  const said = [...answers].flatMap(([id, given]) =>
    requests.get(id)?.value.kind !== 'call'
      ? []
      : given.flatMap(({ proposal: { value } }) =>
          textIn(value, 'code') === 'needs_confirmation' &&
          textIn(value, 'loses') === (loses ?? '') &&
          textIn(value, 'target') === target
            ? [textIn(value, 'output') || textIn(value, 'why')]
            : [],
        ),
  );
  return said.at(-1)?.replace(/^needs_confirmation: /, '') ?? null;
}
