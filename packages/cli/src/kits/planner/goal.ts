/**
 * What a call of `assay plan` asks: a goal in words, a plan file (JSON, YAML, other programs') or a template.
 *
 * @module
 */
import { statSync } from 'node:fs';
import { OUTSIDE_LIMITS, admit, field, type Json, type JsonObject } from '@assay/kernel';
import { countDecimals } from '@assay/kernel/intent';
import type { ConstraintDraft } from '@assay/planner';
import { typeAmount } from '@assay/planner/picture';
import {
  countAmount,
  describeFault,
  findCountUnit,
  parsePlan,
  readAmount,
  readDeadlineText,
  readPlanFile,
  readForeign,
  type Plan,
  type PlanFault,
} from '@assay/planner/schedule';
import { parseJson, shortenName, readText } from '../../files/read.js';
import { readRequest } from '../../options/request.js';
import { misuse, type Stop, badValue } from '../../problems/problem.js';

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
      'the cost row must be named cost, or be first by name',
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
  const { size = '5', rate, people = '1', ...odd } = settingsIn(settings);
  const [unknown] = Object.keys(odd);
  if (unknown !== undefined)
    throw badValue(`a template has no ${unknown}`, given, 'it takes size, rate and people');
  const { templatePlan } = await import('@assay/planner/shell');
  const cap = caps.findLast(({ id }) => id === 'cost');
  if (cap !== undefined && rate === undefined)
    throw misuse(
      'missing_argument',
      'a cap on the cost needs what an hour costs',
      given,
      `give its rate, such as ${name},rate=60usd`,
    );
  const { unit, bound } =
    rate === undefined ? { unit: '', bound: 0 } : parseBound({ id: 'cost', text: rate }, 'rate');
  if (rate !== undefined && countDecimals(unit.slice(0, 3)) === null)
    throw badValue(`${rate} names no currency`, 'rate', `write such as ${name},rate=60usd`);
  const made = templatePlan(name, {
    size: amountIn(size, '', 'size'),
    people: amountIn(people, '', 'people'),
    rate: bound,
    unit,
    cap: cap === undefined ? null : { op: cap.op, amount: amountIn(cap.text, unit, '--cap cost') },
    deadline: null,
  });
  if (made._tag === 'Left') {
    const { code, name: place, detail } = made.left;
    throw badValue(`${place}: ${code} (${detail})`, given, `it takes ${detail}`);
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

/** Reads `cost=500usd`, `cost<50000` or `deadline<=24h`; `=` is at most. Raises `Stop`: `bad_value`. */
export function capIn(given: string): GivenCap {
  const [, id, op, text] = CAP.exec(given) ?? [];
  if (id === undefined || text === undefined)
    throw badValue('not a cap', `--cap ${given}`, 'give ROW=AMOUNT, such as cost=500usd, or "cost<500usd"');
  return { id, op: op === '<' ? '<' : '<=', text };
}

/**
 * An amount in a unit: a bare integer unless it is money of a currency, or a quantity that adds to it (`500usd` is
 * 50,000 `USD cents`). Raises `Stop`: `currency_differs`, `unknown_currency`, `bad_value` where it does not add or is
 * no whole number of the unit.
 */
export function amountIn(text: string, unit: string, option: string, hours: number = 24): number {
  const isBare = /^\d+$/.test(text);
  const [, currency] = /^([A-Z]{3}) cents$/.exec(unit) ?? [];
  if (isBare && currency !== undefined)
    throw badValue(`${text} of what`, option, `write ${text}${currency}, or ${text} ${unit}`);
  const read = isBare ? null : readAmount(text);
  const count = read?._tag === 'Right' ? countAmount(read.right, unit, hours, text) : read;
  if (count?._tag === 'Left') {
    const { code, detail } = count.left;
    throw misuse(code.includes('currency') ? code : 'bad_value', detail, option, REMEDY);
  }
  const amount = count?.right ?? Number(text);
  if (amount >= 0 && Number.isSafeInteger(amount) && (read?._tag !== 'Right' || read.right.op === '='))
    return amount;
  throw badValue(`${text} is not an amount`, option, REMEDY);
}

/** An amount that {@link amountIn} reads back: `70 EUR` of `EUR cents`, `14 h` of `minutes`. */
export function spellAmount(n: number, unit: string): string {
  return typeAmount(n, unit, Number.POSITIVE_INFINITY).replace(/[A-Z]+$/, ' $&');
}

const REMEDY = 'give a whole number, or an amount in a unit that adds to it, such as 500usd or 24h';

/** A plan under other bounds. Raises `Stop`: `bad_value` where it has no such row. */
export function withCaps(plan: Plan, caps: readonly GivenCap[]): Plan {
  const unknown = caps.find(({ id }) => id !== 'deadline' && !plan.rows.some((row) => row.id === id));
  if (unknown !== undefined)
    throw badValue(
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
      : {
          ...row,
          op: cap.op,
          bound: amountIn(cap.text, row.unit, `--cap ${cap.id}`, plan.hoursPerDay),
        };
  });
  const deadline = caps.findLast(({ id }) => id === 'deadline');
  if (deadline === undefined) return { ...plan, rows };
  const own = plan.deadline ?? { id: 'deadline', unit: 'minutes', margin: 100_000, isHard: true };
  const { op, minutes } = readDeadline(deadline.text, plan, '--cap deadline', deadline.op);
  return { ...plan, rows, deadline: { ...own, op: op ?? deadline.op, bound: minutes } };
}

/** A deadline in words, of a plan where there is one. Raises `Stop`: `bad_value`. */
export function readDeadline(
  text: string,
  plan: Plan | null,
  option: string,
  stated: '<' | '<=' = '<=',
): { readonly op: '<' | '<=' | null; readonly minutes: number } {
  const typed = text.replace(/^\d+$/, '$& min');
  const read = readDeadlineText(typed, plan ?? { start: null, hoursPerDay: 24 }, stated);
  if (read._tag === 'Right') return read.right;
  throw badValue(describeFault(read.left), option, 'give such as 24h or 20 days');
}

/**
 * A bound on its own, where no plan says in which unit it counts: in the smallest of what it is given in, such as
 * `USD cents`. Raises `Stop`: as `amountIn`.
 */
export function parseBound(
  { id, text }: Omit<GivenCap, 'op'>,
  option: string = `--cap ${id}`,
): { readonly unit: string; readonly bound: number } {
  const read = readAmount(text);
  const own = read._tag === 'Right' ? findCountUnit(read.right, text) : '';
  const unit = id === 'deadline' ? 'minutes' : own;
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

/** The same of a value at hand. `place`: how messages name it. */
export function readPlanValue(value: Json, place: string): ReadPlan {
  const file = readPlanFile(value);
  if (file._tag === 'Left') throw badPlan(file.left, place);
  const plan = parsePlan(file.right);
  if (plan._tag === 'Left') throw badPlan(plan.left, place);
  return { file: file.right, plan: plan.right };
}

function badPlan(fault: PlanFault, place: string): Stop {
  return misuse('bad_plan', describeFault(fault), place, FORMAT);
}

async function valueIn(text: string, path: string): Promise<Json> {
  if (/^\s*[{[]/.test(text)) return parseJson(text, shortenName(path));
  const foreign = readForeign(text);
  if (foreign?._tag === 'Right') return foreign.right;
  if (foreign !== null) {
    const { code, line, wanted } = foreign.left;
    throw misuse('bad_plan', `${code}: line ${line} is not ${wanted}`, shortenName(path), FORMAT);
  }
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
    admitted.left.code === 'values'
      ? `it has more than ${OUTSIDE_LIMITS.values} values`
      : `invalid value: ${admitted.left.code} at ${admitted.left.path}`,
    shortenName(path),
    FORMAT,
  );
}
