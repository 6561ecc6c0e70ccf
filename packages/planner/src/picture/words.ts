/** Numbers, units, dates and choices of a plan in words. */
import type { Cell, Fact, Panel, Piece, Text, Tone } from '@assay/kernel/view';
import type { RollupLine } from '../rollup/rollup.js';
import { countDays, renderDay } from '../plan/dates.js';
import { TOTAL_MAX, DAY_HOURS, type Held, type Operator, type Plan } from '../plan/plan.js';

const MILLION = 1_000_000n;
/** A unit of these is shown as it is; others are quoted. */
const PLAIN_UNIT = /^[A-Za-z][A-Za-z ]{0,19}$/;
const SYMBOLS: Readonly<Record<string, string>> = { EUR: '€', USD: '$', GBP: '£', JPY: '¥' };
const CENTS = 100;
const HOUR = 60;

/** `58500` as `58,500`. */
export function grouped(n: number | bigint): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/**
 * A figure in the unit of its constraint, as people write it: `€1,020.50` of `EUR cents`, `13 h 48 min` of `minutes`.
 * A unit that is the constraint's own name is left out. `hours`: of a day.
 */
export function figure(
  n: number,
  { id, unit }: Pick<Held, 'id' | 'unit'>,
  hours: number = DAY_HOURS,
): readonly Piece[] {
  const [, letters = '', cents] = /^([A-Za-z]{3})( cents)?$/.exec(unit) ?? [];
  const code = letters.toUpperCase(); // ascii
  if (cents !== undefined || Object.hasOwn(SYMBOLS, code)) return [renderMoney(n, code, cents !== undefined)];
  if (unit === 'minutes') return [renderMinutes(n, hours)];
  if (unit === 'hours') return [renderMinutes(n * HOUR, hours)];
  if (unit === '' || unit === id) return [grouped(n)];
  return PLAIN_UNIT.test(unit) ? [`${grouped(n)} ${unit}`] : [`${grouped(n)} `, { said: unit }];
}

function renderMoney(n: number, code: string, isCents: boolean): string {
  const [whole, rest] = isCents ? [Math.floor(n / CENTS), n % CENTS] : [n, 0];
  const sign = SYMBOLS[code] ?? `${code} `;
  return `${sign}${grouped(whole)}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`;
}

/** An amount as a person types it in a command: `1140.50USD` of `USD cents`. */
export function typeAmount(n: number, unit: string, hours: number): string {
  if (unit === 'minutes') return renderMinutes(n, hours);
  const [, code] = /^([A-Z]{3}) cents$/.exec(unit) ?? [];
  if (code === undefined) return String(n);
  return `${Math.floor(n / CENTS)}${n % CENTS === 0 ? '' : `.${String(n % CENTS).padStart(2, '0')}`}${code}`;
}

/** Hours of a day where so many minutes are told: in days once they pass two, else infinite. */
export function chooseHours(minutes: number, hoursPerDay: number): number {
  return minutes > 2 * HOUR * hoursPerDay ? hoursPerDay : Number.POSITIVE_INFINITY;
}

/** Minutes as `45 min`, `13 h 48 min` or `6 days 4 h`. `hours`: of a day; infinite where no days are counted. */
export function renderMinutes(minutes: number, hours: number = DAY_HOURS): string {
  const days = Math.floor(minutes / (HOUR * hours));
  const rest = days === 0 ? minutes : minutes - days * HOUR * hours;
  const parts = [
    [days, days === 1 ? 'day' : 'days'],
    [Math.floor(rest / HOUR), 'h'],
    [rest % HOUR, 'min'],
  ] as const;
  return (
    parts
      .filter(([count]) => count > 0)
      .map(([count, unit]) => `${grouped(count)} ${unit}`)
      .join(' ') || '0 min'
  );
}

/** A figure of a table: the machine's integer, and how people read it. */
export function amountOf(n: number, held: Pick<Held, 'id' | 'unit'>, hours: number): Cell {
  const pieces = figure(n, held, hours);
  const [text] = pieces;
  return typeof text === 'string' && pieces.length === 1 ? { n, unit: 'count', exact: null, text } : pieces;
}

/** A confidence in ppm as a share of one. */
export function share(ppm: number): string {
  const digits = String(BigInt(ppm) % MILLION)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${ppm === 1_000_000 ? 1 : 0}.${digits}`;
}

const LIMITS: Readonly<Record<Operator, string>> = {
  '<': 'under',
  '<=': 'at most',
  '>': 'over',
  '>=': 'at least',
};

/** `at most €20,000`. */
export function limitText({ id, unit, op, bound }: CoreLine['held'], hours: number): readonly Piece[] {
  if (bound === TOTAL_MAX) return ['no limit'];
  return texts(`${LIMITS[op]} `, figure(bound, { id, unit }, hours));
}

/** `t8.a and t7.b`. */
export function changesText(changes: readonly (readonly [string, string])[]): string {
  const names = changes.map((change) => change.join('.'));
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** How many choices a plan has. */
export function countCombinations({ tasks }: Pick<Plan, 'tasks'>): bigint {
  return tasks.reduce((count, { approaches }) => count * BigInt(approaches.length), 1n);
}

/** Pieces joined. */
export function texts(...parts: readonly Text[]): readonly Piece[] {
  return parts.flatMap((part) => (typeof part === 'string' ? (part === '' ? [] : [part]) : part));
}

/** Pieces as one text, what evidence says in quotes. */
export function writeText(text: Text): string {
  const pieces = typeof text === 'string' ? [text] : text;
  return pieces.map((piece) => (typeof piece === 'string' ? piece : `"${piece.said}"`)).join('');
}

/** So many tasks of a core or of a path are named one by one. */
export const NAMED_MAX = 8;

/** Where a constraint stands, as far as a core's sentence says it. */
type CoreLine = Pick<RollupLine, 'kind' | 'total' | 'slack'> & {
  readonly held: Pick<RollupLine['held'], 'id' | 'unit' | 'op' | 'bound'>;
};

/** `cost is €58,500, €8,500 over: t8 €33,000 + t7 €9,000 pass €50,000`. */
export function coreText(
  { held, kind, total, slack }: CoreLine,
  amounts: readonly (readonly [task: string, amount: number])[],
  hours: number,
): Text {
  const mid = total?.[1] ?? 0;
  if (kind === 'metric' || kind === 'coupling')
    return texts(
      `${held.id} of ${amounts.map(([task]) => task).join(' and ')} is `,
      figure(mid, held, hours),
      ', not ',
      limitText(held, hours),
    );
  const named = amounts
    .slice(0, NAMED_MAX)
    .map(([task, amount]) => texts(`${task} `, figure(amount, held, hours)));
  const rest = amounts.slice(NAMED_MAX);
  const left = rest.reduce((sum, [, amount]) => sum + amount, 0);
  const more = left === 0 ? [] : [texts(`${rest.length} more `, figure(left, held, hours))];
  const over = -(slack ?? 0);
  return texts(
    `${held.id} is `,
    figure(mid, held, hours),
    ...(over === 0 ? [', just at what it must stay under: '] : [', ', figure(over, held, hours), ' over: ']),
    ...[...named, ...more].map((text, index) => texts(index === 0 ? '' : ' + ', text)),
    ` ${over === 0 ? 'reach' : 'pass'}${amounts.length === 1 ? 'es' : ''} `,
    figure(held.bound, held, hours),
  );
}

/** A panel of what was decided. */
export function panel(id: string, title: string, says: string, block: Panel['block']): Panel {
  return { id, title, says, page: 'decision', block, left_out: 0 };
}

/** A fact of nothing recorded. */
export function fact(name: string, value: Text, tone: Tone = 'plain'): Fact {
  return { name, value, tone, record: null };
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** The day so many days after an ISO date, as `4 Jan 2027`. */
export function dayAfter(start: string, days: number): string {
  const [year = '', month, day] = renderDay((countDays(start) ?? 0) + days).split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? ''} ${year}`;
}
