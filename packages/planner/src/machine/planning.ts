/**
 * From a proposed decomposition to a plan, and the plan as it stands: what has begun is fixed, what is left may
 * be done otherwise. Source: dec-K18, dec-K54, dec-K58, dec-K71, dec-K73, dec-K80, law-F20.
 */
import {
  err,
  isArray,
  isObject,
  ok,
  type Json,
  type JsonObject,
  type Rejection,
  type Result,
} from '@assay/kernel';
import { listObjects } from '@assay/kernel/shape';
import { listExits } from '../network/schedule.js';
import {
  planLimits,
  TOTAL_MAX,
  type Approach,
  type Coupling,
  type Estimate,
  type Held,
  type Plan,
  type Task,
} from '../plan/plan.js';
import { parsePlan } from '../plan/parse.js';
import type { Split } from '../protocol/answers.js';
import { idSet, type Constraint } from '../protocol/constraint.js';
import { chooseLevelling, measureLength, rollup, makeSchedule } from '../rollup/rollup.js';
import { calibratePlan, listFactors } from './calibrating.js';
import type { GoalNode } from './node.js';
import { getNode, type NodePlan, type PlannerState } from './state.js';
import { listConstraints, getPlan, refuse, requireSetup } from './step.js';

/** A decomposition that can be recorded. */
export type Planned = Pick<NodePlan, 'file' | 'carries' | 'needs' | 'unchecked'> &
  Pick<GoalNode, 'calibrated'>;

/** The key of the node that does a task. */
export function childKey({ key, version }: Pick<GoalNode, 'key' | 'version'>, task: string): string {
  return version > 1 ? `${key}~${version}/${task}` : `${key}/${task}`;
}

/** Constraints that add up and hold for a node's plan: its own and those it inherits. */
function listAggregates(state: PlannerState, { selected, inherited, kind }: GoalNode): readonly Constraint[] {
  const ids = idSet(selected ?? [], kind === 'build' ? [] : inherited);
  return listConstraints(state, ids).filter(({ scope }) => scope === 'aggregate');
}

/**
 * Reads a decomposition. Rejections: `bad_plan` with the fault of the plan; `too_large` {limit};
 * `no_exit_task` {tasks} where a model leaves several ends; `unknown_task`, `unknown_constraint` {name} where a
 * list names what is not there.
 */
export function readSplit(
  state: PlannerState,
  node: GoalNode,
  split: Split,
  isAuthored: boolean,
): Result<Rejection, Planned> {
  const { policy, input } = requireSetup(state);
  const { limits } = policy;
  const aggregates = listAggregates(state, node);
  const caps = aggregates.filter(({ payload }) => payload.t === 'cap');
  if (caps.length > limits.rows) return err(refuse('too_large', { limit: 'rows' }));
  const figures = new Map(
    listConstraints(state, node.selected ?? []).flatMap((each) =>
      each.payload.t === 'figure' ? [[each.id, { ...each, payload: each.payload }] as const] : [],
    ),
  );
  const measured = [
    ...split.measures.map(([id]) => id),
    ...split.couples.map(({ constraint }) => constraint),
  ];
  const stranger = measured.find((id) => !figures.has(id));
  if (stranger !== undefined) return err(refuse('unknown_constraint', { name: stranger }));
  const whole: JsonObject = {
    plan: 1,
    goal: node.title.slice(0, 4_000),
    rows: caps.flatMap(capRow),
    metrics: split.measures.map(([id, task]) => ({ ...figureRow(figures.get(id)), task })),
    couplings: split.couples.map(({ constraint, tasks, values }) => ({
      ...figureRow(figures.get(constraint)),
      tasks,
      values,
    })),
    ...findDeadline(aggregates),
    ...(split.start === undefined ? {} : { start: split.start }),
    ...(split.hours_per_day === undefined ? {} : { hours_per_day: split.hours_per_day }),
    ...(split.renewable === undefined ? {} : { renewable: split.renewable }),
    tasks: split.tasks,
  };
  const given = withoutStruck(whole, input.strikes);
  const parse = (each: JsonObject): ReturnType<typeof parsePlan> =>
    parsePlan(each, {
      ...planLimits,
      tasks: limits.tasks,
      alternatives: limits.alternatives,
      rows: limits.rows,
    });
  const by = listFactors(state);
  const scaled = by.length === 0 ? given : calibratePlan(given, by);
  // Estimates that are multiplied may be too large, or two of them one: then they stay as they were given.
  const isScaled = by.length > 0 && parse(scaled)._tag === 'Right';
  const file = isScaled ? scaled : given;
  const read = parse(file);
  if (read._tag === 'Left') return err(refuse('bad_plan', { ...read.left }));
  const { tasks } = read.right;
  const names = new Set(tasks.map(({ id }) => id));
  const named = [...split.carries.map(([task]) => task), ...split.needs.map(([task]) => task)];
  const unknown = named.find((task) => !names.has(task));
  if (unknown !== undefined) return err(refuse('unknown_task', { name: unknown }));
  const selected = node.selected ?? [];
  const carried = idSet(...split.carries.map(([, ids]) => ids));
  const foreign = carried.find((id) => !selected.includes(id));
  if (foreign !== undefined) return err(refuse('unknown_constraint', { name: foreign }));
  const exits = listExits(tasks);
  if (exits.length > 1 && !isAuthored) return err(refuse('no_exit_task', { tasks: exits.slice(0, 32) }));
  if (policy.mode !== 'plan' && state.made + tasks.length > limits.nodes)
    return err(refuse('too_large', { limit: 'nodes' }));
  const unchecked = listConstraints(state, selected)
    .filter(
      ({ id, scope, payload }) =>
        scope === 'local' && payload.t !== 'quantity' && !carried.includes(id) && !measured.includes(id),
    )
    .map(({ id }) => id);
  const carries = split.carries.map(([task, ids]) => [task, idSet(ids)] as const);
  return ok({ file, carries, needs: split.needs, unchecked, calibrated: isScaled ? by : [] });
}

function capRow({ id, hard, payload }: Constraint): readonly JsonObject[] {
  if (payload.t !== 'cap') return [];
  const { unit, op, bound, margin, otherwise } = payload;
  return [
    {
      id,
      unit,
      op,
      cap: bound,
      hard,
      ...(margin === null ? {} : { margin }),
      ...(otherwise === null ? {} : { default: otherwise }),
    },
  ];
}

function figureRow(given: Constraint | undefined): JsonObject {
  if (given?.payload.t !== 'figure') return {};
  const { unit, op, bound, margin } = given.payload;
  return { id: given.id, unit, op, bound, hard: given.hard, ...(margin === null ? {} : { margin }) };
}

function findDeadline(aggregates: readonly Constraint[]): JsonObject {
  for (const { hard, payload } of aggregates)
    if (payload.t === 'deadline') {
      const { op, bound, margin } = payload;
      return { deadline: { op, minutes: bound, hard, ...(margin === null ? {} : { margin }) } };
    }
  return {};
}

/**
 * A plan file without the approaches that must not be taken. The first that is left of a task is its own then;
 * a task that keeps none loses its figures, and the parser says so.
 */
function withoutStruck(file: JsonObject, strikes: readonly string[]): JsonObject {
  if (strikes.length === 0) return file;
  const isStruck = (task: Json | undefined, approach: Json | undefined): boolean =>
    typeof task === 'string' && typeof approach === 'string' && strikes.includes(`${task}.${approach}`);
  const tasks = listObjects(file['tasks']).map((task): JsonObject => {
    const left = listObjects(task['alternatives']).filter(({ id }) => !isStruck(task['id'], id));
    if (!isStruck(task['id'], task['approach'] ?? 'base'))
      return task['alternatives'] === undefined ? task : { ...task, alternatives: left };
    const { id, title, kind, after } = task;
    const [first, ...others] = left;
    const head = Object.entries({ id, title, kind, after }).filter(([, value]) => value !== undefined);
    const { id: approach = '', ...figures } = first ?? {};
    return { ...figures, ...(Object.fromEntries(head) as JsonObject), approach, alternatives: others };
  });
  const couplings = listObjects(file['couplings']).map((coupling): JsonObject => {
    const { tasks: pair, values } = coupling;
    if (!isArray(pair) || !isArray(values)) return coupling;
    const kept = values.filter(
      (value) => !isArray(value) || !pair.some((task, at) => isStruck(task, value[at])),
    );
    return { ...coupling, values: kept };
  });
  return { ...file, tasks, couplings };
}

/** A plan file with more approaches and figures; the parser judges whether they fit. */
export function withApproaches(
  file: JsonObject,
  added: readonly { readonly task: string; readonly approach: JsonObject }[],
  figures: readonly {
    readonly constraint: string;
    readonly task: string;
    readonly approach: string;
    readonly value: Json;
  }[],
  values: readonly {
    readonly constraint: string;
    readonly approaches: readonly string[];
    readonly value: number;
  }[],
  strikes: readonly string[],
): JsonObject {
  const tasks = listObjects(file['tasks']).map((task) => {
    const more = added.filter((each) => each.task === task['id']).map(({ approach }) => approach);
    const full: JsonObject =
      more.length === 0 ? task : { ...task, alternatives: [...listObjects(task['alternatives']), ...more] };
    const own = figures.filter((each) => each.task === task['id']);
    return own.length === 0 ? full : withFigures(full, own);
  });
  const couplings = listObjects(file['couplings']).map((coupling) => {
    const more = values.filter(({ constraint }) => constraint === coupling['id']);
    const old = coupling['values'];
    return more.length === 0
      ? coupling
      : {
          ...coupling,
          values: [
            ...(isArray(old) ? old : []),
            ...more.map(({ approaches, value }) => [...approaches, value]),
          ],
        };
  });
  return withoutStruck({ ...file, tasks, couplings }, strikes);
}

function withFigures(
  task: JsonObject,
  figures: readonly { readonly constraint: string; readonly approach: string; readonly value: Json }[],
): JsonObject {
  const stated = (approach: JsonObject, id: Json | undefined): JsonObject => {
    const mine = figures.filter((each) => each.approach === id);
    if (mine.length === 0) return approach;
    const before = approach['metrics'];
    const metrics = {
      ...(isObject(before) ? before : {}),
      ...Object.fromEntries(mine.map(({ constraint, value }) => [constraint, value])),
    };
    return { ...approach, metrics };
  };
  const others = listObjects(task['alternatives']);
  const own = stated(task, task['approach'] ?? 'base');
  return others.length === 0 ? own : { ...own, alternatives: others.map((each) => stated(each, each['id'])) };
}

/**
 * The plan of a node as it stands: each task's present approach first, with what it has come to; nothing else
 * where it has begun. Below the root rows hold what the plans above leave.
 */
export function standing(state: PlannerState, key: string): Plan {
  const node = getNode(state, key);
  const { plan, choice, actuals } = getPlan(state, key);
  const order = plan.tasks.map(({ id, approaches }, at): readonly number[] => {
    const chosen = choice[at] ?? 0;
    const child = state.nodes.get(childKey(node, id));
    const isFixed = (actuals[at] ?? null) !== null || child?.begun === true;
    return isFixed ? [chosen] : [chosen, ...[...approaches.keys()].filter((place) => place !== chosen)];
  });
  const tasks = plan.tasks.map((task, at): Task => {
    const actual = actuals[at] ?? null;
    const approaches = (order[at] ?? []).flatMap((place): readonly Approach[] => {
      const approach = task.approaches[place];
      if (approach === undefined) return [];
      return [actual === null ? approach : { ...approach, minutes: actual.minutes, amounts: actual.amounts }];
    });
    return { ...task, approaches };
  });
  const couplings = plan.couplings.map((coupling): Coupling => {
    const [first, second] = coupling.tasks;
    const values = (order[first] ?? []).map((a) =>
      (order[second] ?? []).map((b) => coupling.values[a]?.[b] ?? null),
    );
    return { ...coupling, values };
  });
  return withRooms(state, node, { ...plan, tasks, couplings });
}

/** What the plans above leave for a node: bounds of rows by id, and calendar minutes. */
function withRooms(state: PlannerState, node: GoalNode, plan: Plan): Plan {
  const { parent } = node;
  if (parent === null || node.kind === 'build' || (plan.rows.length === 0 && plan.deadline === null))
    return plan;
  const above = standing(state, parent);
  const at = above.tasks.findIndex(({ id }) => id === node.task);
  const own = above.tasks[at]?.approaches[0];
  if (own === undefined) return plan;
  const { lines } = rollup(above);
  const room = (held: Held, used: number): Held => {
    const slack = lines.find(({ id }) => id === held.id)?.slack ?? null;
    return slack === null ? held : bounded(held, slack + used);
  };
  const window = (): number => {
    // As levelled nothing but the end of all may move.
    if (chooseLevelling(above) === 'levelled')
      return own.minutes[1] + (lines.find(({ kind }) => kind === 'deadline')?.slack ?? 0);
    const times = makeSchedule(above, above.deadline);
    return (times.latestFinish[at] ?? 0) - (times.earliestStart[at] ?? 0);
  };
  return {
    ...plan,
    rows: plan.rows.map((row) => {
      const place = above.rows.findIndex(({ id }) => id === row.id);
      return room(row, own.amounts[place]?.[1] ?? 0);
    }),
    deadline: plan.deadline === null ? null : bounded({ ...plan.deadline, op: '<=' }, window()),
  };
}

/** A cap that leaves so much; below zero nothing fits. */
function bounded(held: Held, bound: number): Held {
  return bound < 0 ? { ...held, op: '<', bound: 0 } : { ...held, bound: Math.min(bound, TOTAL_MAX) };
}

/**
 * What the plan of a node adds up to: low, mid and high of each row, and how long it takes where a deadline is
 * held. What has begun counts with what it has come to. Linear in its tasks.
 */
export function sumTotals(
  state: PlannerState,
  key: string,
): { readonly amounts: readonly Estimate[]; readonly minutes: Estimate } {
  const { plan, choice, actuals } = getPlan(state, key);
  const now = plan.tasks.map(({ approaches }, at) => actuals[at] ?? approaches[choice[at] ?? 0]);
  const sum = (row: number, end: 0 | 1 | 2): number =>
    now.reduce((total, each) => total + (each?.amounts[row]?.[end] ?? 0), 0);
  const amounts = plan.rows.map((_, row): Estimate => [sum(row, 0), sum(row, 1), sum(row, 2)]);
  if (plan.deadline === null) return { amounts, minutes: [0, 0, 0] };
  return {
    amounts,
    minutes: measureLength(
      plan,
      plan.tasks.map(({ approaches }, at) => ({
        minutes: now[at]?.minutes ?? [0, 0, 0],
        uses: approaches[choice[at] ?? 0]?.uses ?? [],
      })),
    ),
  };
}
