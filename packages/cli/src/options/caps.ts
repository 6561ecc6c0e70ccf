/**
 * `--cap` and `--deadline`: what a plan is held against, instead of what its file says.
 *
 * @module
 */
import { measureOf, readQuantity, toRational, type Decimal } from '@assay/kernel/intent';
import type { Plan } from '@assay/planner/schedule';
import { misuse } from '../problems/problem.js';

/** A bound as it is given. */
export type GivenCap = { readonly id: string; readonly op: '<' | '<='; readonly text: string };

const CAP = /^([A-Za-z0-9][A-Za-z0-9_-]{0,63})\s*(<=|<|=)\s*(.+)$/;
const CENTS = 100n;

/** Reads `cost=500usd`, `cost<50000` or `cost<=50000`; `=` is at most. Raises `Stop`: `bad_value`. */
export function capIn(given: string): GivenCap {
  const [, id, op, text] = CAP.exec(given) ?? [];
  if (id === undefined || text === undefined)
    throw misuse(
      'bad_value',
      'this is no cap',
      `--cap ${given}`,
      'give ROW=AMOUNT, such as cost=500usd, or "cost<500usd"',
    );
  return { id, op: op === '<' ? '<' : '<=', text };
}

/** Reads `24h` or `<24h`; a bare number is minutes. */
export function deadlineIn(given: string): GivenCap {
  const [, op, text = ''] = /^(<=|<)?\s*(.*)$/.exec(given) ?? [];
  return { id: 'deadline', op: op === '<' ? '<' : '<=', text };
}

/**
 * An amount in a unit: a bare integer, or a quantity that adds to it (`500usd` is 50,000 cents). Raises `Stop`:
 * `bad_value` where it does not add, or is no whole number of the unit.
 */
export function amountIn(text: string, unit: string, option: string): number {
  const amount = /^\d+$/.test(text) ? BigInt(text) : quantityIn(text, unit);
  if (amount === null || amount < 0n || amount > BigInt(Number.MAX_SAFE_INTEGER))
    throw misuse(
      'bad_value',
      `${text} is no whole amount in ${unit === '' ? 'the unit of this row' : unit}`,
      option,
      'give a whole number, or an amount in a unit that adds to it, such as 500usd or 24h',
    );
  return Number(amount);
}

function quantityIn(text: string, unit: string): bigint | null {
  const read = readQuantity(text) ?? readQuantity(text.toUpperCase());
  if (read === null || read.unit === null || read.op !== '=') return null;
  const own = unitOf(unit);
  const [from, to] = [measureOf(read.unit), own === null ? null : measureOf(own)];
  const cents = /^(?:([a-z]{3}) )?cents?$/i.exec(unit);
  if (from.dimension.startsWith('money_') && cents !== null)
    return cents[1] === undefined || from.dimension === `money_${cents[1].toUpperCase()}`
      ? whole(read.value, CENTS, 1n)
      : null;
  if (to === null || from.dimension !== to.dimension) return null;
  const isExact = [from, to].every(({ low, high }) => low.num === high.num && low.den === high.den);
  return isExact ? whole(read.value, from.low.num * to.low.den, from.low.den * to.low.num) : null;
}

function unitOf(unit: string): string | null {
  const two = `2 ${unit}`;
  return (readQuantity(two) ?? readQuantity(two.toUpperCase()))?.unit ?? null;
}

function whole(value: Decimal, num: bigint, den: bigint): bigint | null {
  const { num: n, den: d } = toRational(value);
  return (n * num) % (d * den) === 0n ? (n * num) / (d * den) : null;
}

/** A plan under other bounds. Raises `Stop`: `bad_value` where it has no such row. */
export function withCaps(plan: Plan, caps: readonly GivenCap[], deadline: GivenCap | null): Plan {
  const unknown = caps.find(({ id }) => !plan.rows.some((row) => row.id === id));
  if (unknown !== undefined)
    throw misuse(
      'bad_value',
      `the plan has no row ${unknown.id}`,
      `--cap ${unknown.id}`,
      plan.rows.length === 0
        ? 'it has no rows at all'
        : `its rows are ${plan.rows.map(({ id }) => id).join(', ')}`,
    );
  const rows = plan.rows.map((row) => {
    const cap = caps.findLast(({ id }) => id === row.id);
    return cap === undefined
      ? row
      : { ...row, op: cap.op, bound: amountIn(cap.text, row.unit, `--cap ${cap.id}`) };
  });
  if (deadline === null) return { ...plan, rows };
  const own = plan.deadline ?? { id: 'deadline', unit: 'minutes', margin: 100_000, isHard: true };
  const bound = amountIn(deadline.text, 'minutes', '--deadline');
  return { ...plan, rows, deadline: { ...own, op: deadline.op, bound } };
}

/** The unit of money: the cent of whatever currency a cap is given in. */
export const MONEY_UNIT = 'cents';

/**
 * A bound on its own, where no plan says in which unit it counts: money in cents, other amounts in the unit
 * they are given in. Raises `Stop`: `bad_value`.
 */
export function boundOf({ id, text }: GivenCap): { readonly unit: string; readonly bound: number } {
  const option = id === 'deadline' ? '--deadline' : `--cap ${id}`;
  if (id === 'deadline') return { unit: 'minutes', bound: amountIn(text, 'minutes', option) };
  const own = /^\d+$/.test(text)
    ? null
    : ((readQuantity(text) ?? readQuantity(text.toUpperCase()))?.unit ?? null);
  const unit = own === null ? '' : measureOf(own).dimension.startsWith('money_') ? MONEY_UNIT : own;
  return { unit, bound: amountIn(text, unit, option) };
}
