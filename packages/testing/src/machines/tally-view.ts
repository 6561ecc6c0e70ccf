/**
 * What `tally` shows of a poll: the worked example of a view.
 *
 * @module
 */
import {
  define,
  err,
  field,
  isObject,
  ok,
  type DerivedRecord,
  type Json,
  type Rejection,
  type Result,
} from '@assay/kernel';
import type { Described, Panel, Picture, Row, Turned, View } from '@assay/kernel/view';
import type { TallyEvent, TallyState } from './tally-state.js';

/** What the panels need: a row for each ballot, and how the poll ended. */
type Polled = { readonly rows: readonly Row[]; readonly status: 'success' | 'refused' | null };

/** The view of `tally`. */
export const tallyView: View<TallyState, Polled> = {
  machine: 'tally',
  versions: [1],
  start: () => ({ rows: [], status: null }),
  fold,
  describe,
  show,
  knobs: (_, { quorum }) => [
    { id: 'quorum', label: 'ballots needed', unit: 'count', at: quorum, min: 1, max: 1_000, step: 1 },
  ],
  turn,
  files: () => [],
  next: () => [{ command: 'verify', args: ['{ledger}'] }],
};

function fold({ rows, status }: Polled, record: DerivedRecord, position: number): Polled {
  if (record.kind === 'close') return { rows, status: record.payload.status };
  if (record.kind !== 'decision' || rows.length > ROWS_KEPT) return { rows, status };
  const events = record.payload.events as readonly TallyEvent[];
  const more = events.flatMap((event): readonly Row[] =>
    event.t === 'voted'
      ? [{ record: position, cells: [event.id, 'vote', [{ said: event.option }]], tone: 'plain' }]
      : event.t === 'abstained'
        ? [{ record: position, cells: [event.id, 'no vote', event.code], tone: 'faint' }]
        : [],
  );
  return { rows: more.length === 0 ? rows : [...rows, ...more], status };
}

const ROWS_KEPT = 2_000;

function describe(record: DerivedRecord): Described {
  switch (record.kind) {
    case 'proposal':
      return {
        text: ['answer to ', record.payload.request_id, ' by ', { said: record.payload.proposer }],
        tone: 'plain',
      };
    case 'rejection':
      return { text: `not accepted: ${record.payload.code}`, tone: 'bad' };
    case 'decision':
      return {
        text: (record.payload.events as readonly TallyEvent[]).map(({ t }) => t).join(', '),
        tone: 'plain',
      };
    default:
      return { text: record.kind, tone: 'plain' };
  }
}

function show({ rows, status }: Polled, state: TallyState): Picture {
  const { question, options, quorum, votes, abstained } = state;
  const cast = options.map((option) => ({ option, count: votes.get(option) ?? 0 }));
  const total = cast.reduce((sum, { count }) => sum + count, 0);
  const panels: readonly Panel[] = [
    {
      id: 'votes',
      title: 'Votes',
      says: 'Each option with its ballots.',
      page: 'overview',
      left_out: 0,
      block: {
        t: 'facts',
        rows: [
          ...cast.map(({ option, count }, index) => ({
            record: null,
            name: `option ${index + 1}`,
            value: [{ said: option }, ` ${count}`],
            tone: 'plain' as const,
          })),
          {
            record: null,
            name: 'no vote',
            value: { n: abstained, unit: 'count', exact: null },
            tone: 'faint',
          },
        ],
      },
    },
    {
      id: 'ballots',
      title: 'Ballots',
      says: 'In the order of their answers.',
      page: 'course',
      left_out: 0,
      block: { t: 'table', columns: ['request', 'what', 'option or reason'], rows },
    },
  ];
  return {
    tone: status === 'success' ? 'good' : status === 'refused' ? 'bad' : 'open',
    verdict: status === 'success' ? 'Decided' : status === 'refused' ? 'Refused' : 'Still open',
    subject: `${total} of ${quorum} ballots needed`,
    because: status === 'refused' ? 'fewer ballots than the quorum' : '',
    asked: [{ said: question }],
    panels,
  };
}

function turn(policy: Json, changes: readonly Turned[]): Result<Rejection, Json> {
  const turned: { [key: string]: Json } = isObject(policy) ? { ...policy } : {};
  for (const { id, to } of changes) {
    if (id !== 'quorum' || field(turned, id) === undefined)
      return err({ code: 'unknown_knob', detail: { id } });
    define(turned, id, to);
  }
  return ok(turned);
}
