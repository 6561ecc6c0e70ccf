/**
 * The same proposals in another order: members of objects, verdicts, criteria, sub-tasks, what a memory
 * recalls. A permuted plan gets other ids from the machine, so that whoever answers later says the same of
 * them by their new names.
 *
 * @module
 */
import { isObject, type Json } from '@assay/kernel';
import type { Draw } from '@assay/testing';
import fc from 'fast-check';

type Obj = { readonly [key: string]: Json };
/** Ids of one run by those of the other. */
export type Names = ReadonlyMap<string, string>;

/** A value with the members of every object in another order. */
export function membersPermuted(value: Json, draw: Draw): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => membersPermuted(item, draw));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    shuffled(Object.entries(value), draw).map(([key, item]) => [key, membersPermuted(item, draw)]),
  );
}

/** A list in another order. */
export function shuffled<T>(list: readonly T[], draw: Draw): readonly T[] {
  return draw(fc.shuffledSubarray([...list], { minLength: list.length }));
}

/**
 * A plan with sub-tasks and criteria in another order, and which id each of them has then. `round`: that of
 * the plan. Anything that is no plan stays as it is.
 */
export function planPermuted(
  value: Json,
  round: number,
  draw: Draw,
): { readonly value: Json; readonly names: Names } {
  const names = new Map<string, string>();
  if (!isObject(value) || !Array.isArray(value['subtasks']) || !Array.isArray(value['task_criteria']))
    return { value, names };
  const moved = (list: readonly Json[], prefix: string, to: string): readonly Json[] => {
    const order = shuffled([...list.keys()], draw);
    for (const [now, was] of order.entries()) names.set(`${prefix}.${was}`, `${to}.${now}`);
    return order.map((was) => list[was] ?? null);
  };
  const task_criteria = moved(value['task_criteria'] as readonly Json[], `${round}.t`, `${round}.t`);
  const subtasks = value['subtasks'] as readonly Json[];
  const placed = moved(
    subtasks.map((_, index) => index),
    `${round}`,
    `${round}`,
  ).map((was, now) => {
    const subtask = subtasks[Number(was)] as Obj;
    return {
      ...subtask,
      success_criteria: moved(
        subtask['success_criteria'] as readonly Json[],
        `${round}.${Number(was)}`,
        `${round}.${now}`,
      ),
      tools: shuffled(subtask['tools'] as readonly Json[], draw),
    } as Json;
  });
  return { value: { ...value, task_criteria, subtasks: placed }, names };
}

/** An answer with its verdicts in another order. */
export function verdictsPermuted(value: Json, draw: Draw): Json {
  return isObject(value) && Array.isArray(value['verdicts'])
    ? { ...value, verdicts: shuffled(value['verdicts'] as readonly Json[], draw) }
    : value;
}

/**
 * An answer about a plan, with the names that it has in the other run, and its verdicts or recalled tags,
 * rules and failures in another order.
 */
export function answerPermuted(value: Json, names: Names, draw: Draw): Json {
  const renamed = renamedIn(value, names);
  if (!isObject(renamed)) return renamed;
  return Object.fromEntries(
    Object.entries(renamed).map(([key, item]) => [
      key,
      LISTS.has(key) && Array.isArray(item) ? (shuffled(item as readonly Json[], draw) as Json) : item,
    ]),
  );
}

/** A value with every text that is an id replaced. */
export function renamedIn(value: Json, names: Names): Json {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => renamedIn(item, names));
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renamedIn(item, names)]))
    : value;
}

const LISTS: ReadonlySet<string> = new Set(['verdicts', 'tags', 'rules', 'failures']);
