/** What the panels of a memory need, folded from its records. */
import type { DerivedRecord, Genesis, Status } from '@assay/kernel';
import type { Cell, Piece, Row, Tone } from '@assay/kernel/view';
import type { MemoryEvent } from '../memory/state.js';

/** A memory so far: the latest changes and answers, and how many older ones are not kept. */
export type MemoryFold = {
  readonly asked: ReadonlyMap<string, string>;
  readonly changes: readonly Row[];
  readonly oldChanges: number;
  readonly answers: readonly Row[];
  readonly oldAnswers: number;
  readonly status: Status | null;
};

const KEPT_MAX = 2_000;

/** Before the first record. */
export function start({ base }: Genesis): MemoryFold {
  const carried = Object.values(base?.snapshot?.open ?? {});
  return {
    asked: new Map(carried.map(({ request }) => [request.id, request.kind] as const)),
    changes: [],
    oldChanges: 0,
    answers: [],
    oldAnswers: 0,
    status: null,
  };
}

/** One record more. */
export function fold(seen: MemoryFold, record: DerivedRecord, position: number): MemoryFold {
  switch (record.kind) {
    case 'genesis':
    case 'artifact':
      return seen;
    case 'proposal': {
      const { request_id, proposer, source, cites, failure } = record.payload;
      const row: Row = {
        record: position,
        cells: [
          seen.asked.get(request_id) ?? null,
          [{ said: proposer }],
          source,
          cites.length === 0
            ? null
            : cites.flatMap(({ run_id, count }): Piece[] => [{ said: run_id }, ` at ${count} `]),
          failure === null ? null : failure.code,
        ],
        tone: failure === null ? 'plain' : 'bad',
      };
      const [answers, left] = kept([...seen.answers, row]);
      return { ...seen, answers, oldAnswers: seen.oldAnswers + left };
    }
    case 'rejection': {
      const last = seen.answers.at(-1);
      if (last === undefined) return seen;
      const refused: Row = { ...last, cells: [...last.cells.slice(0, -1), record.payload.code], tone: 'bad' };
      return { ...seen, answers: [...seen.answers.slice(0, -1), refused] };
    }
    case 'decision': {
      const asked = new Map(seen.asked);
      for (const { id, kind } of record.payload.requests) asked.set(id, kind);
      for (const id of record.payload.withdrawn) asked.delete(id);
      const events = record.payload.events as unknown as readonly MemoryEvent[];
      const [changes, left] = kept([
        ...seen.changes,
        ...events.flatMap((event) => changeRow(event, position)),
      ]);
      return { ...seen, asked: onlyOpen(asked), changes, oldChanges: seen.oldChanges + left };
    }
    case 'close':
      return { ...seen, status: record.payload.status };
  }
}

function kept(rows: readonly Row[]): readonly [readonly Row[], number] {
  const left = Math.max(0, rows.length - KEPT_MAX);
  return [left === 0 ? rows : rows.slice(left), left];
}

/** Invitations stand again and again: the newest ids are the open ones. */
function onlyOpen(asked: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return asked.size <= OPEN_MAX ? asked : new Map([...asked].slice(-OPEN_MAX));
}

const OPEN_MAX = 128;

/** What became of a tag, and why; nothing for what changes none. */
function changeRow(event: MemoryEvent, record: number): readonly Row[] {
  const row = (
    what: string,
    why: Cell,
    tone: Tone,
    tag: { readonly space: string; readonly entity: string },
  ): readonly Row[] => [{ record, cells: [what, [{ said: tag.space }], [{ said: tag.entity }], why], tone }];
  switch (event.t) {
    case 'promoted':
      return row(
        'promoted',
        event.supersedes === null ? 'a new rule' : 'in place of an older rule',
        'good',
        event,
      );
    case 'demoted':
      return row('demoted', { n: event.others_nano, unit: 'nano', exact: null }, 'bad', event);
    case 'faded':
      return row('faded', { n: event.attention_nano, unit: 'nano', exact: null }, 'faint', event);
    case 'distilling':
      return row('to be promoted', event.polarity.replaceAll('_', ' '), 'open', event);
    case 'undistilled':
      return row('not promoted', event.why.replaceAll('_', ' '), 'faint', event);
    case 'forgotten':
      return row('forgotten', [{ said: event.why }], 'bad', event);
    default:
      return [];
  }
}
