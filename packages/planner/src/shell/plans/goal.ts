/**
 * A plan file as a goal for the planner: what it holds itself to becomes constraints, and its tasks with all
 * their approaches answer the request for them. Source: dec-K72, dec-K87.
 *
 * @module
 */
import { field, isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { listObjects } from '@assay/kernel/shape';
import type { ConstraintDraft } from '../../index.js';
import type { Held, Plan } from '../../schedule/index.js';

/** A plan file as what a run is asked, and as what answers it. */
export type PlanGoal = { readonly constraints: readonly ConstraintDraft[]; readonly split: JsonObject };

/**
 * Reads a plan file that parses to this plan. Bounds are those of the plan, so that other caps count.
 * Renewable resources are said in a question, since the machine does not hold them.
 */
export function planGoal(file: JsonObject, plan: Plan): PlanGoal {
  const { rows, deadline, metrics, couplings, tasks } = plan;
  const name = (at: number): string => tasks[at]?.id ?? '';
  const defaults = new Map(listObjects(file['rows']).map((row) => [row['id'], row['default']] as const));
  const cap = (row: Held): ConstraintDraft => {
    const otherwise = defaults.get(row.id);
    return constraint(row, 'cost', {
      t: 'cap',
      ...bounded(row),
      unit: row.unit,
      otherwise: typeof otherwise === 'number' ? otherwise : null,
    });
  };
  const figure = (held: Held): ConstraintDraft =>
    constraint(held, 'quality', { t: 'figure', ...bounded(held), unit: held.unit });
  return {
    constraints: [
      ...rows.map(cap),
      ...(deadline === null
        ? []
        : [constraint(deadline, 'schedule', { t: 'deadline', ...bounded(deadline) })]),
      ...[...metrics, ...couplings].map(figure),
    ],
    split: {
      tasks: listObjects(file['tasks']).map((task) => {
        const others = task['alternatives'];
        return {
          ...unused(task),
          ...(isArray(others) ? { alternatives: listObjects(others).map(unused) } : {}),
        };
      }),
      carries: [],
      needs: [],
      measures: metrics.map(({ id, task }) => [id, name(task)]),
      couples: listObjects(file['couplings']).map((each) => ({
        constraint: each['id'] ?? '',
        tasks: each['tasks'] ?? [],
        values: each['values'] ?? [],
      })),
      questions: plan.renewable.map(([id, most]) => `${id}, of which there are ${most}, is not held`),
    },
  };
}

/**
 * What a plan answers: `resolve` of the goal with its tasks, `survey` with nothing more, and where others
 * would judge, all that is there in the order in which it is there; no contradiction. Null for what it knows
 * nothing of.
 */
export function planAnswer(kind: string, body: Json, split: JsonObject): Json | null {
  const given = isObject(body) ? body : {};
  switch (kind) {
    case 'resolve':
      return field(given, 'node') === 'goal' ? split : null;
    case 'survey':
      return { approaches: [], figures: [], values: [] };
    case 'identify':
      return { apply: listIds(given['candidates']), constraints: [] };
    case 'select':
      return { selected: listIds(given['candidates']) };
    case 'route':
      return { steps: listIds(given['candidates']).slice(0, 1) };
    case 'rank':
      return { order: (isArray(given['repairs']) ? given['repairs'] : []).map((_, place) => place) };
    case 'consistency':
      return { conflicts: [] };
    default:
      return null;
  }
}

type Bounded = Pick<Extract<ConstraintDraft['payload'], { readonly t: 'figure' }>, 'op' | 'bound' | 'margin'>;

function bounded({ op, bound, margin }: Held): Bounded {
  return { op, bound, margin };
}

function constraint(
  { id, isHard }: Held,
  domain: string,
  payload: ConstraintDraft['payload'],
): ConstraintDraft {
  const scope = payload.t === 'figure' ? 'local' : 'aggregate';
  return { id, type: 'logic', domain, title: id, scope, hard: isHard, removal: null, payload };
}

/** A task or an approach without its renewable resources, which the machine does not hold. */
function unused(task: JsonObject): JsonObject {
  const { uses: _uses, ...rest } = task;
  return rest;
}

function listIds(value: Json | undefined): readonly string[] {
  return listObjects(value).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
}
