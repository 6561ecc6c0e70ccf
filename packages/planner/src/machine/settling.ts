/**
 * Actuals: what is done counts with what it cost, what is left with its estimate; where a cap then breaks, only
 * what has not begun is planned again. Source: dec-K54, dec-K76, dec-K80.
 */
import { listObjects } from '@assay/kernel/shape';
import { namedChoice, type Approach, type Estimate, type Held, type Plan } from '../plan/plan.js';
import { leastRaise } from '../repair/raise.js';
import { repair } from '../repair/repair.js';
import { rollup, passes } from '../rollup/rollup.js';
import { coresNow } from '../cores/core.js';
import type { LibraryRow } from '../protocol/bodies.js';
import { askRouted, canAsk } from './asking.js';
import { fail, toGoalKind, note, shown } from './failing.js';
import { childKey, standing, sumTotals } from './planning.js';
import { splitLines } from './finishing.js';
import { type GoalNode, plus, zeros } from './node.js';
import { divideOut } from './calibrating.js';
import { getNode, type PlannerState } from './state.js';
import { listConstraints, getPlan, requireSetup, type Step } from './step.js';

const MINUTE_US = 60_000_000;

/** True where a plan holds anything that adds up. */
function isHeld({ rows, deadline }: Plan): boolean {
  return rows.length > 0 || deadline !== null;
}

/** A node is through: what it cost replaces what it was to cost, all the way up. */
export function settleNode(step: Step, key: string): void {
  const node = getNode(step.state, key);
  if (node.parent === null || node.kind === 'build') return;
  const above = step.state.plans.get(node.parent);
  const { actual } = node;
  if (above === undefined || (actual === null && !isHeld(above.plan))) return;
  const { plan, choice } = above;
  const at = plan.tasks.findIndex(({ id }) => id === node.task);
  const approach = plan.tasks[at]?.approaches[choice[at] ?? 0];
  if (approach === undefined) return;
  const used = plus(node.account.spent, node.below);
  const said = new Map(actual?.amounts);
  const amounts = plan.rows.map(({ id, unit }, place): Estimate => {
    const estimated = approach.amounts[place] ?? [0, 0, 0];
    const own =
      said.get(id) ?? used[step.state.units.indexOf(unit)] ?? (actual === null ? null : estimated[1]);
    return own === null ? estimated : [own, own, own];
  });
  noteCosts(step, node, approach, plan, amounts);
  const took = actual === null ? minutesTaken(step, node) : (actual.minutes ?? approach.minutes[1]);
  const minutes: Estimate = took === null ? approach.minutes : [took, took, took];
  estimate(step, node, minutes, amounts, true);
}

/** How long a node took by the stamps of its answers; null where there are none. */
function minutesTaken({ state }: Step, { started_us }: GoalNode): number | null {
  const { now_us } = state.time;
  return now_us === null || started_us === null ? null : Math.ceil((now_us - started_us) / MINUTE_US);
}

/**
 * What a leaf was to cost and did, for the library: under the goal of the run. Only what was measured or said counts;
 * estimates are those that were given. Source: dec-K81.
 */
function noteCosts(
  step: Step,
  { output, decomposed, actual, parent }: GoalNode,
  { amounts: before, minutes }: Approach,
  { rows }: Plan,
  amounts: readonly Estimate[],
): void {
  if (decomposed || !requireSetup(step.state).policy.library) return;
  const goal = toGoalKind(step, getNode(step.state, step.state.root));
  const resolver = output?.resolver ?? '';
  const { calibrated } = getNode(step.state, parent ?? '');
  const row = (id: string | null, unit: string, was: number, came: number): readonly LibraryRow[] => {
    const estimated = divideOut(was, id, calibrated);
    return estimated === 0 ? [] : [{ t: 'estimate', goal, resolver, row: id, unit, estimated, actual: came }];
  };
  const said = new Set(actual?.amounts.map(([id]) => id));
  note(step, [
    ...rows.flatMap(({ id, unit }, place) =>
      said.has(id) || step.state.units.includes(unit)
        ? row(id, unit, before[place]?.[1] ?? 0, amounts[place]?.[1] ?? 0)
        : [],
    ),
    ...(typeof actual?.minutes === 'number' ? row(null, 'minutes', minutes[1], actual.minutes) : []),
  ]);
}

/** A node has a plan of its own: its total replaces what its task was estimated at. */
export function settlePlan(step: Step, key: string): void {
  const node = getNode(step.state, key);
  if (node.parent === null || node.kind === 'build' || !isHeld(getPlan(step.state, key).plan)) return;
  const { amounts, minutes } = sumTotals(step.state, key);
  estimate(step, node, minutes, amounts, false);
}

function estimate(
  step: Step,
  { parent, task }: GoalNode,
  minutes: Estimate,
  amounts: readonly Estimate[],
  done: boolean,
): void {
  if (parent === null) return;
  step.emit({ t: 'estimated', node: parent, task, minutes, amounts, done });
  const above = getNode(step.state, parent);
  if (above.parent !== null) settlePlan(step, parent);
  else hold(step, parent);
}

/** Whether what is done and the estimate of the rest break a cap of the root. */
export function isOverCap(state: PlannerState, root: string): boolean {
  const { plan } = getPlan(state, root);
  // Who shares a resource waits for it: that is no sum along the links.
  if (plan.renewable.length > 0)
    return rollup(standing(state, root)).lines.some(({ status, held }) => held.isHard && status === 'UNSAT');
  const { amounts, minutes } = sumTotals(state, root);
  const isBroken = ({ isHard, op, bound }: Held, mid: number): boolean => isHard && !passes(op, mid, bound);
  return (
    plan.rows.some((row, place) => isBroken(row, amounts[place]?.[1] ?? 0)) ||
    (plan.deadline !== null && isBroken(plan.deadline, minutes[1]))
  );
}

/** Looks at the root's caps again. */
function hold(step: Step, root: string): void {
  if (!isOverCap(step.state, root)) return;
  const plan = standing(step.state, root);
  const { status, lines } = rollup(plan);
  step.emit({ t: 'rolled_up', node: root, status, lines: splitLines(lines) });
  replan(step, root);
}

/** Plans again what has not begun: the root first, then what has a plan of its own below it. */
export function replan(step: Step, root: string): void {
  const { limits, survey } = requireSetup(step.state).policy;
  if (step.state.held !== null) return;
  const isLeft = step.state.replans < limits.replans;
  if (isLeft && (repairAt(step, root) || openPlans(step, root).some((key) => repairAt(step, key)))) return;
  const { surveyed, surveys } = getPlan(step.state, root);
  const plan = standing(step.state, root);
  const tasks = coresNow(plan).flatMap((core) => core.tasks);
  const wanted = plan.tasks.filter(
    ({ id, approaches }) =>
      tasks.includes(id) && approaches.length === 1 && !surveyed.includes(id) && !isBegun(step, root, id),
  );
  if (isLeft && survey && surveys < limits.surveys && wanted.length > 0 && canAsk(step, 'survey', root)) {
    const ids = wanted.slice(0, limits.surveyed).map(({ id }) => id);
    step.emit({ t: 'held', node: root });
    askSurvey(step, root, plan, ids, []);
    return;
  }
  step.emit({
    t: 'judged',
    node: root,
    fits: false,
    report: {
      ...step.state.judged,
      after: splitLines(rollup(plan).lines),
      least_raise: leastRaise(plan, limits.search_nodes, step.context.meter),
    },
  });
  // People go on all the same: they are told now, and the run is refused once all is done.
  if (requireSetup(step.state).policy.mode !== 'track') fail(step, root, 'cap_unreachable');
}

function isBegun(step: Step, key: string, task: string): boolean {
  return step.state.nodes.get(childKey(getNode(step.state, key), task))?.begun ?? false;
}

/** Plans below a node that are still worked on, in order of creation. */
function openPlans(step: Step, root: string): readonly string[] {
  const found: string[] = [];
  const open = [root];
  for (let key = open.shift(); key !== undefined; key = open.shift())
    for (const child of getNode(step.state, key).children) {
      const { status, decomposed } = getNode(step.state, child);
      if (!decomposed || status === 'resolved' || status === 'superseded') continue;
      found.push(child);
      open.push(child);
    }
  return found;
}

/** Repairs one plan so that it fits what is left for it; false where that cannot be. */
function repairAt(step: Step, key: string): boolean {
  if (step.context.meter.isSpent) return false;
  const plan = standing(step.state, key);
  const { limits } = requireSetup(step.state).policy;
  const found = repair(plan, limits.search_nodes, null, step.context.meter);
  if (!('choice' in found) || found.key.changes.length === 0) return false;
  step.emit({
    t: 'repaired',
    node: key,
    choice: namedChoice(plan, found.choice),
    label: found.label,
    changes: found.key.changes,
    replan: true,
  });
  putAnew(step, key, found.key.changes);
  const after = standing(step.state, key);
  const { status, lines } = rollup(after);
  step.emit({ t: 'rolled_up', node: key, status, lines: splitLines(lines) });
  if (key !== step.state.root) settleUp(step, key);
  return true;
}

/** A person who was asked what a task came to is asked of the other approach. */
function putAnew(
  step: Step,
  key: string,
  changes: readonly (readonly [task: string, approach: string])[],
): void {
  const changed = changes.map(([task]) => childKey(getNode(step.state, key), task));
  for (const [id, { kind, node }] of [...step.state.waiting.sorted()]) {
    if (kind !== 'done' || !changed.includes(node)) continue;
    step.stale.push(id);
    step.emit({ t: 'settled', id, spent: zeros(step.state.units.length), overrun: false, at_us: null });
    step.emit({ t: 'ready', node });
  }
}

/** Totals of a changed plan in the plans above it. */
function settleUp(step: Step, key: string): void {
  for (let at = key; at !== step.state.root; ) {
    const { parent, task } = getNode(step.state, at);
    if (parent === null) return;
    const { amounts, minutes } = sumTotals(step.state, at);
    step.emit({ t: 'estimated', node: parent, task, minutes, amounts, done: false });
    at = parent;
  }
}

/** Asks for other ways to do some tasks of a plan. */
export function askSurvey(
  step: Step,
  key: string,
  plan: Plan,
  ids: readonly string[],
  missing: readonly { readonly constraint: string; readonly approaches: readonly string[] }[],
): boolean {
  const { limits } = requireSetup(step.state).policy;
  const { lines } = rollup(plan);
  const broken = lines.filter(({ status }) => status === 'UNSAT').map(({ id }) => id);
  const cores = coresNow(plan);
  const { file } = getPlan(step.state, key);
  return askRouted(step, 'survey', key, {
    node: key,
    goal: getNode(step.state, key).title,
    tasks: listObjects(file['tasks']).flatMap((task) => {
      const found = plan.tasks.find(({ id }) => id === task['id']);
      if (found === undefined || !ids.includes(found.id)) return [];
      const why = cores
        .filter((core) => core.tasks.includes(found.id))
        .flatMap(({ constraints }) => constraints);
      return [{ id: found.id, title: found.title, kind: found.kind, why, approach: task }];
    }),
    violated: listConstraints(step.state, broken).map(shown),
    missing,
    limits: { alternatives: limits.alternatives },
  });
}
