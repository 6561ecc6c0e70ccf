/**
 * What is counted of a run, record by record: who worked, who paid whom for what, who was refused, who invoked whom.
 * Tables are persistent; a record touches each row once.
 */
import { PersistentMap, type Json } from '@assay/kernel';
import { readText } from '@assay/kernel/shape';
import type { EcologyEvent } from '../world/events.js';
import {
  describeRefusal,
  nameAction,
  nameMindFault,
  nameRest,
  nameTarget,
  type Movement,
} from './movements.js';

/** What one agent did and earned, milli-scrip. `kinds`: its actions by what they are. */
export type Tally = {
  readonly done: number;
  readonly refused: number;
  readonly made: number;
  readonly earned: number;
  readonly income: number;
  readonly minted: number;
  readonly spent: number;
  readonly kinds: { readonly [kind: string]: number };
  /** The record in which it froze, was blocked or failed last. */
  readonly stuck: number | null;
  /** How its mind failed last, in words; "" where it never did. */
  readonly failure: string;
  /** The record in which its free scrip came to 0 last. */
  readonly broke: number | null;
};

/** Payments that are alike: from whom, to whom, what for. */
export type Paid = {
  readonly from: string;
  readonly to: string;
  readonly why: string;
  readonly times: number;
  readonly amount: number;
  /** The last one. */
  readonly record: number;
};

/** Refusals that are alike. */
export type Refused = {
  readonly agent: string;
  readonly code: string;
  readonly why: string;
  /** What the last one was about: an artifact, an offer, or whom it should pay. */
  readonly what: string;
  readonly times: number;
  readonly record: number;
};

/** What is counted of one decision: how its actions ended, what else happened to agents, what moved. */
type Batch = {
  readonly events: readonly Seen[];
  readonly moved: readonly Movement[];
  readonly record: number;
  readonly before: Batch | null;
};
type Seen =
  | { readonly t: 'did'; readonly a: string; readonly kind: string }
  | {
      readonly t: 'no';
      readonly a: string;
      readonly code: string;
      readonly why: string;
      readonly what: string;
    }
  | { readonly t: 'made' | 'stuck' | 'holds'; readonly a: string }
  | { readonly t: 'failed'; readonly a: string; readonly failure: string }
  | { readonly t: 'ran'; readonly a: string; readonly i: string }
  | { readonly t: 'priced'; readonly a: string; readonly x: number };

/**
 * Everything that is counted by name. Decisions are put into the tables many at once: `waiting` are those that are not
 * there yet, of `count` events and movements.
 */
export type Tallies = {
  readonly waiting: Batch | null;
  readonly count: number;
  /** Free scrip of everybody with standing, by name. */
  readonly scrip: PersistentMap<number>;
  readonly agents: PersistentMap<Tally>;
  readonly paid: PersistentMap<Paid>;
  readonly refused: PersistentMap<Refused>;
  /** Successful invokes by who called and what. */
  readonly invokes: PersistentMap<{ readonly times: number }>;
};

/** Rows of one table; what is new then is counted under no name. */
const ROWS_MAX = 20_000;
const OTHER = 'others';
const MINT = 'the mint';

/** What is counted of whoever did nothing yet. */
export const NOBODY: Tally = {
  done: 0,
  refused: 0,
  made: 0,
  earned: 0,
  income: 0,
  minted: 0,
  spent: 0,
  kinds: {},
  stuck: null,
  failure: '',
  broke: null,
};

/** Events and movements that wait at most. */
const WAITING_MAX = 8_192;

/** Nothing counted yet, of those who hold so much scrip. */
export function startTallies(scrip: PersistentMap<number>): Tallies {
  return { ...NO_TALLIES, scrip };
}

const NO_TALLIES: Omit<Tallies, 'scrip'> = {
  waiting: null,
  count: 0,
  agents: PersistentMap.empty(),
  paid: PersistentMap.empty(),
  refused: PersistentMap.empty(),
  invokes: PersistentMap.empty(),
};

/** The tallies with a decision more. */
export function addTallies(
  before: Tallies,
  events: readonly EcologyEvent[],
  actions: readonly Json[],
  moved: readonly Movement[],
  record: number,
): Tallies {
  const seen: Seen[] = [];
  let at = 0;
  for (const event of events)
    switch (event.t) {
      case 'did':
        seen.push({ t: 'did', a: event.a, kind: kindOf(actions[at] ?? null) });
        at += 1;
        break;
      case 'waits':
        at += 1;
        break;
      case 'no': {
        const action = actions[at] ?? null;
        const op = readText(action, 'op');
        const said = describeRefusal(event.m, event.d);
        const why = op === 'failed' ? said : `${op === 'invoke' ? nameAction(action) : op}: ${said}`;
        seen.push({ t: 'no', a: event.a, code: event.c, why, what: nameTarget(action) });
        at += 1;
        break;
      }
      case 'made':
        seen.push({ t: 'made', a: event.by });
        if (event.s) seen.push({ t: 'holds', a: event.i });
        break;
      case 'froze':
      case 'blocked':
        seen.push({ t: 'stuck', a: event.a });
        break;
      case 'failed':
        if (event.n > 0) seen.push({ t: 'failed', a: event.a, failure: nameMindFault(event.y) });
        break;
      case 'resolved': {
        const rest = new Map<string, number>();
        for (const { why, to, amount } of moved) if (why === nameRest(event.n)) rest.set(to, amount);
        for (const { principal: a, amount } of event.v.bids)
          seen.push({ t: 'priced', a, x: amount - (rest.get(a) ?? 0) });
        break;
      }
      case 'ran':
        seen.push({ t: 'ran', a: event.by, i: event.i });
        break;
      default:
    }
  if (seen.length + moved.length === 0) return before;
  const after = {
    ...before,
    waiting: { events: seen, moved, record, before: before.waiting },
    count: before.count + seen.length + moved.length,
  };
  return after.count < WAITING_MAX ? after : settleTallies(after);
}

/** The tallies with nothing that waits. */
export function settleTallies(tallies: Tallies): Tallies {
  const batches: Batch[] = [];
  for (let batch = tallies.waiting; batch !== null; batch = batch.before) batches.push(batch);
  if (batches.length === 0) return tallies;
  const tables = {
    agents: new Rows(tallies.agents, copyTally),
    refused: new Rows(tallies.refused, copyRow<Refused>),
    paid: new Rows(tallies.paid, copyRow<Paid>),
    invokes: new Rows(tallies.invokes, ({ times }: { times: number } = { times: 0 }) => ({ times })),
  };
  const changes = new Map<string, number>();
  let { scrip } = tallies;
  for (const batch of batches.reverse()) addBatch(tables, scrip, changes, batch);
  for (const [id, change] of changes) scrip = scrip.set(id, (scrip.get(id) ?? 0) + change);
  const { agents, refused, paid, invokes } = tables;
  return {
    waiting: null,
    count: 0,
    scrip,
    ...{ agents: agents.end(), refused: refused.end(), paid: paid.end(), invokes: invokes.end() },
  };
}

type Tables = {
  readonly agents: Rows<Tally, ReturnType<typeof copyTally>>;
  readonly refused: Rows<Refused, Changed<Partial<Refused>>>;
  readonly paid: Rows<Paid, Changed<Partial<Paid>>>;
  readonly invokes: Rows<{ readonly times: number }, { times: number }>;
};

function addBatch(
  { agents, refused, paid, invokes }: Tables,
  scrip: Tallies['scrip'],
  changes: Map<string, number>,
  { events, moved, record }: Batch,
): void {
  const pay = (from: string, to: string, why: string, amount: number): void => {
    if (amount === 0) return;
    if (from !== MINT) agents.at(from).spent += amount;
    const row = paid.at(`${from} ${to} ${why}`);
    const { times, amount: sum } = row;
    Object.assign(row, { from, to, why, record, times: (times ?? 0) + 1, amount: (sum ?? 0) + amount });
  };
  for (const event of events)
    switch (event.t) {
      case 'did': {
        const tally = agents.at(event.a);
        tally.done += 1;
        tally.kinds[event.kind] = (tally.kinds[event.kind] ?? 0) + 1;
        break;
      }
      case 'no': {
        const { a: agent, code, why, what } = event;
        agents.at(agent).refused += 1;
        const row = refused.at(`${agent} ${code} ${why}`);
        Object.assign(row, { agent, code, why, what, record, times: (row.times ?? 0) + 1 });
        break;
      }
      case 'made':
        agents.at(event.a).made += 1;
        break;
      case 'holds':
        changes.set(event.a, changes.get(event.a) ?? 0);
        break;
      case 'stuck':
        agents.at(event.a).stuck = record;
        break;
      case 'failed':
        Object.assign(agents.at(event.a), { stuck: record, failure: event.failure });
        break;
      case 'priced':
        pay(event.a, MINT, 'price of an auction', event.x);
        break;
      case 'ran':
        invokes.at(`${event.a} ${event.i}`).times += 1;
        break;
    }
  for (const { from, to, payer, resource, amount, kind, why } of moved) {
    if (resource !== 'scrip') continue;
    if (from !== null && !from.includes(':')) {
      changes.set(from, (changes.get(from) ?? 0) - amount);
      if (amount > 0 && (scrip.get(from) ?? 0) + (changes.get(from) ?? 0) === 0)
        agents.at(from).broke = record;
    }
    if (to.includes(':')) continue;
    changes.set(to, (changes.get(to) ?? 0) + amount);
    if (kind === 'hold' || kind === 'back') continue;
    const tally = agents.at(to);
    if (kind === 'paid') tally.earned += amount;
    if (kind === 'income') tally.income += amount;
    if (kind === 'minted') tally.minted += amount;
    if (kind === 'paid' && payer !== null) pay(payer, to, why, amount);
    else pay(MINT, to, why.replace(/ of auction \d+$|, auction \d+$/, ''), amount);
  }
}

/** Kinds of action that specialization compares: of what is invoked each method. */
function kindOf(action: Json): string {
  const op = readText(action, 'op');
  return op === 'invoke' ? `${readText(action, 'id')}.${readText(action, 'method')}` : op;
}

type Changed<V> = { -readonly [key in keyof V]: V[key] };

function copyTally(
  tally: Tally = NOBODY,
): Changed<Omit<Tally, 'kinds'>> & { kinds: { [kind: string]: number } } {
  return { ...tally, kinds: { ...tally.kinds } };
}

function copyRow<V>(row?: V): Changed<Partial<V>> {
  return { ...row } as Changed<Partial<V>>;
}

/** A table under change: each row is copied, and put back, once for a record, however often it changes. */
class Rows<V, W> {
  private readonly before: PersistentMap<V>;
  private readonly copy: (row?: V) => W;
  private readonly changed: Map<string, W> = new Map();

  constructor(before: PersistentMap<V>, copy: (row?: V) => W) {
    this.before = before;
    this.copy = copy;
  }

  /** The row of a name, to change. */
  at(key: string): W {
    const known = this.changed.get(key);
    if (known !== undefined) return known;
    const row = this.before.get(key);
    if (row === undefined && this.before.size >= ROWS_MAX && key !== OTHER) return this.at(OTHER);
    const copied = this.copy(row);
    this.changed.set(key, copied);
    return copied;
  }

  end(): PersistentMap<V> {
    let rows = this.before;
    for (const [key, row] of this.changed) rows = rows.set(key, row as unknown as V);
    return rows;
  }
}
