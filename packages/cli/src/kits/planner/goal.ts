/**
 * What a call of `assay plan` asks: a goal in words, a plan file (JSON, YAML, PSPLIB) or a template, under `--cap`.
 *
 * @module
 */
import { statSync } from 'node:fs';
import { OUTSIDE_LIMITS, admit, field, isObject, type Json, type JsonObject } from '@assay/kernel';
import { findMeasure, readQuantity, toRational, type Decimal } from '@assay/kernel/intent';
import type { ConstraintDraft } from '@assay/planner';
import { parsePlan, readPsplib, type Plan, type PlanFault } from '@assay/planner/schedule';
import { parseJson, shortenName, readText } from '../../files/read.js';
import { readRequest } from '../../options/request.js';
import { misuse, type Stop } from '../../problems/problem.js';

/** The options that say what is planned. */
export type GoalOptions = { readonly cap: readonly string[] };

/** A goal. `split`: the tasks of a plan file or template, null where somebody must propose them. */
export type Goal = {
  readonly goal: string;
  readonly from: string;
  readonly constraints: readonly ConstraintDraft[];
  readonly split: JsonObject | null;
};

/** A template as in `cli,size=4,rate=60usd`. */
const TEMPLATE = /^[a-z][a-z-]*(?:,[^,\s]*)*$/;
const PROSE = /\.(?:txt|text|md|markdown)$/i;

/** Reads what is planned. Raises `Stop`: `no_request`, and those of plan files, templates and bounds. */
export async function readGoal(given: string | undefined, options: GoalOptions): Promise<Goal> {
  const caps = options.cap.map(capIn);
  if (given === undefined)
    throw misuse(
      'no_request',
      'no goal was given',
      '',
      'quote a goal, name a plan file, or name a template: cli',
    );
  const isFile = !PROSE.test(given) && (given === '-' || isThere(given));
  if (!isFile && !TEMPLATE.test(given)) {
    const { text, from } = await readRequest(given);
    return { goal: text, from, constraints: drafts(caps), split: null };
  }
  const { file, plan } = await planSource(given, caps, 'plan');
  const { planGoal } = await import('@assay/planner/shell');
  if (plan.cost !== null && plan.cost !== usualCost(plan.rows.map(({ id }) => id)))
    throw misuse(
      'bad_plan',
      'the machine takes the row cost, or the first by name, as what costs',
      'cost',
      'name that row cost, or leave the key cost out; assay check takes it as it is',
    );
  const own = field(file, 'goal');
  const words = typeof own === 'string' && own !== '' ? own : isFile ? shortenName(given) : plan.goal;
  return { goal: words, from: isFile ? given : `the template ${given}`, ...planGoal(file, plan) };
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A text that is no name of a file.
    return false;
  }
}

/** The row that counts as cost where a plan names none. */
function usualCost(ids: readonly string[]): number {
  return Math.max(0, ids.indexOf('cost'));
}

/** Bounds without a plan, as constraints. The last of one name counts. */
function drafts(caps: readonly GivenCap[]): readonly ConstraintDraft[] {
  return [...new Map(caps.map((cap) => [cap.id, cap])).values()].map(boundDraft);
}

/** A bound as a constraint. Raises `Stop`: `bad_value`. */
export function boundDraft(given: GivenCap): ConstraintDraft {
  const { id, op } = given;
  const { unit, bound } = parseBound(given);
  const common = {
    id,
    type: 'logic',
    title: id,
    scope: 'aggregate',
    hard: true,
    removal: null,
  } as const;
  return id === 'deadline'
    ? { ...common, domain: 'schedule', payload: { t: 'deadline', op, bound, margin: null } }
    : { ...common, domain: 'cost', payload: { t: 'cap', unit, op, bound, margin: null, otherwise: null } };
}

/** The plan of a file, or of a template as in `cli,size=4,rate=60usd`, under other bounds. Raises `Stop`. */
export async function planSource(
  given: string | undefined,
  caps: readonly GivenCap[],
  command: string,
): Promise<ReadPlan> {
  if (given === undefined)
    throw misuse(
      'missing_argument',
      'name a plan file or a template',
      command,
      `see assay ${command} --help`,
    );
  if (!isTemplate(given)) return under(await readPlan(given), caps);
  const [name = '', ...settings] = given.split(',');
  const { size = '5', rate, ...odd } = settingsIn(settings);
  const [unknown] = Object.keys(odd);
  if (unknown !== undefined)
    throw misuse('bad_value', `a template has no ${unknown}`, given, 'it takes size and rate');
  const { templatePlan } = await import('@assay/planner/shell');
  const cap = caps.findLast(({ id }) => id === 'cost');
  if (cap !== undefined && rate === undefined)
    throw misuse(
      'missing_argument',
      'a cap on the cost needs what an hour costs',
      given,
      `give its rate, such as ${name},rate=60usd`,
    );
  const made = templatePlan(name, {
    size: amountIn(size, '', 'size'),
    rate: rate === undefined ? 0 : amountIn(rate, MONEY_UNIT, 'rate'),
    unit: MONEY_UNIT,
    cap: cap === undefined ? null : { op: cap.op, amount: amountIn(cap.text, MONEY_UNIT, '--cap cost') },
    deadline: null,
  });
  if (made._tag === 'Left') {
    const { code, name: place, detail } = made.left;
    throw misuse('bad_value', `${place}: ${code} (${detail})`, given, `it takes ${detail}`);
  }
  return under(readPlanValue(made.right, name), caps);
}

/** True for what names no file, and may name a template. */
export function isTemplate(given: string): boolean {
  return TEMPLATE.test(given) && !isThere(given);
}

function settingsIn(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text): readonly [string, string] => {
      const [name = '', value = ''] = text.split('=');
      return [name, value];
    }),
  );
}

function under({ file, plan }: ReadPlan, caps: readonly GivenCap[]): ReadPlan {
  return { file, plan: withCaps(plan, caps) };
}

/** A bound as it is given. */
export type GivenCap = { readonly id: string; readonly op: '<' | '<='; readonly text: string };

const CAP = /^([A-Za-z0-9][A-Za-z0-9_-]{0,63})\s*(<=|<|=)\s*(.+)$/;
const CENTS = 100n;

/** Reads `cost=500usd`, `cost<50000` or `deadline<=24h`; `=` is at most. Raises `Stop`: `bad_value`. */
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
  const own = findUnit(unit);
  const [from, to] = [findMeasure(read.unit), own === null ? null : findMeasure(own)];
  const cents = /^(?:([a-z]{3}) )?cents?$/i.exec(unit);
  if (from.dimension.startsWith('money_') && cents !== null)
    return cents[1] === undefined || from.dimension === `money_${cents[1].toUpperCase()}`
      ? whole(read.value, CENTS, 1n)
      : null;
  if (to === null || from.dimension !== to.dimension) return null;
  const isExact = [from, to].every(({ low, high }) => low.num === high.num && low.den === high.den);
  return isExact ? whole(read.value, from.low.num * to.low.den, from.low.den * to.low.num) : null;
}

function findUnit(unit: string): string | null {
  const two = `2 ${unit}`;
  return (readQuantity(two) ?? readQuantity(two.toUpperCase()))?.unit ?? null;
}

function whole(value: Decimal, num: bigint, den: bigint): bigint | null {
  const { num: n, den: d } = toRational(value);
  return (n * num) % (d * den) === 0n ? (n * num) / (d * den) : null;
}

/** A plan under other bounds. Raises `Stop`: `bad_value` where it has no such row. */
export function withCaps(plan: Plan, caps: readonly GivenCap[]): Plan {
  const unknown = caps.find(({ id }) => id !== 'deadline' && !plan.rows.some((row) => row.id === id));
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
  const deadline = caps.findLast(({ id }) => id === 'deadline');
  if (deadline === undefined) return { ...plan, rows };
  const own = plan.deadline ?? { id: 'deadline', unit: 'minutes', margin: 100_000, isHard: true };
  const bound = amountIn(deadline.text, 'minutes', '--cap deadline');
  return { ...plan, rows, deadline: { ...own, op: deadline.op, bound } };
}

/** The unit of money: the cent of whatever currency a cap is given in. */
export const MONEY_UNIT = 'cents';

/**
 * A bound on its own, where no plan says in which unit it counts: money in cents, other amounts in the unit
 * they are given in. Raises `Stop`: `bad_value`.
 */
export function parseBound({ id, text }: GivenCap): { readonly unit: string; readonly bound: number } {
  const option = `--cap ${id}`;
  if (id === 'deadline') return { unit: 'minutes', bound: amountIn(text, 'minutes', option) };
  const own = /^\d+$/.test(text)
    ? null
    : ((readQuantity(text) ?? readQuantity(text.toUpperCase()))?.unit ?? null);
  const unit = own === null ? '' : findMeasure(own).dimension.startsWith('money_') ? MONEY_UNIT : own;
  return { unit, bound: amountIn(text, unit, option) };
}

const FORMAT = 'see docs/formats/plan.md';

/** A plan, and the value it was read from. */
export type ReadPlan = { readonly file: JsonObject; readonly plan: Plan };

/** A plan from a file. Raises `Stop`: `bad_plan` with the code and the element, and those of reading a file. */
export async function readPlan(path: string): Promise<ReadPlan> {
  const text = (await readText(path)).replace(/^\ufeff/, '');
  return readPlanValue(await valueIn(text, path), shortenName(path));
}

/** The same of a value at hand. */
export function readPlanValue(value: Json, place: string): ReadPlan {
  const plan = readGoalPlan(value, place);
  return { file: isObject(value) ? value : {}, plan };
}

/** A plan from a value. `place`: how messages name it. */
export function readGoalPlan(value: Json, place: string): Plan {
  const plan = parsePlan(value);
  if (plan._tag === 'Left') throw badPlan(plan.left, place);
  return plan.right;
}

function badPlan({ code, name, path, detail }: PlanFault, place: string): Stop {
  return misuse(
    'bad_plan',
    `${name}: ${code}${detail === '' ? '' : ` (${detail})`}${path === '' ? '' : ` at ${path}`}`,
    place,
    FORMAT,
  );
}

async function valueIn(text: string, path: string): Promise<Json> {
  if (/^PRECEDENCE RELATIONS/m.test(text)) {
    const read = readPsplib(text);
    if (read._tag === 'Right') return read.right.plan;
    const { code, line, wanted } = read.left;
    throw misuse('bad_plan', `${code}: line ${line} is not ${wanted}`, shortenName(path), FORMAT);
  }
  if (/^\s*[{[]/.test(text)) return parseJson(text, shortenName(path));
  const { yamlPlan } = await import('@assay/planner/shell');
  const read = yamlPlan(text);
  if (read._tag === 'Left') {
    const { code, line, detail } = read.left;
    throw misuse(
      'bad_plan',
      `YAML: ${code}${detail === '' ? '' : ` (${detail})`} in line ${line}`,
      shortenName(path),
      FORMAT,
    );
  }
  const admitted = admit(read.right, OUTSIDE_LIMITS);
  if (admitted._tag === 'Right') return admitted.right.value;
  throw misuse(
    'bad_plan',
    `invalid value: ${admitted.left.code} at ${admitted.left.path}`,
    shortenName(path),
    FORMAT,
  );
}
