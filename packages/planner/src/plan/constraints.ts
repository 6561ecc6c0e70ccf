/** Rows, metrics, couplings and the deadline as a plan file writes them. */
import { compareText, field, isArray, type Json, type JsonObject } from '@assay/kernel';
import {
  MILLION,
  TOTAL_MAX,
  type PlanLimits,
  type Coupling,
  type Held,
  type Metric,
  type Operator,
  type Task,
} from './plan.js';
import { renderValue, within, type At, type Reader } from './reader.js';

/** TIGHT begins a tenth below a cap unless a constraint says otherwise. Source: dec-K55. */
const CAP_MARGIN = 100_000;
const CAPS: readonly Operator[] = ['<', '<='];
const ALL: readonly Operator[] = ['<', '<=', '>', '>='];
/** Keys of what is held that may be left out. */
export const HELD_KEYS: readonly string[] = ['unit', 'margin', 'hard'];

function operator(reader: Reader, value: Json | undefined, at: At, allowed: readonly Operator[]): Operator {
  const found = allowed.find((each) => each === value);
  if (found === undefined)
    reader.fail(value === undefined ? 'missing' : 'bad_operator', at, allowed.join(' '));
  return found ?? '<=';
}

function held(
  reader: Reader,
  value: JsonObject,
  at: At,
  { id, unit, bound }: { readonly id: string; readonly unit: string; readonly bound: string },
  allowed: readonly Operator[],
): Held {
  const op = operator(reader, field(value, 'op'), within(at, 'op'), allowed);
  const margin = field(value, 'margin');
  return {
    id,
    op,
    unit: reader.text(field(value, 'unit'), within(at, 'unit'), unit),
    bound: reader.integer(field(value, bound), within(at, bound), TOTAL_MAX),
    margin:
      margin === undefined
        ? CAPS.includes(op)
          ? CAP_MARGIN
          : 0
        : reader.integer(margin, within(at, 'margin'), MILLION),
    isHard: reader.flag(field(value, 'hard'), within(at, 'hard'), true),
  };
}

/** Items by id; an id given twice is a fault. */
export function sortedById<A extends { readonly id: string }>(
  reader: Reader,
  items: readonly A[],
  at: At,
): readonly A[] {
  const sorted = items.toSorted((a, b) => compareText(a.id, b.id));
  for (let index = 1; index < sorted.length; index += 1) {
    const { id } = sorted[index] ?? { id: '' };
    if (sorted[index - 1]?.id === id) reader.fail('duplicate', { path: at.path, name: id }, id);
  }
  return sorted;
}

/** The caps of a plan, each with the amount of a task that states none (null: it must state one). */
export function readRows(
  reader: Reader,
  value: Json | undefined,
  limits: PlanLimits,
): readonly (Held & { readonly fallback: number | null })[] {
  const at = { path: '/rows', name: 'rows' };
  const rows = reader.list(value, at, limits.rows).map((item, index) => {
    const place = within(at, index);
    const object = reader.object(item, place, ['id', 'op', 'cap'], [...HELD_KEYS, 'default']);
    const id = reader.name(field(object, 'id'), within(place, 'id'));
    const own = within(at, index, id);
    const fallback = field(object, 'default');
    return {
      ...held(reader, object, own, { id, unit: id, bound: 'cap' }, CAPS),
      fallback: fallback === undefined ? null : reader.integer(fallback, within(own, 'default'), TOTAL_MAX),
    };
  });
  return sortedById(reader, rows, at);
}

/** The deadline, or null where there is none. */
export function readDeadline(reader: Reader, value: Json | undefined): Held | null {
  if (value === undefined || value === null) return null;
  const at = { path: '/deadline', name: 'deadline' };
  const object = reader.object(value, at, ['op', 'minutes'], ['margin', 'hard']);
  return held(reader, object, at, { id: 'deadline', unit: 'minutes', bound: 'minutes' }, CAPS);
}

/** Figures of single tasks; `task` is a name still, since tasks are read against the metrics. */
export function readMetrics(
  reader: Reader,
  value: Json | undefined,
  limits: PlanLimits,
): readonly (Held & { readonly of: string })[] {
  const at = { path: '/metrics', name: 'metrics' };
  const metrics = reader.list(value, at, limits.metrics).map((item, index) => {
    const place = within(at, index);
    const object = reader.object(item, place, ['id', 'task', 'op', 'bound'], HELD_KEYS);
    const id = reader.name(field(object, 'id'), within(place, 'id'));
    const own = within(at, index, id);
    return {
      ...held(reader, object, own, { id, unit: '', bound: 'bound' }, ALL),
      of: reader.name(field(object, 'task'), within(own, 'task')),
    };
  });
  return sortedById(reader, metrics, at);
}

/** Metrics with the places of their tasks. */
export function placeMetrics(
  reader: Reader,
  metrics: readonly (Held & { readonly of: string })[],
  places: ReadonlyMap<string, number>,
): readonly Metric[] {
  return metrics.map(({ of, ...rest }) => {
    const task = places.get(of);
    if (task === undefined) reader.fail('unknown_task', { path: '/metrics', name: rest.id }, of);
    return { ...rest, task: task ?? 0 };
  });
}

/** Figures of pairs of tasks. `values`: [approach, approach, figure] each. */
export function readCouplings(
  reader: Reader,
  value: Json | undefined,
  limits: PlanLimits,
  tasks: readonly Task[],
  places: ReadonlyMap<string, number>,
): readonly Coupling[] {
  const at = { path: '/couplings', name: 'couplings' };
  const couplings = reader.list(value, at, limits.couplings).map((item, index) => {
    const place = within(at, index);
    const object = reader.object(item, place, ['id', 'tasks', 'op', 'bound', 'values'], HELD_KEYS);
    const id = reader.name(field(object, 'id'), within(place, 'id'));
    const own = within(at, index, id);
    const pair = reader.list(field(object, 'tasks'), within(own, 'tasks'), 2);
    if (pair.length !== 2 || pair[0] === pair[1]) reader.fail('shape', within(own, 'tasks'), 'two tasks');
    const [first, second] = [0, 1].map((side) => {
      const name = pair[side];
      const task = typeof name === 'string' ? places.get(name) : undefined;
      if (task === undefined) reader.fail('unknown_task', within(own, 'tasks'), renderValue(name));
      return task ?? 0;
    });
    const both: readonly [number, number] = [first ?? 0, second ?? 0];
    return {
      ...held(reader, object, own, { id, unit: '', bound: 'bound' }, ALL),
      tasks: both,
      values: readTable(reader, field(object, 'values'), own, [tasks[both[0]], tasks[both[1]]]),
    };
  });
  return sortedById(reader, couplings, at);
}

function readTable(
  reader: Reader,
  value: Json | undefined,
  own: At,
  [first, second]: readonly [Task | undefined, Task | undefined],
): readonly (readonly (number | null)[])[] {
  const [rows, columns] = [first?.approaches ?? [], second?.approaches ?? []];
  const table = rows.map(() => columns.map((): number | null => null));
  const at = within(own, 'values');
  for (const [index, item] of reader.list(value, at, rows.length * columns.length).entries()) {
    const place = within(at, index);
    const triple = isArray(item) && item.length === 3 ? item : [];
    if (triple.length === 0) reader.fail('shape', place, '[approach, approach, figure]');
    const a = rows.findIndex(({ id }) => id === triple[0]);
    const b = columns.findIndex(({ id }) => id === triple[1]);
    const cells = table[a];
    if (cells === undefined || b < 0)
      reader.fail('unknown_approach', place, renderValue(cells === undefined ? triple[0] : triple[1]));
    else if (cells[b] !== null)
      reader.fail('duplicate', place, `${renderValue(triple[0])}, ${renderValue(triple[1])}`);
    else cells[b] = reader.integer(triple[2], within(place, 2), TOTAL_MAX);
  }
  return table;
}
