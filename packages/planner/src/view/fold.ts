/** What the panels of a planner's run need, folded from its records. */
import { field, isObject, type DerivedRecord, type Genesis, type Json, type Status } from '@assay/kernel';
import type { Row } from '@assay/kernel/view';
import type { PlannerEvent } from '../machine/events.js';

/** A run so far. `plan`, `report`: the artifacts at its end, each with its record. */
export type PlannerFold = {
  readonly goal: string | null;
  /** Kinds of the open requests. */
  readonly asked: ReadonlyMap<string, string>;
  readonly answers: readonly Row[];
  /** Tries, builds, people and repairs, in the order in which they came. */
  readonly growth: readonly Row[];
  readonly dropped: number;
  readonly plan: { readonly content: Json; readonly record: number } | null;
  readonly report: { readonly content: Json; readonly record: number } | null;
  readonly status: Status | null;
  readonly reasons: readonly string[];
};

const KEPT_MAX = 2_000;

/** Before the first record. */
export function start({ input, base }: Genesis): PlannerFold {
  const goal = isObject(input) ? field(input, 'goal') : undefined;
  const carried = Object.values(base?.snapshot?.open ?? {});
  return {
    goal: typeof goal === 'string' ? goal : null,
    asked: new Map(carried.map(({ request }) => [request.id, request.kind] as const)),
    answers: [],
    growth: [],
    dropped: 0,
    plan: null,
    report: null,
    status: null,
    reasons: [],
  };
}

/** One record more. */
export function fold(seen: PlannerFold, record: DerivedRecord, position: number): PlannerFold {
  switch (record.kind) {
    case 'genesis':
      return seen;
    case 'proposal': {
      const { request_id, proposer, source, failure } = record.payload;
      const row: Row = {
        record: position,
        cells: [
          seen.asked.get(request_id) ?? null,
          [{ said: proposer }],
          source,
          failure === null ? null : failure.code,
        ],
        tone: failure === null ? 'plain' : 'bad',
      };
      return kept({ ...seen, answers: [...seen.answers, row] });
    }
    case 'rejection': {
      const last = seen.answers.at(-1);
      if (last === undefined || last.record !== position - 1) return seen;
      const refused: Row = { ...last, cells: [...last.cells.slice(0, -1), record.payload.code], tone: 'bad' };
      return { ...seen, answers: [...seen.answers.slice(0, -1), refused] };
    }
    case 'decision': {
      const events = record.payload.events as unknown as readonly PlannerEvent[];
      const asked = new Map(seen.asked);
      for (const { id, kind } of record.payload.requests) asked.set(id, kind);
      for (const event of events) if (event.t === 'settled') asked.delete(event.id);
      const growth = [...seen.growth, ...events.flatMap((event) => grown(event, position))];
      return kept({ ...seen, asked, growth });
    }
    case 'artifact': {
      const { name, content } = record.payload;
      if (name === 'plan') return { ...seen, plan: { content, record: position } };
      return name === 'report' ? { ...seen, report: { content, record: position } } : seen;
    }
    case 'close':
      return { ...seen, status: record.payload.status, reasons: record.payload.reasons };
  }
}

function kept(seen: PlannerFold): PlannerFold {
  const left = Math.max(0, seen.answers.length - KEPT_MAX) + Math.max(0, seen.growth.length - KEPT_MAX);
  return left === 0
    ? seen
    : {
        ...seen,
        answers: seen.answers.slice(-KEPT_MAX),
        growth: seen.growth.slice(-KEPT_MAX),
        dropped: seen.dropped + left,
      };
}

/** TRY, BUILD, HIRE and what was planned again, as rows; nothing for what is neither. */
function grown(event: PlannerEvent, record: number): readonly Row[] {
  const row = (what: string, node: string, detail: string, tone: Row['tone']): readonly Row[] => [
    { record, cells: [what, [{ said: node }], detail === '' ? null : [{ said: detail }]], tone },
  ];
  switch (event.t) {
    case 'attempt':
      return row(
        event.verdict === 'SAT' ? 'try: holds' : 'try: fails',
        event.node,
        event.failure_mode ?? event.resolver,
        event.verdict === 'SAT' ? 'good' : 'bad',
      );
    case 'gap':
      return row('missing', event.node, event.capability, 'open');
    case 'waits_for':
      return row('build', event.node, event.build, 'open');
    case 'registered':
      return event.resolver.built_by === null
        ? []
        : row('new tool', event.resolver.id, event.resolver.built_by, 'good');
    case 'capability':
      return event.node === null && event.status === 'requested'
        ? []
        : row(`hire: ${event.status}`, event.node ?? '', event.tag, 'open');
    case 'repaired':
      return row(
        event.replan ? 'planned again' : 'repaired',
        event.node,
        event.changes.map((change) => change.join('.')).join(' '),
        'plain',
      );
    case 'reopened':
      return row('opened again', event.node, event.cause, 'open');
    default:
      return [];
  }
}
