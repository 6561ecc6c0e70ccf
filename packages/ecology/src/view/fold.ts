/** What the panels of a world need, folded from its records. */
import type { DerivedRecord, Genesis, Status } from '@assay/kernel';
import type { Row } from '@assay/kernel/view';
import type { EcologyEvent } from '../world/events.js';

/** A run so far: what was done and refused, what contracts said, how auctions ended. */
export type EcologyFold = {
  /** Kinds of the open requests, by id. */
  readonly asked: ReadonlyMap<string, string>;
  readonly done: number;
  readonly refused: number;
  readonly refusals: readonly Row[];
  readonly verdicts: readonly Row[];
  readonly auctions: readonly Row[];
  readonly dropped: number;
  readonly status: Status | null;
};

const KEPT_MAX = 2_000;

/** Before the first record. */
export function start({ base }: Genesis): EcologyFold {
  const carried = Object.values(base?.snapshot?.open ?? {});
  return {
    asked: new Map(carried.map(({ request }) => [request.id, request.kind] as const)),
    done: 0,
    refused: 0,
    refusals: [],
    verdicts: [],
    auctions: [],
    dropped: 0,
    status: null,
  };
}

/** One record more. */
export function fold(seen: EcologyFold, record: DerivedRecord, position: number): EcologyFold {
  if (record.kind === 'close') return { ...seen, status: record.payload.status };
  if (record.kind !== 'decision') return seen;
  const events = listEvents(record);
  const asked = new Map(seen.asked);
  for (const { id, kind } of record.payload.requests) asked.set(id, kind);
  const refusals = [...seen.refusals, ...events.flatMap((event) => refusalRow(event, position))];
  const verdicts = [...seen.verdicts, ...events.flatMap((event) => verdictRow(event, position))];
  const left = Math.max(0, refusals.length - KEPT_MAX) + Math.max(0, verdicts.length - KEPT_MAX);
  return {
    ...seen,
    asked,
    done: seen.done + events.filter(({ t }) => t === 'did').length,
    refused: seen.refused + events.filter(({ t }) => t === 'no').length,
    refusals: refusals.slice(-KEPT_MAX),
    verdicts: verdicts.slice(-KEPT_MAX),
    auctions: [...seen.auctions, ...events.flatMap((event) => auctionRow(event, position))].slice(-KEPT_MAX),
    dropped: seen.dropped + left,
  };
}

/** The events of a decision, as this machine made them. */
export function listEvents(record: Extract<DerivedRecord, { kind: 'decision' }>): readonly EcologyEvent[] {
  return record.payload.events as unknown as readonly EcologyEvent[];
}

function refusalRow(event: EcologyEvent, record: number): readonly Row[] {
  if (event.t !== 'no') return [];
  return [{ record, cells: [[{ said: event.a }], event.c, event.m], tone: 'bad' }];
}

function verdictRow(event: EcologyEvent, record: number): readonly Row[] {
  if (event.t !== 'verdict') return [];
  const { k, i, by, y, u, p } = event;
  const fuel = { n: u, unit: 'count', exact: null } as const;
  const cells = [
    [{ said: k }],
    [{ said: i }],
    [{ said: by }],
    y ? 'allowed' : 'refused',
    fuel,
    [{ said: p }],
  ];
  return [{ record, cells, tone: y ? 'good' : 'bad' }];
}

function auctionRow(event: EcologyEvent, record: number): readonly Row[] {
  if (event.t !== 'resolved' || event.v.bids.length === 0) return [];
  const { bids, price, winners, missed } = event.v;
  const count = (n: number) => ({ n, unit: 'count', exact: null }) as const;
  const names = winners.map(({ principal }) => principal).join(', ');
  return [
    {
      record,
      cells: [count(event.n), count(bids.length), [{ said: names }], count(price), count(missed)],
      tone: 'plain',
    },
  ];
}
