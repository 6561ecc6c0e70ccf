/**
 * The parser of plan files. Format: docs/formats/plan.md. Estimates and approaches as a plan file writes
 * them. Source: dec-K87; dec-K59; dec-K73.
 */
import {
  compareText,
  err,
  field,
  isArray,
  isObject,
  ok,
  type Json,
  type JsonObject,
  type Result,
} from '@assay/kernel';
import { cycleIn, LINK_KINDS, type Link } from '../network/schedule.js';
import { countDays } from './dates.js';
import {
  placeMetrics,
  readCouplings,
  readDeadline,
  readMetrics,
  readRows,
  sortedById,
} from './constraints.js';
import {
  CONFIDENCE,
  DAY_HOURS,
  planLimits,
  TOTAL_MAX,
  type PlanLimits,
  type Approach,
  type Estimate,
  type Plan,
  type Task,
  MILLION,
  type Held,
  type Metric,
} from './plan.js';
import { Reader, renderValue, within, type At, type PlanFault } from './reader.js';

/** Keys of a plan that may be left out. */
export const KEYS: readonly string[] =
  'goal start hours_per_day rows metrics couplings deadline cost renewable'.split(' ');
/** Keys of a task beside its id and those of an approach. */
export const TASK_KEYS: readonly string[] = ['title', 'kind', 'after', 'approach', 'alternatives'];

type NamedLink = Omit<Link, 'task'> & { readonly name: string };
type Drafted = Omit<Task, 'after' | 'links'> & { readonly after: readonly NamedLink[]; readonly at: At };

/**
 * Reads a plan. Total: any value gives a plan or the first fault, by the order in which the parser reads:
 * head, rows, metrics, tasks, what tasks name, couplings, deadline, sums, cycles, days. Nothing is repaired.
 */
export function parsePlan(value: Json, limits: PlanLimits = planLimits): Result<PlanFault, Plan> {
  const reader = new Reader();
  const plan = readPlan(reader, value, limits);
  return reader.fault === null ? ok(plan) : err(reader.fault);
}

function readPlan(reader: Reader, value: Json, limits: PlanLimits): Plan {
  const top = { path: '', name: 'plan' };
  const object = reader.object(value, top, ['plan', 'tasks'], KEYS);
  if (reader.integer(field(object, 'plan'), { path: '/plan', name: 'plan' }, 1) !== 1)
    reader.fail('out_of_range', { path: '/plan', name: 'plan' }, '1');
  const read = readRows(reader, field(object, 'rows'), limits);
  const rows = read.map(({ fallback: _fallback, ...row }) => row);
  const named = readMetrics(reader, field(object, 'metrics'), limits);
  const renewable = readRenewable(reader, field(object, 'renewable'), limits);
  const columns: Columns = {
    rows,
    renewable: new Map(renewable),
    defaults: read.map(({ fallback }) => fallback),
    metrics: named.map(({ of: _of, ...metric }) => ({ ...metric, task: 0 })),
  };
  const drafts = readTasks(reader, field(object, 'tasks'), columns, limits);
  const places = new Map(drafts.map(({ id }, index) => [id, index] as const));
  const tasks = drafts.map((draft) => placed(reader, draft, places));
  const metrics = placeMetrics(reader, named, places);
  const couplings = readCouplings(reader, field(object, 'couplings'), limits, tasks, places);
  const deadline = readDeadline(reader, field(object, 'deadline'));
  const held = [...rows, ...metrics, ...couplings, ...(deadline === null ? [] : [deadline])];
  sortedById(reader, held, { path: '', name: 'plan' });
  sums(reader, { tasks, rows, renewable });
  const ring = reader.fault === null ? cycleIn(tasks) : null;
  if (ring !== null) {
    const names = ring.map((task) => tasks[task]?.id ?? '');
    reader.fail('cycle', { path: '/tasks', name: names[0] ?? '' }, names.join(' > '));
  }
  return {
    goal: reader.text(field(object, 'goal'), { path: '/goal', name: 'goal' }, ''),
    tasks,
    rows,
    metrics,
    couplings,
    deadline,
    start: readStart(reader, field(object, 'start')),
    hoursPerDay: readHours(reader, field(object, 'hours_per_day')),
    cost: costRow(reader, field(object, 'cost'), rows),
    renewable,
  };
}

/** The day on which a plan starts, as `2027-01-04`. */
export function readStart(reader: Reader, value: Json | undefined): string | null {
  if (value === undefined) return null;
  const at = { path: '/start', name: 'start' };
  const start = reader.text(value, at, '');
  if (countDays(start) === null) reader.fail('shape', at, 'a date such as 2027-01-04');
  return start;
}

/** The hours of a day. */
export function readHours(reader: Reader, value: Json | undefined): number {
  const at = { path: '/hours_per_day', name: 'hours_per_day' };
  return value === undefined ? DAY_HOURS : reader.integer(value, at, DAY_HOURS, 1);
}

/** The capacities of renewable resources, by name. */
function readRenewable(reader: Reader, value: Json | undefined, limits: PlanLimits): Plan['renewable'] {
  const at = { path: '/renewable', name: 'renewable' };
  const entries = reader.entries(value, at);
  if (entries.length > limits.renewable) reader.fail('too_large', at, String(limits.renewable));
  return entries
    .map(([key, amount]) => {
      const own = within(at, key, reader.name(key, within(at, key)));
      return [key, reader.integer(amount, own, TOTAL_MAX)] as const;
    })
    .toSorted(([a], [b]) => compareText(a, b));
}

function readTasks(
  reader: Reader,
  value: Json | undefined,
  columns: Columns,
  limits: PlanLimits,
): readonly Drafted[] {
  const at = { path: '/tasks', name: 'tasks' };
  const list = reader.list(value, at, limits.tasks);
  if (list.length === 0) reader.fail('missing', at, 'a task');
  const { required, optional } = APPROACH_KEYS;
  const drafts = list.map((item, index): Drafted => {
    const place = within(at, index);
    const object = reader.object(item, place, ['id', ...required], [...optional, ...TASK_KEYS]);
    const id = reader.name(field(object, 'id'), within(place, 'id'));
    const own = within(at, index, id);
    const kind =
      field(object, 'kind') === undefined ? 'task' : reader.name(field(object, 'kind'), within(own, 'kind'));
    const called = field(object, 'approach');
    const current = called === undefined ? 'base' : reader.name(called, within(own, 'approach'));
    const first = readApproach(reader, object, own, current, columns);
    const inner = within(own, 'alternatives');
    const others = reader
      .list(field(object, 'alternatives'), inner, limits.alternatives)
      .map((each, place) => {
        const other = reader.object(each, within(inner, place), ['id', ...required], optional);
        const name = reader.name(field(other, 'id'), within(within(inner, place), 'id'));
        return readApproach(reader, other, within(inner, place, `${id}.${name}`), name, columns);
      });
    const approaches = [first, ...sortedById(reader, others, within(inner, '', id))];
    distinct(reader, approaches, own);
    if (kind === 'build')
      for (const { minutes, id: name } of approaches)
        if (minutes[0] === 0) reader.fail('zero_minutes', within(own, 'minutes', `${id}.${name}`), '');
    const after = field(object, 'after');
    return {
      id,
      title: reader.text(field(object, 'title'), within(own, 'title'), id),
      kind,
      after: reader
        .list(after, within(own, 'after'), limits.tasks)
        .map((link, place) => readLink(reader, link, within(within(own, 'after'), place))),
      approaches,
      at: own,
    };
  });
  return sortedById(reader, drafts, at);
}

/** Two approaches of a task that are one, or have one name. */
function distinct(reader: Reader, approaches: readonly Approach[], own: At): void {
  for (const [index, a] of approaches.entries())
    for (const b of approaches.slice(index + 1)) {
      if (a.id === b.id) reader.fail('duplicate', within(own, 'alternatives'), b.id);
      else if (isSameApproach(a, b))
        reader.fail('same_approach', within(own, 'alternatives', `${own.name}.${b.id}`), a.id);
    }
}

/** The name of a task, or `{ task, link, lag }`. */
function readLink(reader: Reader, value: Json, at: At): NamedLink {
  if (!isObject(value)) return { name: reader.name(value, at), link: 'FS', lag: 0 };
  const object = reader.object(value, at, ['task'], ['link', 'lag']);
  const { link: given = 'FS', lag = 0 } = object;
  const link = LINK_KINDS.find((kind) => kind === given);
  if (link === undefined) reader.fail('shape', within(at, 'link'), LINK_KINDS.join(' '));
  return {
    name: reader.name(field(object, 'task'), within(at, 'task')),
    link: link ?? 'FS',
    lag: reader.integer(lag, within(at, 'lag'), TOTAL_MAX, -TOTAL_MAX),
  };
}

/** A task with places; of several links of one kind to one task the one that waits longest counts. */
function placed(reader: Reader, draft: Drafted, places: ReadonlyMap<string, number>): Task {
  const { at, after, ...task } = draft;
  const found = after.map(({ name, ...link }, index): Link => {
    const place = places.get(name);
    if (place === undefined) reader.fail('unknown_task', within(within(at, 'after'), index), name);
    return { task: place ?? 0, ...link };
  });
  const rank = ({ link }: Link): number => LINK_KINDS.indexOf(link);
  const links = found
    .toSorted((a, b) => a.task - b.task || rank(a) - rank(b) || b.lag - a.lag)
    .filter((link, index, all) => link.task !== all[index - 1]?.task || link.link !== all[index - 1]?.link);
  const unique = [...new Set(links.map((link) => link.task))];
  const isPlain = links.every(({ link, lag }) => link === 'FS' && lag === 0);
  return { ...task, after: unique, ...(isPlain ? {} : { links }) };
}

/** The row whose mids are the cost: the named one, else `cost`, else the first by id. */
function costRow(reader: Reader, value: Json | undefined, rows: Plan['rows']): number | null {
  if (value === undefined) {
    const named = rows.findIndex(({ id }) => id === 'cost');
    return rows.length === 0 ? null : Math.max(0, named);
  }
  const found = rows.findIndex(({ id }) => id === value);
  if (found < 0) reader.fail('unknown_row', { path: '/cost', name: 'cost' }, renderValue(value));
  return found < 0 ? null : found;
}

/** Sums that would leave the range of exact integers, each task at its largest, lags among the minutes. */
function sums(reader: Reader, { tasks, rows, renewable }: Pick<Plan, 'tasks' | 'rows' | 'renewable'>): void {
  const most = (of: (approach: Approach) => Estimate | undefined, start: number = 0): number => {
    let total = start;
    for (const { approaches } of tasks) {
      total += Math.max(...approaches.map((approach) => of(approach)?.[2] ?? 0));
      if (total > TOTAL_MAX) return total;
    }
    return total;
  };
  for (const [index, { id }] of rows.entries())
    if (most(({ amounts }) => amounts[index]) > TOTAL_MAX)
      reader.fail('too_large', { path: '/rows', name: id }, String(TOTAL_MAX));
  const lags = tasks.reduce(
    (sum, { links = [] }) => links.reduce((all, { lag }) => all + Math.abs(lag), sum),
    0,
  );
  if (most(({ minutes }) => minutes, lags) > TOTAL_MAX)
    reader.fail('too_large', { path: '/tasks', name: 'minutes' }, String(TOTAL_MAX));
  for (const [id] of renewable) {
    const work = ({ minutes, uses }: Approach): Estimate => {
      const most = minutes[2] * (uses.find(([resource]) => resource === id)?.[1] ?? 0);
      return [most, most, most];
    };
    if (most(work) > TOTAL_MAX) reader.fail('too_large', { path: '/renewable', name: id }, String(TOTAL_MAX));
  }
}

/** Keys of an approach, without the one that names it. */
export const APPROACH_KEYS: { readonly required: readonly string[]; readonly optional: readonly string[] } = {
  required: ['minutes'],
  optional: ['confidence', 'method', 'amounts', 'metrics', 'uses'],
};

/** What an approach is read against; `amounts` that a row's `defaults` states may be left out. */
export type Columns = {
  readonly rows: readonly Held[];
  readonly defaults: readonly (number | null)[];
  readonly metrics: readonly Metric[];
  readonly renewable: ReadonlyMap<string, number>;
};

/** `500`, or `[200, 500, 1000]` with low <= mid <= high. Source: dec-K59. */
function readEstimate(reader: Reader, value: Json | undefined, at: At): Estimate {
  if (!isArray(value)) {
    const amount = reader.integer(value, at, TOTAL_MAX);
    return [amount, amount, amount];
  }
  if (value.length !== 3) reader.fail('shape', at, '[low, mid, high]');
  const [low, mid, high] = [0, 1, 2].map((index) =>
    reader.integer(value[index], within(at, index), TOTAL_MAX),
  );
  if (low === undefined || mid === undefined || high === undefined) return [0, 0, 0];
  if (low > mid || mid > high) reader.fail('low_mid_high', at, `${low}/${mid}/${high}`);
  return [low, mid, high];
}

/** The approach that an object describes, under a given id. */
export function readApproach(
  reader: Reader,
  value: JsonObject,
  at: At,
  id: string,
  columns: Columns,
): Approach {
  const { rows, defaults, metrics, renewable } = columns;
  const stated = new Map(reader.entries(field(value, 'amounts'), within(at, 'amounts')));
  const amounts = rows.map((row, index): Estimate => {
    const amount = stated.get(row.id) ?? defaults[index] ?? undefined;
    return readEstimate(reader, amount, within(within(at, 'amounts'), row.id));
  });
  for (const key of stated.keys())
    if (!rows.some((row) => row.id === key))
      reader.fail('unknown_row', within(within(at, 'amounts'), key), key);
  const measured = new Map(reader.entries(field(value, 'metrics'), within(at, 'metrics')));
  for (const key of measured.keys())
    if (!metrics.some((metric) => metric.id === key))
      reader.fail('unknown_metric', within(within(at, 'metrics'), key), key);
  const sure = field(value, 'confidence');
  return {
    id,
    method:
      field(value, 'method') === undefined
        ? null
        : reader.text(field(value, 'method'), within(at, 'method'), ''),
    minutes: readEstimate(reader, field(value, 'minutes'), within(at, 'minutes')),
    amounts,
    metrics: metrics.map((metric) => {
      const figure = measured.get(metric.id);
      return figure === undefined
        ? null
        : readEstimate(reader, figure, within(within(at, 'metrics'), metric.id));
    }),
    confidence: sure === undefined ? CONFIDENCE : reader.integer(sure, within(at, 'confidence'), MILLION),
    isConfidenceStated: sure !== undefined,
    uses: reader
      .entries(field(value, 'uses'), within(at, 'uses'))
      .map(([key, amount]) => {
        const own = within(within(at, 'uses'), key);
        const use = reader.integer(amount, own, TOTAL_MAX);
        const capacity = renewable.get(key);
        if (capacity === undefined) reader.fail('unknown_resource', own, key);
        else if (use > capacity) reader.fail('needs_more', own, `${key}: ${use} of ${capacity}`);
        return [key, use] as const;
      })
      .toSorted(([a], [b]) => compareText(a, b)),
  };
}

/**
 * True where two approaches are one: the same words, or the same figures where not both are put into words.
 * Words are compared as runs of letters and digits, ASCII capitals as small ones. Source: dec-K62.
 */
function isSameApproach(a: Approach, b: Approach): boolean {
  if (a.method !== null && b.method !== null) return words(a.method) === words(b.method);
  return figures(a) === figures(b);
}

function words(method: string): string {
  const lower = method.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));
  return lower.replace(/[^a-z0-9\u0080-\uffff]+/g, ' ').trim();
}

function figures({ minutes, amounts, metrics, confidence, uses }: Approach): string {
  const parts = [minutes, ...amounts, ...metrics.map((each) => each ?? ['-']), [confidence], ...uses];
  return parts.map((part) => part.join(',')).join(';');
}
