/**
 * The parser of plan files. Format: docs/formats/plan.md. Source: dec-K87, dec-K59, dec-K73.
 *
 * @module
 */
import { compareText, err, field, ok, type Json, type Result } from '@assay/kernel';
import { cycleIn } from '../network/schedule.js';
import { APPROACH_KEYS, isSameApproach, readApproach, type Columns } from './approach.js';
import {
  placeMetrics,
  readCouplings,
  readDeadline,
  readMetrics,
  readRows,
  sortedById,
} from './constraints.js';
import {
  planLimits,
  TOTAL_MAX,
  type PlanLimits,
  type Approach,
  type Estimate,
  type Plan,
  type Task,
} from './plan.js';
import { Reader, renderValue, within, type At, type PlanFault } from './reader.js';

const KEYS: readonly string[] = ['goal', 'rows', 'metrics', 'couplings', 'deadline', 'cost', 'renewable'];
const TASK_KEYS: readonly string[] = ['title', 'kind', 'after', 'approach', 'alternatives'];

type Drafted = Omit<Task, 'after'> & { readonly after: readonly string[]; readonly at: At };

/**
 * Reads a plan. Total: any value gives a plan or the first fault, by the order in which the parser reads:
 * head, rows, metrics, tasks, what tasks name, couplings, sums, cycles. Nothing is repaired.
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
  const columns: Columns = {
    rows,
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
  sums(reader, tasks, rows);
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
    cost: costRow(reader, field(object, 'cost'), rows),
    renewable: reader
      .entries(field(object, 'renewable'), { path: '/renewable', name: 'renewable' })
      .map(
        ([key, amount]) =>
          [key, reader.integer(amount, { path: `/renewable/${key}`, name: key }, TOTAL_MAX)] as const,
      )
      .toSorted(([a], [b]) => compareText(a, b)),
  };
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
        .map((name, place) => reader.name(name, within(within(own, 'after'), place))),
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

function placed(reader: Reader, draft: Drafted, places: ReadonlyMap<string, number>): Task {
  const { at, after, ...task } = draft;
  const found = after.map((name, index) => {
    const place = places.get(name);
    if (place === undefined) reader.fail('unknown_task', within(within(at, 'after'), index), name);
    return place ?? 0;
  });
  const unique = [...new Set(found)].toSorted((a, b) => a - b);
  return { ...task, after: unique };
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

/** Sums that would leave the range of exact integers, each task at its largest. */
function sums(reader: Reader, tasks: readonly Task[], rows: Plan['rows']): void {
  const most = (of: (approach: Approach) => Estimate | undefined): number => {
    let total = 0;
    for (const { approaches } of tasks) {
      total += Math.max(...approaches.map((approach) => of(approach)?.[2] ?? 0));
      if (total > TOTAL_MAX) return total;
    }
    return total;
  };
  for (const [index, { id }] of rows.entries())
    if (most(({ amounts }) => amounts[index]) > TOTAL_MAX)
      reader.fail('too_large', { path: '/rows', name: id }, String(TOTAL_MAX));
  if (most(({ minutes }) => minutes) > TOTAL_MAX)
    reader.fail('too_large', { path: '/tasks', name: 'minutes' }, String(TOTAL_MAX));
}
