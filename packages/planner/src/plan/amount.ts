/**
 * Amounts as people write them, counted in whole units of a plan: `12.50 EUR` is 1,250 `EUR cents`, `2 days` so many
 * `minutes` as two days of the plan have.
 */
import { err, ok, type Result } from '@assay/kernel';
import { countEdits } from '@assay/kernel/shape';
import {
  countDecimals,
  findMeasure,
  MONEY,
  readQuantity,
  toRational,
  type Decimal,
  type Op,
} from '@assay/kernel/intent';

/** Why an amount is not taken; `detail`: a sentence that says what to write. */
export type AmountFault = {
  readonly code: 'bad_quantity' | 'currency_differs' | 'unknown_currency' | 'not_integer';
  readonly detail: string;
};

/** What was read: how it bounds, and the parts that add up to it, as in `2 days 4 hours`. */
export type Amount = {
  readonly op: Op;
  readonly parts: readonly { readonly value: Decimal; readonly unit: string }[];
};

const AMOUNT_UNITS = 100;
/** The dimension of cents that name no currency. */
const CENTS = 'money_';
const TIMES = ['minutes', 'hours', 'days', 'weeks'];
const WRITE_TIME = 'write a time such as 90 min, 4h, 2 days or 2 weeks';

/** Reads an amount with its unit, in any case of its currency: `20,000 EUR`, `500usd`, `< 4h`, `2 days 4 hours`. */
export function readAmount(text: string): Result<AmountFault, Amount> {
  // A day of a plan need not have 24 hours, so parts are counted each on its own.
  const said = text.length > AMOUNT_UNITS ? [] : text.split(/(?<=\d\s*[a-z]+)[\s,]*(?:and\s+)?(?=\d)/i);
  const read = said.map((part) => readQuantity(part) ?? readQuantity(withCodes(part)) ?? readCents(part));
  const parts = read.flatMap((each, index) =>
    each === null || each.unit === null || (index > 0 && each.op !== '=')
      ? []
      : [{ value: each.value, unit: each.unit }],
  );
  if (parts.length > 0 && parts.length === said.length) return ok({ op: read[0]?.op ?? '=', parts });
  const [, before, behind] = /^([a-z]{3}) *\d|\d *([a-z]{3})$/i.exec(text) ?? [];
  const code = withCodes(before ?? behind ?? '');
  return code === '' || MONEY.includes(code)
    ? bad(`${quote(text)} is no amount: write a number and its unit, such as 12.50 EUR or 2 days`)
    : err({ code: 'unknown_currency', detail: sayUnknown(code) });
}

function sayUnknown(code: string): string {
  const known = MONEY.join(' ');
  return `${code} is no currency known here (${known}); another unit is written unit: ${code}, with whole numbers`;
}

/** `114000 USD cents`. */
function readCents(part: string): ReturnType<typeof readQuantity> {
  const [, amount = '', code = ''] = /^(.*\d) *([a-z]{3}) cents$/i.exec(part) ?? [];
  const read = amount === '' ? null : readQuantity(`${amount} ${withCodes(code)}`);
  const { n, scale } = read?.value ?? { n: 0, scale: 0 };
  return read === null ? null : { ...read, value: { n, scale: scale + 2 } };
}

/** Words of three letters in capitals, as codes of currencies are. */
function withCodes(text: string): string {
  return text.replace(/(?<![a-z])[a-z]{3}(?![a-z])/gi, (code) => code.toUpperCase()); // ascii
}

/** The smallest unit in which an amount is counted: `EUR cents`, `JPY`, `minutes`, or its own. */
export function findCountUnit({ parts }: Amount, text: string): string {
  const { unit = '' } = parts[0] ?? {};
  const decimals = countDecimals(unit);
  if (decimals !== null) return decimals === 0 ? unit : `${unit} cents`;
  if (['min', 'h', 'd', 'week'].includes(unit)) return 'minutes';
  if (unit === '%') return 'percent';
  return /\d\s*([^\d\s]\D*)$/.exec(text)?.[1]?.trim() ?? unit;
}

/** How many of a unit an amount is, where that is a whole number. `hours`: of a day. */
export function countAmount(
  { parts }: Pick<Amount, 'parts'>,
  unit: string,
  hours: number,
  text: string,
): Result<AmountFault, number> {
  const to = findScale(unit, hours);
  let total = 0n;
  for (const part of parts) {
    const from = scaleOf(part.unit, hours);
    if (from === null || to === null || from.dimension !== to.dimension) return differ(text, from, unit, to);
    const { num, den } = toRational(part.value);
    const [up, down] = [num * from.num * to.den, den * from.den * to.num];
    if (up % down !== 0n)
      return err({ code: 'not_integer', detail: `${quote(text)} is no whole number of ${unit}` });
    total += up / down;
  }
  const count = Number(total);
  return Number.isSafeInteger(count) ? ok(count) : bad(`${quote(text)} is too much`);
}

/** How much one of a unit is. */
type Scale = { readonly dimension: string; readonly num: bigint; readonly den: bigint };

/** The scale of a unit as plans name it: `EUR cents`, `minutes`, `usd`, `seats`. */
function findScale(unit: string, hours: number): Scale | null {
  const [, code] = /^([A-Za-z]{3}) cents$/.exec(unit) ?? [];
  if (code !== undefined) return { dimension: `${CENTS}${withCodes(code)}`, num: 1n, den: 100n };
  const two = `2 ${unit}`;
  const read = readQuantity(two) ?? readQuantity(withCodes(two));
  const isUnit = read !== null && read.op === '=' && read.value.n === 2 && read.value.scale === 0;
  return isUnit ? scaleOf(read.unit ?? '', hours) : null;
}

/** The scale of a unit of the kernel; null for months, which have no fixed number of days. */
function scaleOf(unit: string, hours: number): Scale | null {
  if (unit === 'cent') return { dimension: CENTS, num: 1n, den: 100n };
  const { dimension, low, high, offset } = findMeasure(unit);
  if (low.num !== high.num || low.den !== high.den) return null;
  const isDay = unit === 'd' || unit === 'week';
  return {
    dimension: offset.num === 0n ? dimension : unit,
    num: low.num * BigInt(isDay ? hours : 24),
    den: low.den * 24n,
  };
}

/** The currency of a dimension, `cents` where those name none; null of what is no money. */
function findCurrency(dimension: string): string | null {
  const [, code] = /^money_([A-Z]*)$/.exec(dimension) ?? [];
  return code === undefined ? null : code || 'cents of a currency that is not named';
}

function differ(
  text: string,
  from: Scale | null,
  unit: string,
  to: Scale | null,
): Result<AmountFault, never> {
  const [own, other] = [findCurrency(from?.dimension ?? ''), findCurrency(to?.dimension ?? '')];
  if (own !== null && other !== null)
    return err({
      code: 'currency_differs',
      detail: `${quote(text)} is in ${own}, and this counts in ${other}: write it in ${other}`,
    });
  if (to?.dimension !== 'time')
    return bad(`${quote(text)} does not count in ${unit === '' ? 'the unit of this' : unit}`);
  const [, word = ''] = /([a-z]+)\W*$/i.exec(text) ?? [];
  const near = TIMES.find((time) => countEdits(word, time) === 1);
  return bad(`${quote(text)} is no time: ${near === undefined ? WRITE_TIME : `did you mean ${near}?`}`);
}

function bad(detail: string): Result<AmountFault, never> {
  return err({ code: 'bad_quantity', detail });
}

/** A text as a message shows it. */
function quote(text: string): string {
  return `"${text.length > AMOUNT_UNITS ? `${text.slice(0, AMOUNT_UNITS)}…` : text}"`;
}
