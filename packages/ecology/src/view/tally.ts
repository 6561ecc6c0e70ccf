/**
 * What is counted of a run, record by record: who worked, who paid whom for what, who was refused, who invoked whom.
 * Tables are persistent; a record touches each row once.
 */
import { PersistentMap, type Json } from '@assay/kernel';
import { readText } from '@assay/kernel/shape';
import type { EcologyEvent } from '../world/events.js';
import { nameAction, nameRest, type Movement } from './movements.js';

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
  /** The record in which it froze or was blocked last. */
  readonly stuck: number | null;
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
  /** The last thing that it was refused on. */
  readonly what: string;
  readonly times: number;
  readonly record: number;
};

/** Everything that is counted by name. */
export type Tallies = {
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

const NOBODY: Tally = {
  done: 0,
  refused: 0,
  made: 0,
  earned: 0,
  income: 0,
  minted: 0,
  spent: 0,
  kinds: {},
  stuck: null,
};

/** Nothing counted. */
export const NO_TALLIES: Tallies = {
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
  const agents = new Rows(before.agents, copyTally);
  const refused = new Rows(before.refused, copyRow<Refused>);
  const paid = new Rows(before.paid, copyRow<Paid>);
  const invokes = new Rows(before.invokes, ({ times }: { times: number } = { times: 0 }) => ({ times }));
  const pay = (from: string, to: string, why: string, amount: number): void => {
    if (amount === 0) return;
    if (from !== MINT) agents.at(from).spent += amount;
    const row = paid.at(`${from} ${to} ${why}`);
    const { times, amount: sum } = row;
    Object.assign(row, { from, to, why, record, times: (times ?? 0) + 1, amount: (sum ?? 0) + amount });
  };
  let at = 0;
  for (const event of events)
    switch (event.t) {
      case 'did': {
        const tally = agents.at(event.a);
        const kind = kindOf(actions[at] ?? null);
        tally.done += 1;
        tally.kinds[kind] = (tally.kinds[kind] ?? 0) + 1;
        at += 1;
        break;
      }
      case 'waits':
        at += 1;
        break;
      case 'no': {
        const { a: agent, c: code, m } = event;
        const action = actions[at] ?? null;
        const why = `${readText(action, 'op') === 'invoke' ? nameAction(action) : readText(action, 'op')}: ${m}`;
        at += 1;
        agents.at(agent).refused += 1;
        const row = refused.at(`${agent} ${code} ${why}`);
        const what = readText(action, 'id');
        Object.assign(row, { agent, code, why, what, record, times: (row.times ?? 0) + 1 });
        break;
      }
      case 'made':
        agents.at(event.by).made += 1;
        break;
      case 'froze':
      case 'blocked':
        agents.at(event.a).stuck = record;
        break;
      case 'resolved': {
        const rest = new Map<string, number>();
        for (const { why, to, amount } of moved) if (why === nameRest(event.n)) rest.set(to, amount);
        for (const { principal, amount } of event.v.bids)
          pay(principal, MINT, 'price of an auction', amount - (rest.get(principal) ?? 0));
        break;
      }
      case 'ran':
        invokes.at(`${event.by} ${event.i}`).times += 1;
        break;
      default:
    }
  for (const { to, payer, resource, amount, kind, why } of moved) {
    if (resource !== 'scrip' || kind === 'hold' || kind === 'back' || to.includes(':')) continue;
    const tally = agents.at(to);
    if (kind === 'paid') tally.earned += amount;
    if (kind === 'income') tally.income += amount;
    if (kind === 'minted') tally.minted += amount;
    if (kind === 'paid' && payer !== null) pay(payer, to, why, amount);
    else pay(MINT, to, why.replace(/ of auction \d+$|, auction \d+$/, ''), amount);
  }
  return { agents: agents.end(), paid: paid.end(), refused: refused.end(), invokes: invokes.end() };
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
