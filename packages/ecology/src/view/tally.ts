/**
 * What is counted of a run, record by record: who worked, who paid whom for what, who was refused, who invoked whom.
 * Tables are persistent; a record touches each row once.
 */
import { PersistentMap, type Json } from '@assay/kernel';
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
  readonly times: number;
  readonly record: number;
};

/** Everything that is counted by name. */
export type Tallies = {
  readonly agents: PersistentMap<Tally>;
  readonly paid: PersistentMap<Paid>;
  readonly refused: PersistentMap<Refused>;
  /** Successful invokes by who called and what. */
  readonly invokes: PersistentMap<number>;
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
  const agents = new Rows(before.agents);
  const refused = new Rows(before.refused);
  const paid = new Rows(before.paid);
  const invokes = new Rows(before.invokes);
  const add = (id: string, more: (tally: Tally) => Partial<Tally>): void =>
    agents.change(id, (tally = NOBODY) => ({ ...tally, ...more(tally) }));
  const pay = (from: string, to: string, why: string, amount: number): void => {
    if (amount === 0) return;
    if (from !== MINT) add(from, (tally) => ({ spent: tally.spent + amount }));
    paid.change(`${from} ${to} ${why}`, (one) => ({
      ...{ from, to, why, record },
      times: (one?.times ?? 0) + 1,
      amount: (one?.amount ?? 0) + amount,
    }));
  };
  let at = 0;
  for (const event of events)
    switch (event.t) {
      case 'did': {
        const kind = kindOf(actions[at] ?? null);
        at += 1;
        add(event.a, ({ done, kinds }) => ({
          done: done + 1,
          kinds: { ...kinds, [kind]: (kinds[kind] ?? 0) + 1 },
        }));
        break;
      }
      case 'waits':
        at += 1;
        break;
      case 'no': {
        const { a: agent, c: code, m } = event;
        const why = `${nameAction(actions[at] ?? null)}: ${m}`;
        at += 1;
        add(agent, (tally) => ({ refused: tally.refused + 1 }));
        refused.change(`${agent} ${code} ${why}`, (one) => ({
          agent,
          code,
          why,
          times: (one?.times ?? 0) + 1,
          record,
        }));
        break;
      }
      case 'made':
        add(event.by, (tally) => ({ made: tally.made + 1 }));
        break;
      case 'froze':
      case 'blocked':
        add(event.a, () => ({ stuck: record }));
        break;
      case 'resolved': {
        const rest = new Map(
          moved.flatMap(({ why, to, amount }) => (why === nameRest(event.n) ? [[to, amount]] : [])),
        );
        for (const { principal, amount } of event.v.bids)
          pay(principal, MINT, 'price of an auction', amount - (rest.get(principal) ?? 0));
        break;
      }
      case 'ran':
        invokes.change(`${event.by} ${event.i}`, (count = 0) => count + 1);
        break;
      default:
    }
  for (const { to, payer, resource, amount, kind, why } of moved) {
    if (resource !== 'scrip' || kind === 'hold' || kind === 'back' || to.includes(':')) continue;
    if (kind === 'paid') add(to, (tally) => ({ earned: tally.earned + amount }));
    if (kind === 'income') add(to, (tally) => ({ income: tally.income + amount }));
    if (kind === 'minted') add(to, (tally) => ({ minted: tally.minted + amount }));
    pay(
      kind === 'paid' && payer !== null ? payer : MINT,
      to,
      why.replace(/ of auction \d+$|, auction \d+$/, ''),
      amount,
    );
  }
  return { agents: agents.end(), paid: paid.end(), refused: refused.end(), invokes: invokes.end() };
}

/** Kinds of action that specialization compares: of services each method, of others which artifact. */
function kindOf(action: Json): string {
  const name = nameAction(action);
  return name.replace(/^(read|write) .*/, '$1');
}

/** A table under change: each row is read and written once for a record, however often it changes. */
class Rows<V> {
  private readonly before: PersistentMap<V>;
  private readonly changed: Map<string, V> = new Map();

  constructor(before: PersistentMap<V>) {
    this.before = before;
  }

  change(key: string, change: (row: V | undefined) => V): void {
    const known = this.changed.has(key) || this.before.has(key) || this.before.size < ROWS_MAX ? key : OTHER;
    this.changed.set(known, change(this.changed.get(known) ?? this.before.get(known)));
  }

  end(): PersistentMap<V> {
    let rows = this.before;
    for (const [key, row] of this.changed) rows = rows.set(key, row);
    return rows;
  }
}
