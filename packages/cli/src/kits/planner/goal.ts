/**
 * What a call of `assay plan` asks: a goal in words, a plan file, or a template.
 *
 * @module
 */
import { field, type JsonObject } from '@assay/kernel';
import type { ConstraintDraft } from '@assay/planner';
import { statSync } from 'node:fs';
import { nameOf } from '../../files/read.js';
import { boundOf, capIn, deadlineIn, type GivenCap } from '../../options/caps.js';
import { readRequest } from '../../options/request.js';
import { misuse } from '../../problems/problem.js';
import { planSource, type SourceOptions } from './source.js';

/** The options that say what is planned. */
export type GoalOptions = SourceOptions & {
  readonly cap: readonly string[];
  readonly deadline?: string;
};

/** A goal. `split`: the tasks of a plan file or template, null where somebody must propose them. */
export type Goal = {
  readonly goal: string;
  readonly from: string;
  readonly constraints: readonly ConstraintDraft[];
  readonly split: JsonObject | null;
};

const PROSE = /\.(?:txt|text|md|markdown)$/i;

/** Reads what is planned. Raises `Stop`: `no_request`, and those of plan files, templates and bounds. */
export async function readGoal(given: string | undefined, options: GoalOptions): Promise<Goal> {
  const caps = options.cap.map(capIn);
  const deadline = options.deadline === undefined ? null : deadlineIn(options.deadline);
  const { template } = options;
  if (given === undefined && template === undefined)
    throw misuse(
      'no_request',
      'there is nothing to plan',
      '',
      'quote a goal, name a plan file, or give --template',
    );
  const isFile = given !== undefined && !PROSE.test(given) && (given === '-' || isThere(given));
  if (!isFile && template === undefined) {
    const { text, from } = await readRequest(given ?? '');
    return { goal: text, from, constraints: drafts(caps, deadline), split: null };
  }
  const { file, plan } = await planSource(isFile ? given : undefined, options, caps, deadline, 'plan');
  const { planGoal } = await import('@assay/rules/plans');
  if (plan.cost !== null && plan.cost !== usualCost(plan.rows.map(({ id }) => id)))
    throw misuse(
      'bad_plan',
      'the machine takes the row cost, or the first by name, as what costs',
      'cost',
      'name that row cost, or leave the key cost out; assay plan check takes it as it is',
    );
  const own = field(file, 'goal');
  const words = isFile ? (typeof own === 'string' && own !== '' ? own : nameOf(given)) : (given ?? plan.goal);
  return { goal: words, from: isFile ? given : `the template ${template ?? ''}`, ...planGoal(file, plan) };
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
function drafts(caps: readonly GivenCap[], deadline: GivenCap | null): readonly ConstraintDraft[] {
  const all = new Map([...caps, ...(deadline === null ? [] : [deadline])].map((cap) => [cap.id, cap]));
  return [...all.values()].map(boundDraft);
}

/** A bound as a constraint. Raises `Stop`: `bad_value`. */
export function boundDraft(given: GivenCap): ConstraintDraft {
  const { id, op } = given;
  const { unit, bound } = boundOf(given);
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
