/** A statement of account: every debit and credit of one holder, each with its record, and the sums checked. */
import type { DerivedRecord, Genesis, Json } from '@assay/kernel';
import { RESOURCES, type Resource } from '../config/config.js';
import type { Amounts } from '../config/resolve.js';
import { fold, listActions, listEvents, start } from './fold.js';
import type { EcologyEvent } from '../world/events.js';
import { listMovements, type Movement } from './movements.js';

/** One debit (below 0) or credit: of what, by whom or to whom, what for, and what there is then. */
export type Entry = {
  readonly record: number;
  readonly amount: number;
  readonly other: string;
  readonly why: string;
  readonly balance: number;
};

/** The account of one resource. `adds_up`: opening and entries give the closing balance that the world has. */
export type AccountOf = {
  readonly resource: Resource;
  readonly opening: number;
  readonly entries: readonly Entry[];
  readonly credits: number;
  readonly debits: number;
  readonly closing: number;
  readonly adds_up: boolean;
};

/**
 * The statement of a holder: of each resource that moved, and of scrip. `records`: of the whole run behind its genesis,
 * derived; `opening` and `closing`: what the holder has in the first and the last state.
 */
export function makeStatement(
  genesis: Genesis,
  records: readonly DerivedRecord[],
  holder: string,
  { opening, closing }: { readonly opening: Amounts; readonly closing: Amounts },
): readonly AccountOf[] {
  const balances = new Map<Resource, number>(RESOURCES.map((resource) => [resource, opening[resource]]));
  const entries = new Map<Resource, Entry[]>();
  let seen = start(genesis);
  for (const [at, record] of records.entries()) {
    const moved =
      record.kind === 'decision' ? listMovements(seen.known, listEvents(record), listActions(seen)) : [];
    for (const { from, to, payer, resource, amount, why } of moved) {
      if (from !== holder && to !== holder) continue;
      const signed = from === holder ? -amount : amount;
      const balance = (balances.get(resource) ?? 0) + signed;
      const giver = payer === holder ? from : (payer ?? from);
      const other = from === holder ? to : (giver ?? 'the mint');
      balances.set(resource, balance);
      const listed = entries.get(resource) ?? [];
      listed.push({ record: at + 1, amount: signed, other, why, balance });
      entries.set(resource, listed);
    }
    seen = fold(seen, record, at + 1);
  }
  return RESOURCES.filter((resource) => resource === 'scrip' || entries.has(resource)).map((resource) => {
    const listed = entries.get(resource) ?? [];
    const sum = (isMeant: (amount: number) => boolean): number =>
      listed.reduce((total, { amount }) => (isMeant(amount) ? total + Math.abs(amount) : total), 0);
    return {
      resource,
      opening: opening[resource],
      entries: listed,
      credits: sum((amount) => amount > 0),
      debits: sum((amount) => amount < 0),
      closing: closing[resource],
      adds_up: balances.get(resource) === closing[resource],
    };
  });
}

/** What a decision acted on and came to. */
export type Followed = {
  readonly actions: readonly Json[];
  readonly events: readonly EcologyEvent[];
  readonly moved: readonly Movement[];
};

/** Follows the records behind a genesis; gives what the last decision among them acted on and came to, null for none. */
export function followActions(genesis: Genesis, records: readonly DerivedRecord[]): Followed | null {
  let seen = start(genesis);
  let last: Followed | null = null;
  for (const [at, record] of records.entries()) {
    if (record.kind === 'decision') {
      const [actions, events] = [listActions(seen), listEvents(record)];
      last = { actions, events, moved: listMovements(seen.known, events, actions) };
    }
    seen = fold(seen, record, at + 1);
  }
  return last;
}
