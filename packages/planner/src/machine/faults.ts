/** What is not accepted of answers beyond their shape. Source: dec-K30, dec-K66, dec-K80, dec-K82. */
import type { Rejection } from '@assay/kernel';
import { TOTAL_MAX } from '../plan/plan.js';
import { GRANT_MAX } from '../policy/policy.js';
import type { Bodies } from '../protocol/bodies.js';
import type { ConstraintDraft } from '../protocol/constraint.js';
import type { Answers } from '../protocol/requests.js';
import { PERSON } from '../protocol/resolver.js';
import { grantedIn, shown } from './failing.js';
import { convertAmounts } from './money.js';
import { isNothing } from './node.js';
import { sumTotals } from './planning.js';
import { getNode, type PlannerState } from './state.js';
import { refuse, requireSetup, type Step } from './step.js';

/** A name that is not among those that are known. */
export function nameFault(
  ids: readonly string[],
  known: readonly { readonly id: string }[],
): Rejection | null {
  const unknown = ids.find((name) => !known.some(({ id }) => id === name));
  return unknown === undefined ? null : refuse('unknown_name', { name: unknown.slice(0, 256) });
}

/** A person settles each conflict by taking one side back; nobody else takes anything back. */
export function conflictFault(
  conflicts: Bodies['extract']['conflicts'],
  drop: readonly string[],
): Rejection | null {
  const known = conflicts.flat().map((id) => ({ id }));
  const open = conflicts.find(([a, b]) => !drop.includes(a) && !drop.includes(b));
  return nameFault(drop, known) ?? (open === undefined ? null : refuse('unsettled', { conflict: open }));
}

/** New constraints: a name that is taken must say the same, and checks must have been declared. */
export function draftFault({ state, context }: Step, list: readonly ConstraintDraft[]): Rejection | null {
  const { checks } = requireSetup(state).policy;
  const names = list.map(({ id }) => id);
  const twice = names.find((id, at) => names.indexOf(id) < at);
  if (twice !== undefined) return refuse('constraint_taken', { name: twice });
  for (const draft of list) {
    const { id, payload } = draft;
    const known = state.constraints.get(id);
    if (known !== undefined && context.hash(shown(known)) !== context.hash(draft))
      return refuse('constraint_taken', { name: id });
    if (payload.t === 'check' && !checks.some(({ name }) => name === payload.name))
      return refuse('undeclared_check', { name: payload.name });
  }
  return null;
}

/** What a person decides must be of use. */
export function hireFault(step: Step, key: string, said: Answers['hire']): Rejection | null {
  const { state } = step;
  if (said.kind === 'decline') return null;
  if (said.kind !== 'increase_budget') {
    const { mode, checks } = requireSetup(state).policy;
    // A plan is not carried out here, and what a build makes is a tool.
    if (mode !== 'solve' || getNode(state, key).kind === 'build') return refuse('nothing_to_do', null);
    if (said.kind === 'person') return null;
    const isTaken = state.resolvers.has(said.name) || checks.some(({ name }) => name === said.name);
    return isTaken || said.name === PERSON ? refuse('name_taken', { name: said.name }) : null;
  }
  const amounts = convertAmounts(state, said.grants);
  if (isNothing(amounts)) return refuse('nothing_granted', { units: state.units });
  return grantedIn(step, amounts).some((amount) => amount > GRANT_MAX)
    ? refuse('too_large', { limit: 'budget' })
    : null;
}

/** Rows that are there, each once, and sums that stay exact. */
export function doneFault(
  state: PlannerState,
  key: string,
  { amounts, minutes }: Answers['done'],
  rows: Bodies['done']['rows'],
): Rejection | null {
  const names = amounts.map(([id]) => id);
  const twice = names.find((id, at) => names.indexOf(id) < at);
  if (twice !== undefined) return refuse('row_twice', { name: twice });
  const unknown = nameFault(names, rows);
  const { parent } = getNode(state, key);
  if (unknown !== null || parent === null || !state.plans.has(parent)) return unknown;
  const totals = sumTotals(state, parent);
  const isOver = (most: number, more: number): boolean => most + more > TOTAL_MAX;
  const large = rows.find(({ id }, at) => {
    const [, more = 0] = amounts.find(([name]) => name === id) ?? [];
    return isOver(totals.amounts[at]?.[2] ?? 0, more);
  });
  if (large !== undefined) return refuse('too_large', { limit: large.id });
  return isOver(totals.minutes[2], minutes ?? 0) ? refuse('too_large', { limit: 'minutes' }) : null;
}
