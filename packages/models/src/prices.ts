/**
 * What tokens cost: a table that the user keeps, in whole micro-units of money. Nothing here is looked up
 * anywhere.
 *
 * Format `assay-prices/0`: {format, as_of, currency, prices: [{provider, model, input, output}]}; `input` and
 * `output` are micro-units of the currency for a million tokens, so 3,000,000 is 3.00 for a million.
 *
 * @module
 */
import {
  err,
  isArray,
  isObject,
  ok,
  type Json,
  type JsonObject,
  type Result,
  type Spent,
} from '@assay/kernel';
import type { Usage } from './reply.js';

/** Version of the table's shape. */
export const PRICES_FORMAT = 'assay-prices/0';

/** Price of one model, in micro-units for a million tokens. */
type Price = {
  readonly provider: string;
  readonly model: string;
  readonly input: number;
  readonly output: number;
};

/** A table, read and checked. `asOf`: the day it is of, as written. `currency`: three lower-case letters. */
export type PriceTable = {
  readonly asOf: string;
  readonly currency: string;
  readonly prices: readonly Price[];
};

/**
 * Why a file is no table: `shape`, `number` (not a whole number from 0 to 10^12) or `duplicate`, at a JSON
 * pointer.
 */
type PriceTableError = { readonly code: 'shape' | 'number' | 'duplicate'; readonly path: string };

/** Greatest price, in micro-units for a million tokens. */
export const PRICE_MAX = 1_000_000_000_000;

/** A day of the calendar, as YYYY-MM-DD. */
function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day >= 1 && day <= days;
}

/** Reads a table from parsed JSON. Total; the first fault in file order is named. */
export function parsePrices(value: Json): Result<PriceTableError, PriceTable> {
  if (!isObject(value) || Object.keys(value).length !== 4 || value['format'] !== PRICES_FORMAT)
    return fault('shape', '');
  const { as_of: asOf, currency, prices: rows } = value;
  if (typeof asOf !== 'string' || !isDay(asOf)) return fault('shape', '/as_of');
  if (typeof currency !== 'string' || !/^[a-z]{3}$/.test(currency)) return fault('shape', '/currency');
  if (!isArray(rows)) return fault('shape', '/prices');
  const prices: Price[] = [];
  for (const [index, row] of rows.entries()) {
    const price = readRow(row, `/prices/${index}`);
    if (price._tag === 'Left') return price;
    if (
      prices.some(({ provider, model }) => provider === price.right.provider && model === price.right.model)
    )
      return fault('duplicate', `/prices/${index}`);
    prices.push(price.right);
  }
  return ok({ asOf, currency, prices });
}

/** What tokens are counted in, and money where there is a price: `usd_micros` and the like. */
export type Meter = { readonly price: Price | null; readonly moneyUnit: string | null };

/** A meter for one model; without a table, or a price in it, tokens alone are counted. */
export function makeMeter(table: PriceTable | null, provider: string, model: string): Meter {
  const price = table?.prices.find((each) => each.provider === provider && each.model === model);
  return table === null || price === undefined
    ? { price: null, moneyUnit: null }
    : { price, moneyUnit: `${table.currency}_micros` };
}

/**
 * What is spent for tokens: those that are known, and money where all are. Money is rounded up to a whole
 * micro-unit.
 */
export function spentFor({ price, moneyUnit }: Meter, { input, output }: Usage): Spent {
  const money =
    price === null || moneyUnit === null || input === null || output === null
      ? {}
      : { [moneyUnit]: moneyFor(price, input, output) };
  return {
    ...(input === null ? {} : { input_tokens: input }),
    ...(output === null ? {} : { output_tokens: output }),
    ...money,
  };
}

function moneyFor(price: Price, input: number, output: number): number {
  const micros = BigInt(input) * BigInt(price.input) + BigInt(output) * BigInt(price.output);
  const whole = (micros + 999_999n) / 1_000_000n;
  return Number(whole > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : whole);
}

function readRow(row: Json, path: string): Result<PriceTableError, Price> {
  if (!isObject(row) || Object.keys(row).length !== 4) return fault('shape', path);
  const { provider, model } = row;
  if (typeof provider !== 'string' || provider === '') return fault('shape', `${path}/provider`);
  if (typeof model !== 'string' || model === '') return fault('shape', `${path}/model`);
  const [input, output] = [amountIn(row, 'input'), amountIn(row, 'output')];
  if (input === null) return fault('number', `${path}/input`);
  return output === null ? fault('number', `${path}/output`) : ok({ provider, model, input, output });
}

function amountIn(row: JsonObject, key: string): number | null {
  const amount = row[key];
  return typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0 && amount <= PRICE_MAX
    ? amount
    : null;
}

function fault(code: PriceTableError['code'], path: string): Result<PriceTableError, never> {
  return err({ code, path });
}
