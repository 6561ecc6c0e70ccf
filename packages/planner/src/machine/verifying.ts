/**
 * Verification: checks are collected, the verdict is derived, and what follows is the machine's. Source: 000 §1
 * Steps 6 to 9; dec-K4, dec-K16, dec-K44 to dec-K48, dec-K82.
 */
import { schedule } from '../network/schedule.js';
import type { Check } from '../protocol/answers.js';
import type { Answers } from '../protocol/requests.js';
import { fitting, type Resolver } from '../protocol/resolver.js';
import { idSet, type Constraint } from '../protocol/constraint.js';
import { isFit, rollup } from '../rollup/rollup.js';
import { askRouted } from './asking.js';
import { canReopen, endBranch, fail, note, register, reopen, shown } from './failing.js';
import { failedTry, tried } from './growing.js';
import { allotted, refund } from './money.js';
import { childKey, standing } from './planning.js';
import { isOverCap, settleNode, settlePlan } from './settling.js';
import { reaches, sigmaPath, sigmaPpm, sigmaSystem, weakestOn } from './finishing.js';
import type { GoalNode } from './node.js';
import { getNode, type PlannerState } from './state.js';
import { listConstraints, draw, move, getPlan, requireSetup, type Step } from './step.js';

const SURE = 1_000_000;

/** Constraints that an output of a node must be checked for: of a plan those that a judge sees. */
function listWanted(state: PlannerState, node: GoalNode): readonly Constraint[] {
  const plan = state.plans.get(node.key);
  if (node.decomposed && requireSetup(state).policy.mode === 'track') return [];
  if (node.decomposed)
    return listConstraints(state, plan?.unchecked ?? []).filter(({ type }) => type === 'logic');
  const local = listConstraints(state, node.selected ?? []).filter(
    ({ scope, payload }) => scope === 'local' && payload.t !== 'quantity',
  );
  return plan === undefined ? local : local.filter(({ type }) => type === 'semantic');
}

/** Checks that the machine makes itself: rows, figures and the deadline of a plan; a tool that was to be built. */
function ownChecks(state: PlannerState, node: GoalNode): readonly Check[] {
  const plan = node.decomposed ? undefined : state.plans.get(node.key);
  if (plan === undefined) {
    if (node.kind !== 'build' || node.decomposed) return [];
    const isBuilt = node.manifest?.capabilities.includes(node.task) ?? false;
    return [makeCheck('manifest', isBuilt, isBuilt ? '' : `a resolver that provides ${node.task}`)];
  }
  const stands = standing(state, node.key);
  return rollup(stands).lines.flatMap((line) =>
    line.held.isHard ? [makeCheck(line.id, isFit(line), line.status)] : [],
  );
}

/** A finding that leaves no doubt: σ is one or nothing. */
export function makeCheck(constraint: string, passed: boolean, detail: string): Check {
  return { constraint, passed, sigma_ppm: passed ? SURE : 0, detail, repair: null };
}

/**
 * Goes on with the verification of a node: asks tools for what is logic, then judges for what is not, then
 * concludes. A constraint that failed ends it: the verdict is known.
 */
export function verifyNode(step: Step, key: string): void {
  const node = getNode(step.state, key);
  const wanted = listWanted(step.state, node);
  const checked = new Set(node.checks.map(({ constraint }) => constraint));
  const missing = wanted.filter(({ id }) => !checked.has(id));
  const hasFailed = [...node.checks, ...ownChecks(step.state, node)].some(({ passed }) => !passed);
  for (const judge of ['logic', 'semantic'] as const) {
    const asked = missing.filter(({ type }) => type === judge);
    if (asked.length === 0 || hasFailed) continue;
    const plan = node.decomposed ? undefined : step.state.plans.get(key);
    const [tool] = judge === 'logic' ? fitting(step.state.resolvers, 'test_execution', []) : [];
    const body = {
      node: key,
      goal: node.title,
      judge,
      constraints: asked.map(shown),
      output: node.output?.hash ?? '',
      summary: node.output?.summary ?? '',
      tasks:
        plan === undefined
          ? []
          : plan.plan.tasks.map(({ id, title, approaches }, at) => ({
              id,
              title,
              approach: approaches[plan.choice[at] ?? 0]?.id ?? '',
            })),
    };
    askRouted(step, 'verify', key, body, tool?.id ?? null);
    return;
  }
  conclude(step, key, missing);
}

/** What a judge or a tool found. Logic holds or does not: its σ is one or nothing (dec-K44). */
export function takeChecks(step: Step, key: string, { verdict, checks }: Answers['verify']): void {
  const found = checks.map((each): Check => {
    const isLogic = step.state.constraints.get(each.constraint)?.type === 'logic';
    return isLogic ? { ...each, sigma_ppm: each.passed ? SURE : 0 } : each;
  });
  step.emit({ t: 'checked', node: key, checks: found });
  const { tau } = requireSetup(step.state).policy;
  const derived = judgeVerdict(found, tau.local);
  if (verdict !== null && verdict !== derived)
    step.emit({ t: 'mismatch', node: key, said: verdict, derived });
  verifyNode(step, key);
}

function judgeVerdict(checks: readonly Check[], tau: number): 'SAT' | 'UNSAT' {
  const isHeld = checks.every(({ passed }) => passed) && computeSigma(checks) >= tau;
  return isHeld ? 'SAT' : 'UNSAT';
}

function computeSigma(checks: readonly Check[]): number {
  return checks.reduce((least, { sigma_ppm }) => Math.min(least, sigma_ppm), SURE);
}

/** The verdict, from the checks alone. Source: dec-K45, dec-K46. */
function conclude(step: Step, key: string, unchecked: readonly Constraint[]): void {
  const node = getNode(step.state, key);
  const own = ownChecks(step.state, node);
  const checks = [...own, ...node.checks];
  const { tau } = requireSetup(step.state).policy;
  const isPlan = !node.decomposed && step.state.plans.has(key);
  // Where nothing is selected, or a plan hands all of it on, nothing is left to be shown here.
  const isExhausted = listWanted(step.state, node).length === 0;
  const isNothing = checks.length === 0 && !isExhausted;
  const isWhole = unchecked.length === 0 || checks.some(({ passed }) => !passed);
  const verdict = isNothing || !isWhole ? 'UNSAT' : judgeVerdict(checks, tau.local);
  const sigma_ppm = isNothing ? 0 : computeSigma(checks);
  const why =
    checks.length > 0 ? null : isPlan ? 'carried' : isExhausted ? 'constraint_exhausted' : 'nothing_verified';
  if (node.decomposed) {
    composed(step, key, verdict, checks, sigma_ppm);
    return;
  }
  step.emit({ t: 'verified', node: key, verdict, sigma_ppm, checks, why });
  const payload = { node: node.id, verdict, sigma_ppm, attempt: node.attempts + 1 };
  draw(step, 'decision', payload, node.id);
  if (verdict === 'UNSAT') {
    const mode = checks.find(({ passed }) => !passed)?.constraint;
    failedTry(step, key, mode === undefined ? 'low_confidence' : `failed_${mode}`, sigma_ppm, checks);
    return;
  }
  tried(step, key, verdict, sigma_ppm, null, null);
  if (isPlan) accepted(step, key);
  else delivered(step, key);
}

/** A leaf that holds. */
function delivered(step: Step, key: string): void {
  const node = getNode(step.state, key);
  const { tau } = requireSetup(step.state).policy;
  if (!reaches(sigmaPath(step.state, key), tau.global))
    step.emit({ t: 'flagged', node: key, why: 'below_global_confidence' });
  resolved(step, key, 'verified');
  if (node.output !== null)
    note(step, [{ t: 'produced', resolver: node.output.resolver, output: node.output.hash }]);
  if (node.kind === 'build' && node.manifest !== null) built(step, node, node.manifest);
  passOn(step, key);
}

/** What was built joins the registry, with who made it, what it consists of and what it stands in for. */
function built(step: Step, { output, dependents }: GoalNode, manifest: Resolver): void {
  const by = output?.resolver ?? '';
  register(step, manifest, by);
  const from = manifest.id;
  const replaced = idSet(...dependents.map((key) => getNode(step.state, key).exhausted));
  note(step, [
    { t: 'edge', from, relation: 'built_by', to: by },
    ...manifest.composed_of.map((to) => ({ t: 'edge', from, relation: 'composed_of', to }) as const),
    ...replaced
      .filter((id) => id !== from)
      .map((id) => ({ t: 'edge', from: id, relation: 'replaced_by', to: from }) as const),
  ]);
}

/** A plan that holds: the gate, then its tasks become nodes. Source: 000 axiom B7; dec-K6, dec-K47. */
function accepted(step: Step, key: string): void {
  const { tau, mode } = requireSetup(step.state).policy;
  const sigma = sigmaPath(step.state, key);
  if (!reaches(sigma, tau.global)) {
    step.emit({ t: 'gated', node: key, sigma_path_ppm: sigmaPpm(sigma) });
    move(step, key, 'gated', 'below_global_confidence');
    const weakest = weakestOn(step.state, key);
    if (canReopen(step, weakest)) reopen(step, weakest, 'selecting_resolver', 'confidence');
    else step.emit({ t: 'ending', status: 'refused', reasons: ['confidence_floor'] });
    return;
  }
  if (mode === 'plan' && getNode(step.state, key).parent === null) {
    move(step, key, 'resolved', 'planned');
    step.emit({ t: 'ending', status: 'success', reasons: [] });
    return;
  }
  move(step, key, 'decomposing', 'verified');
  decompose(step, key);
}

/** Tasks become nodes: funded, ordered, with what they carry and what they may take for granted. */
function decompose(step: Step, key: string): void {
  const node = getNode(step.state, key);
  const { plan, choice, carries, needs } = getPlan(step.state, key);
  const carried = new Map(carries);
  const tags = new Map(needs);
  const known = idSet(node.inherited, node.selected ?? []);
  const minutes = plan.tasks.map(({ approaches }, at) => approaches[choice[at] ?? 0]?.minutes[1] ?? 0);
  const { level } = schedule(plan.tasks, minutes, null);
  // What children take for granted is said once; sums are never assumed (dec-K54, dec-K86).
  for (const { id: constraint, scope } of listConstraints(step.state, known))
    if (scope === 'local')
      draw(step, 'assumption', { node: node.id, version: node.version, constraint }, node.id);
  const ids = plan.tasks.map(({ id, title }) => {
    const payload = { parent: node.id, version: node.version, key: id, title };
    return draw(step, 'interpretation', payload, node.id);
  });
  // A task may wait for one that comes after it in the order of names: nodes are made level by level.
  const order = [...plan.tasks.keys()].toSorted((a, b) => (level[a] ?? 0) - (level[b] ?? 0) || a - b);
  for (const at of order) {
    const task = plan.tasks[at];
    const id = ids[at];
    if (task === undefined || id === undefined) continue;
    for (const before of task.after)
      step.drawn.edges.push({ kind: 'depends_on', from_id: id, to_id: ids[before] ?? id });
    const core = carried.get(task.id) ?? [];
    step.emit({
      t: 'node',
      key: childKey(node, task.id),
      id,
      parent: key,
      kind: 'goal',
      task: task.id,
      title: task.title,
      capability: tags.get(task.id) ?? 'generate_code',
      level: node.level + (level[at] ?? 1),
      core,
      inherited: known.filter((each) => !core.includes(each)),
      inputs: [],
      after: task.after.map((before) => childKey(node, plan.tasks[before]?.id ?? '')),
    });
  }
  const stands = standing(step.state, key);
  const costs = stands.tasks.map(({ approaches }) =>
    stands.cost === null ? 0 : (approaches[0]?.amounts[stands.cost]?.[1] ?? 0),
  );
  const weights = costs.some((cost) => cost > 0) ? costs : minutes;
  const children = plan.tasks.map(({ id }) => childKey(node, id));
  const transfers = allotted(step.state, key, children, weights, requireSetup(step.state).policy.reserve);
  if (step.state.units.length > 0) step.emit({ t: 'funded', why: 'allocate', transfers });
  move(step, key, 'pending', 'waits_for_children');
  settlePlan(step, key);
}

/** What children have made, verified as one. Source: dec-K4. */
function composed(
  step: Step,
  key: string,
  verdict: 'SAT' | 'UNSAT',
  checks: readonly Check[],
  sigma_ppm: number,
): void {
  const before = getNode(step.state, key);
  const least = Math.min(before.sigma_ppm ?? 0, sigma_ppm);
  const why = checks.length === 0 ? 'carried' : null;
  step.emit({ t: 'verified', node: key, verdict, sigma_ppm: least, checks, why });
  if (verdict === 'UNSAT') {
    move(step, key, 'pending', 'composition_failed');
    if (canReopen(step, key)) reopen(step, key, 'selecting_resolver', 'composition_failed');
    else fail(step, key, 'composition_failed');
    return;
  }
  resolved(step, key, 'composed');
  passOn(step, key);
}

/** A node is through: what it made is drawn, and what it has left goes back. */
function resolved(step: Step, key: string, cause: string): void {
  const { id, output } = getNode(step.state, key);
  if (output !== null) {
    const { hash, format, resolver } = output;
    draw(step, 'artifact', { hash, format, resolver, node: id }, id);
  }
  move(step, key, 'resolved', cause);
  refund(step, key);
}

/** What a node cost counts in the plan above it; with the root the run ends. Source: dec-K48. */
function passOn(step: Step, key: string): void {
  const { parent } = getNode(step.state, key);
  if (parent !== null) {
    settleNode(step, key);
    endBranch(step, parent);
    return;
  }
  const { tau, mode } = requireSetup(step.state).policy;
  const isOver = mode === 'track' && step.state.plans.has(key) && isOverCap(step.state, key);
  const isSure = reaches(sigmaSystem(step.state), tau.global);
  const reasons = isOver ? ['cap_unreachable'] : isSure ? [] : ['below_global_confidence'];
  step.emit({ t: 'ending', status: reasons.length === 0 ? 'success' : 'refused', reasons });
}
