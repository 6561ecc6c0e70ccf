/** What the panels of a world need, folded from its records. */
import {
  field,
  isArray,
  isObject,
  PersistentMap,
  type DerivedRecord,
  type Genesis,
  type Json,
  type Status,
} from '@assay/kernel';
import type { Row } from '@assay/kernel/view';
import { DEFAULT_CONFIG } from '../config/defaults.js';
import type { Config } from '../config/config.js';
import { computeHoldings, parseConfig } from '../config/resolve.js';
import type { Offer } from '../mechanisms/offers.js';
import type { EcologyEvent } from '../world/events.js';
import { getRunState } from '../world/run-state.js';
import { decode, findLive, type EcologyState } from '../world/state.js';
import { listAuctions, type Auction } from './auctions.js';
import { goOn, isSampleDue, sample, startCourse, type Course } from './course.js';
import { learn, listMovements, type Known } from './movements.js';
import { addTallies, settleTallies, startTallies, type Tallies } from './tally.js';

/** A run so far. */
export type EcologyFold = {
  readonly config: Config;
  /** Open requests by id: what they ask, and of whom. */
  readonly asked: PersistentMap<{ readonly kind: string; readonly agent: string }>;
  /** The value of the answer that the next decision is about, and its request. */
  readonly said: { readonly request: string; readonly value: Json };
  readonly known: Known;
  readonly tallies: Tallies;
  readonly course: Course;
  readonly done: number;
  readonly refused: number;
  readonly offers: { readonly bought: number; readonly returned: number };
  /** By artifact: the scrip of the last offer in which it was sold. */
  readonly sold: PersistentMap<number>;
  readonly verdicts: readonly Row[];
  readonly auctions: readonly Auction[];
  readonly dropped: number;
  readonly status: Status | null;
};

const KEPT_MAX = 2_000;

/** Before the first record. */
export function start({ base, policy }: Genesis): EcologyFold {
  const carried = base?.snapshot ?? null;
  const read = carried === null ? null : decode(carried.machine);
  const state = read?._tag === 'Right' ? read.right : null;
  const parsed = parseConfig(policy);
  const config = state?.config ?? (parsed._tag === 'Right' ? parsed.right : DEFAULT_CONFIG);
  const open = Object.values(carried?.open ?? {});
  return {
    config,
    asked: PersistentMap.from(open.map(({ request }) => [request.id, readAsked(request)] as const)),
    said: { request: '', value: null },
    known: state ?? {
      offers: PersistentMap.empty(),
      resolving: PersistentMap.empty(),
      waiting: PersistentMap.empty(),
      calls: PersistentMap.empty(),
    },
    ...(state === null ? startOf(config) : continueFrom(state)),
    done: 0,
    refused: 0,
    offers: { bought: 0, returned: 0 },
    sold: PersistentMap.empty(),
    verdicts: [],
    auctions: [],
    dropped: 0,
    status: null,
  };
}

function startOf(config: Config): Pick<EcologyFold, 'tallies' | 'course'> {
  const agents = computeHoldings(config)?.agents ?? [];
  const supply = agents.reduce((sum, [, { scrip }]) => sum + scrip, 0);
  const frozen = agents.filter(([, { llm_budget }]) => llm_budget <= config.agents.freeze_threshold_uusd);
  return {
    tallies: startTallies(PersistentMap.from(agents.map(([id, { scrip }]) => [id, scrip] as const))),
    course: startCourse(
      0,
      frozen.map(([id]) => [id, BITS.frozen] as const),
      supply,
    ),
  };
}

const BITS = { active: 0, sleeping: 1, blocked: 2, frozen: 4 } as const;

function continueFrom(state: EcologyState): Pick<EcologyFold, 'tallies' | 'course'> {
  const holders = [...state.accounts].filter(([id]) => findLive(state, id) !== undefined); // any order
  const states = holders.map(([id]) => [id, BITS[getRunState(state, id)]] as const);
  return {
    tallies: startTallies(
      PersistentMap.from(holders.map(([id, { amounts }]) => [id, amounts.scrip] as const)),
    ),
    course: startCourse(state.now_us, states, state.supply),
  };
}

function readAsked({ kind, body }: { readonly kind: string; readonly body: Json }): {
  readonly kind: string;
  readonly agent: string;
} {
  const agent = isObject(body) ? field(body, 'agent') : undefined;
  return { kind, agent: typeof agent === 'string' ? agent : '' };
}

/** One record more. */
export function fold(seen: EcologyFold, record: DerivedRecord, position: number): EcologyFold {
  if (record.kind === 'close') return { ...seen, status: record.payload.status };
  if (record.kind === 'proposal')
    return { ...seen, said: { request: record.payload.request_id, value: record.payload.value } };
  if (record.kind !== 'decision') return seen;
  const events = listEvents(record);
  const actions = listActions(seen);
  const moved = listMovements(seen.known, events, actions);
  const verdicts: Row[] = [];
  let [asked, known, done, refused, offers] = [seen.asked, seen.known, seen.done, seen.refused, seen.offers];
  let { sold } = seen;
  for (const event of events) {
    if (event.t === 'ended' && event.y === 'bought') sold = addSale(sold, known.offers.get(event.i));
    known = learn(known, event);
    if (event.t === 'verdict') verdicts.push(verdictRow(event, position));
    if (event.t === 'did') done += 1;
    if (event.t === 'no') refused += 1;
    if (event.t === 'ended') offers = { ...offers, [event.y]: offers[event.y] + 1 };
  }
  for (const id of [seen.said.request, ...record.payload.withdrawn]) asked = asked.delete(id);
  for (const request of record.payload.requests) asked = asked.set(request.id, readAsked(request));
  const kept = verdicts.length === 0 ? seen.verdicts : [...seen.verdicts, ...verdicts];
  let course = goOn(seen.course, seen.config, events, moved);
  let tallies = addTallies(seen.tallies, events, actions, moved, position);
  if (isSampleDue(course)) {
    tallies = settleTallies(tallies);
    course = sample(course, seen.config, tallies.scrip);
  }
  return {
    ...seen,
    ...{ asked, known, done, refused, offers, sold },
    tallies,
    course,
    verdicts: kept.length > KEPT_MAX ? kept.slice(-KEPT_MAX) : kept,
    auctions: listAuctions(seen.auctions, events, moved, { record: position, at_us: course.now_us }),
    dropped: seen.dropped + Math.max(0, kept.length - KEPT_MAX),
  };
}

function addSale(sold: EcologyFold['sold'], offer: Offer | undefined): EcologyFold['sold'] {
  let after = sold;
  for (const [goods, price] of offer === undefined
    ? []
    : ([
        [offer.give, offer.want],
        [offer.want, offer.give],
      ] as const)) {
    const scrip = price.amounts.reduce(
      (sum, [resource, amount]) => sum + (resource === 'scrip' ? amount : 0),
      0,
    );
    if (scrip > 0) for (const { id } of goods.goods) after = after.set(id, scrip);
  }
  return after;
}

/** The fold with all that it counted in its tables: as it is shown. */
export function settled(seen: EcologyFold): EcologyFold {
  return { ...seen, tallies: settleTallies(seen.tallies) };
}

/** What the next decision acts on: the actions of its answer, or what waited for it and the rest of its list. */
export function listActions({ asked, said, known }: EcologyFold): readonly Json[] {
  const { kind, agent } = asked.get(said.request) ?? { kind: '', agent: '' };
  const waits = kind === 'effect' ? known.waiting.get(agent) : undefined;
  if (waits !== undefined) return [waits.action, ...waits.rest];
  const actions = isObject(said.value) ? field(said.value, 'actions') : undefined;
  if (!isArray(actions)) return [];
  return kind === 'turn' ? actions.map((entry) => (isArray(entry) ? (entry[2] ?? null) : null)) : actions;
}

/** The events of a decision, as this machine made them. */
export function listEvents(record: Extract<DerivedRecord, { kind: 'decision' }>): readonly EcologyEvent[] {
  return record.payload.events as unknown as readonly EcologyEvent[];
}

function verdictRow(
  { k, i, by, y, u, p }: Extract<EcologyEvent, { readonly t: 'verdict' }>,
  record: number,
): Row {
  const fuel = { n: u, unit: 'count', exact: null } as const;
  const cells = [k, i, by, y ? 'allowed' : 'refused', fuel, p];
  return { record, cells, tone: y ? 'good' : 'bad' };
}
