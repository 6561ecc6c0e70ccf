/** What the panels of a controller run need, folded from its records. */
import {
  field,
  isObject,
  type DerivedRecord,
  type Genesis,
  type Json,
  type RecordedProposal,
  type Request,
  type Status,
} from '@assay/kernel';
import type { Arrow, Branch, Piece, Row } from '@assay/kernel/view';
import type { GgsEvaluation } from '../ggs/evaluation.js';
import type { ControllerEvent, Message } from '../loop/events.js';
import type { FinalResult } from '../loop/final-result.js';
import { findRow } from '../protocol/requests.js';
import { PARTIES, type Party } from '../protocol/roles.js';
import { stopsIn, happened, turnedAway, type Heard } from './work.js';

/** One evaluation and its record. */
export type Round = { readonly evaluation: GgsEvaluation; readonly record: number };

/** A run so far. `dropped`: messages that are not kept. */
export type ControlFold = {
  readonly request: string | null;
  readonly rounds: readonly Round[];
  readonly plans: readonly Branch[];
  readonly arrows: readonly Arrow[];
  readonly dropped: number;
  /** The open requests. */
  readonly asked: ReadonlyMap<string, Request>;
  /** The answer that is not decided on yet. */
  readonly answer: RecordedProposal | null;
  readonly answers: readonly Row[];
  /** What did not work. */
  readonly stops: readonly Row[];
  readonly result: { readonly content: FinalResult; readonly record: number } | null;
  readonly status: Status | null;
};

/** Who stands in the lanes, in the order of a round. */
export const LANES: readonly Party[] = ['user', 'R1', 'R5', 'R2', 'dispatcher', 'R3', 'R4a', 'R4b', 'R7'];
const KEPT_MAX = 2_000;

/** Before the first record. */
export function start({ input, base }: Genesis): ControlFold {
  const text = isObject(input) ? field(input, 'text') : undefined;
  const carried = Object.values(base?.snapshot?.open ?? {});
  return {
    request: typeof text === 'string' ? text : null,
    rounds: [],
    plans: [],
    arrows: [],
    dropped: 0,
    asked: new Map(carried.map(({ request }) => [request.id, request] as const)),
    answer: null,
    answers: [],
    stops: [],
    result: null,
    status: null,
  };
}

/** One record more. */
export function fold(seen: ControlFold, record: DerivedRecord, position: number): ControlFold {
  switch (record.kind) {
    case 'genesis':
      return seen;
    case 'proposal': {
      const { request_id, proposer, source, failure } = record.payload;
      const kind = seen.asked.get(request_id)?.kind ?? '';
      const heard = { ...seen, answer: record.payload };
      if (kind === 'clock' || seen.answers.length >= KEPT_MAX) return heard;
      const role = findRow(kind)?.role ?? (kind === 'call' ? 'a tool' : 'a person');
      const row: Row = {
        record: position,
        cells: [role, kind, [{ said: proposer }], source, failure === null ? null : failure.code],
        tone: failure === null ? 'plain' : 'bad',
      };
      const stops = [...seen.stops, ...stopsIn(record.payload, kind, position)].slice(0, KEPT_MAX);
      return { ...heard, answers: [...seen.answers, row], stops };
    }
    case 'rejection': {
      const last = seen.answers.at(-1);
      const plans = turnedAway(seen.plans, heardIn(seen), record.payload, position);
      return last === undefined || last.record !== position - 1
        ? { ...seen, plans }
        : {
            ...seen,
            plans,
            answers: [
              ...seen.answers.slice(0, -1),
              { ...last, cells: [...last.cells.slice(0, -1), record.payload.code], tone: 'bad' },
            ],
          };
    }
    case 'decision': {
      const events = record.payload.events as unknown as readonly ControllerEvent[];
      const asked = new Map(seen.asked);
      for (const request of record.payload.requests) asked.set(request.id, request);
      for (const id of record.payload.withdrawn) asked.delete(id);
      for (const event of events) if (event.t === 'answered') asked.delete(event.id);
      const plans = happened(seen.plans, heardIn(seen), events, position);
      return events.reduce<ControlFold>(
        (so, event) => (event.t === 'message' ? hears(so, event, position) : so),
        { ...seen, plans, asked, answer: null },
      );
    }
    case 'artifact':
      return held(seen, record.payload.name, record.payload.content, position);
    case 'close':
      return { ...seen, status: record.payload.status };
  }
}

function heardIn({ answer, asked }: ControlFold): Heard | null {
  const request = answer === null ? undefined : asked.get(answer.request_id);
  return answer === null || request === undefined ? null : { answer, request };
}

function hears(seen: ControlFold, message: Message, position: number): ControlFold {
  const [from, to] = [chooseLane(message.from), chooseLane(message.to)];
  const isKept = from >= 0 && to >= 0 && seen.arrows.length < KEPT_MAX;
  const directive = message.kind === 'PlanDirective' ? `: ${message.body.evaluation.directive}` : '';
  const arrow: Arrow = {
    record: position,
    from,
    to,
    at: position,
    label: `${message.kind}${directive}`,
    tone:
      message.kind === 'PlanFailure' || message.kind === 'PerceptionFailure'
        ? 'bad'
        : message.kind === 'PlanDirective' || message.kind === 'FinalResult'
          ? 'open'
          : 'plain',
  };
  const rounds =
    message.kind === 'PlanDirective'
      ? [...seen.rounds, { evaluation: message.body.evaluation, record: position }]
      : seen.rounds;
  return {
    ...seen,
    rounds,
    arrows: isKept ? [...seen.arrows, arrow] : seen.arrows,
    dropped: seen.dropped + (isKept ? 0 : 1),
  };
}

function chooseLane(party: string): number {
  const known = PARTIES.find((one) => one === party);
  return known === undefined ? -1 : LANES.indexOf(known);
}

function held(seen: ControlFold, name: string, content: Json, record: number): ControlFold {
  switch (name) {
    case 'final_result':
      return { ...seen, result: { content: content as unknown as FinalResult, record } };
    case 'evaluation':
      return {
        ...seen,
        rounds: [...seen.rounds, { evaluation: content as unknown as GgsEvaluation, record }],
      };
    default:
      return seen;
  }
}

/** What an evaluation blocks from now on, in pieces. */
export function blockedBy({ blocked_tools, blocked_targets_added }: GgsEvaluation): readonly Piece[] {
  const blocked = [...blocked_tools, ...blocked_targets_added.map(({ tool, target }) => `${tool} ${target}`)];
  return blocked.length === 0 ? [] : [{ said: blocked.join(', ') }];
}
