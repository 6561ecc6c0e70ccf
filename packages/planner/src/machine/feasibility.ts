/**
 * The stage between a plan and its verification: roll-up, core, survey, repair; or why nothing fits. Source:
 * 000 v1; dec-K55, dec-K60 to dec-K64, dec-K69, dec-K77 to dec-K79.
 */
import { err, ok, type Meter, type Rejection, type Result } from '@assay/kernel';
import { parsePlan } from '../plan/parse.js';
import { planLimits, makeChoice, namedChoice, type Choice, type Plan } from '../plan/plan.js';
import type { Answers } from '../protocol/requests.js';
import { nextRepairs, compareRepairs, repairKey } from '../repair/next.js';
import type { Suggestion } from '../repair/repair.js';
import { checkPlan, type PlanReport } from '../report/report.js';
import { isFit, rollup, type Rollup } from '../rollup/rollup.js';
import { coresNow } from '../cores/core.js';
import { askRouted } from './asking.js';
import { calibrate } from './calibrating.js';
import { fail } from './failing.js';
import { standing, withApproaches } from './planning.js';
import { splitLines, makeReport } from './finishing.js';
import { askSurvey } from './settling.js';
import { getNode } from './state.js';
import { ask, draw, move, getPlan, refuse, requireSetup, type Step } from './step.js';
import { verifyNode } from './verifying.js';

/**
 * Judges the plan of a node: asks for other approaches where its caps break or nobody is sure, repairs it, and
 * hands it to its judges; or ends the node, with the core and the least raise in its report.
 */
export function judgePlan(step: Step, key: string, suggestion: Suggestion | null = null): void {
  const plan = standing(step.state, key);
  const before = rollup(plan);
  step.emit({ t: 'rolled_up', node: key, status: before.status, lines: splitLines(before.lines) });
  if (suggestion === null && surveyed(step, key, plan, before)) return;
  const { limits, solver, rank } = requireSetup(step.state).policy;
  const { meter } = step.context;
  const report = checkPlan(plan, limits.search_nodes, suggestion, meter);
  const { repair } = report;
  if (repair === null) {
    accept(step, key, report);
    return;
  }
  if (!('choice' in repair)) {
    judged(step, key, false, report);
    fail(step, key, repair.label === 'none' ? 'cap_unreachable' : 'search_limit');
    return;
  }
  if (repair.label === 'bounded' && solver && !getPlan(step.state, key).solved) {
    step.emit({ t: 'solver', node: key, used: true });
    const { file } = getPlan(step.state, key);
    const best = namedChoice(plan, repair.choice);
    ask(step, 'choose', key, { node: key, plan: file, best, unfinished: repair.unfinished ?? '' });
    return;
  }
  const equal =
    rank && repair.label === 'exact' ? equalTo(plan, repair.choice, limits.search_nodes, meter) : [];
  if (equal.length > 0) {
    const repairs = [repair.choice, ...equal].map((choice) => repairKey(plan, choice).changes);
    if (askRouted(step, 'rank', key, { node: key, repairs })) return;
  }
  take(step, key, plan, repair.choice, repair.label);
  accept(step, key, report);
}

/** Asks for other approaches of the tasks of a core, and of those nobody is sure of; true where it did. */
function surveyed(step: Step, key: string, plan: Plan, before: Rollup): boolean {
  const { policy } = requireSetup(step.state);
  const { surveyed: done, surveys } = getPlan(step.state, key);
  const cores = coresNow(plan, before);
  const inCore = new Set(cores.flatMap(({ tasks }) => tasks));
  const unsure = (task: Plan['tasks'][number]): boolean =>
    (task.approaches[0]?.confidence ?? 0) < policy.survey_below;
  const triggered = plan.tasks.filter((task) => inCore.has(task.id) || unsure(task));
  const survey = triggered.map(({ id }) => id);
  if (cores.length > 0)
    step.emit({
      t: 'core',
      node: key,
      cores: cores.map(({ constraints, tasks, amounts }) => ({ constraints, tasks, amounts })),
      survey,
    });
  const missing = missingNow(plan);
  const open = triggered
    .filter(({ id, approaches }) => approaches.length === 1 && !done.includes(id))
    .map(({ id }) => id);
  if (!policy.survey || surveys >= policy.limits.surveys || (open.length === 0 && missing.length === 0))
    return false;
  askSurvey(step, key, plan, open.slice(0, policy.limits.surveyed), missing.slice(0, 256));
  return true;
}

/** Figures of hard constraints that nobody has stated for the plan as it stands. Source: dec-K69. */
function missingNow(
  plan: Plan,
): readonly { readonly constraint: string; readonly approaches: readonly string[] }[] {
  const name = (at: number): string =>
    `${plan.tasks[at]?.id ?? ''}.${plan.tasks[at]?.approaches[0]?.id ?? ''}`;
  return rollup(plan).lines.flatMap(({ id, status, held }) => {
    if (status !== 'UNKNOWN' || !held.isHard) return [];
    const metric = plan.metrics.find((each) => each.id === id);
    if (metric !== undefined) return [{ constraint: id, approaches: [name(metric.task)] }];
    const tasks = plan.couplings.find((each) => each.id === id)?.tasks ?? [];
    return [{ constraint: id, approaches: tasks.map(name) }];
  });
}

/** Repairs that differ from the first in nothing but names. */
function equalTo(plan: Plan, choice: Choice, nodes: number, meter: Meter): readonly Choice[] {
  const first = repairKey(plan, choice);
  return nextRepairs(plan, choice, nodes, meter)
    .repairs.filter(({ key }) => compareRepairs({ ...key, changes: first.changes }, first) === 0)
    .filter(({ key }) => key.changes.length === first.changes.length)
    .map(({ choice: other }) => other);
}

function take(step: Step, key: string, plan: Plan, choice: Choice, label: string): void {
  const changes = repairKey(plan, choice).changes;
  step.emit({ t: 'repaired', node: key, choice: namedChoice(plan, choice), label, changes, replan: false });
  const after = standing(step.state, key);
  const { status, lines } = rollup(after);
  step.emit({ t: 'rolled_up', node: key, status, lines: splitLines(lines) });
  const { id } = getNode(step.state, key);
  draw(step, 'decision', { node: id, repair: changes, label }, id);
}

function judged(step: Step, key: string, fits: boolean, report: PlanReport): void {
  const isRoot = key === step.state.root;
  step.emit({
    t: 'judged',
    node: key,
    fits,
    report: isRoot ? makeReport(report) : { status: report.before.status },
  });
}

function accept(step: Step, key: string, report: PlanReport): void {
  judged(step, key, true, report);
  const { unchecked } = getPlan(step.state, key);
  for (const id of unchecked)
    step.emit({ t: 'question', node: key, text: `no task carries and no row checks ${id}` });
  if (getNode(step.state, key).status === 'resolving') move(step, key, 'verifying', 'feasible');
  verifyNode(step, key);
}

/** Reads a survey against the plan. Rejections: `unknown_task` {name}, `bad_survey` with the plan's fault. */
export function readSurvey(
  step: Pick<Step, 'state'>,
  key: string,
  { approaches, figures, values }: Answers['survey'],
): Result<Rejection, ReturnType<typeof withApproaches>> {
  const { file, plan } = getPlan(step.state, key);
  const { calibrated } = getNode(step.state, key);
  const { input, policy } = requireSetup(step.state);
  const names = new Set(plan.tasks.map(({ id }) => id));
  const named = [...approaches.map(({ task }) => task), ...figures.map(({ task }) => task)];
  const unknown = named.find((task) => !names.has(task));
  if (unknown !== undefined) return err(refuse('unknown_task', { name: unknown }));
  const added = approaches.map(({ task, approach }) => ({ task, approach: calibrate(approach, calibrated) }));
  const extended = withApproaches(file, added, figures, values, input.strikes);
  const read = parsePlan(extended, { ...planLimits, alternatives: policy.limits.alternatives });
  return read._tag === 'Left' ? err(refuse('bad_survey', { ...read.left })) : ok(extended);
}

/** Takes a survey: approaches are recorded whether they help or not; what helps is said. Source: dec-K61. */
export function takeSurvey(
  step: Step,
  key: string,
  file: ReturnType<typeof withApproaches>,
  asked: readonly string[],
): void {
  const before = standing(step.state, key);
  step.emit({ t: 'surveyed', node: key, file, tasks: asked });
  const after = standing(step.state, key);
  const helping = after.tasks.flatMap(({ id, approaches }, at) => {
    const own = before.tasks[at]?.approaches[0];
    const isBetter = approaches
      .slice(1)
      .some(
        ({ amounts, minutes, confidence }) =>
          own !== undefined &&
          (amounts.some((amount, row) => amount[1] < (own.amounts[row]?.[1] ?? 0)) ||
            minutes[1] < own.minutes[1] ||
            confidence > own.confidence),
      );
    return isBetter && asked.includes(id) ? [id] : [];
  });
  for (const id of asked.filter((each) => !helping.includes(each)))
    step.emit({ t: 'flagged', node: key, why: `survey_helps_nothing_for ${id}` });
}

/**
 * Reads a solver's choice. Nothing of it is believed. Rejections: `bad_choice` {task}, `row_broken`
 * {constraint}, `not_better` where it comes no sooner than the best that is known. Source: dec-K78, law-F19.
 */
export function readChoice(
  step: Pick<Step, 'state'>,
  key: string,
  { choice, weights, unit }: Answers['choose'],
  best: readonly (readonly [string, string])[],
): Result<Rejection, Suggestion> {
  const plan = standing(step.state, key);
  const named = new Map(choice);
  const bad = plan.tasks.find(
    ({ id, approaches }) => !approaches.some((approach) => approach.id === named.get(id)),
  );
  if (bad !== undefined) return err(refuse('bad_choice', { task: bad.id }));
  const places = makeChoice(plan, choice);
  const broken = rollup(plan, places).lines.find((line) => line.held.isHard && !isFit(line));
  if (broken !== undefined) return err(refuse('row_broken', { constraint: broken.id }));
  const known = repairKey(plan, makeChoice(plan, best));
  if (compareRepairs(repairKey(plan, places), known) >= 0) return err(refuse('not_better', null));
  return ok({ choice: places, weights, unit });
}

/** Takes the repair that was ranked first among equal ones. */
export function takeRank(step: Step, key: string, order: readonly number[]): void {
  const plan = standing(step.state, key);
  const { limits } = requireSetup(step.state).policy;
  const { meter } = step.context;
  const report = checkPlan(plan, limits.search_nodes, null, meter);
  const { repair } = report;
  if (repair === null || !('choice' in repair)) return;
  const choices = [repair.choice, ...equalTo(plan, repair.choice, limits.search_nodes, meter)];
  take(step, key, plan, choices[order[0] ?? 0] ?? repair.choice, repair.label);
  accept(step, key, report);
}
