/**
 * How a run ends: drained, with a report in any case. Source: 000 §1 Step 13; dec-K13, dec-K70, dec-K79,
 * dec-K80, dec-K83.
 *
 * @module
 */
import type { Json, JsonObject } from '@assay/kernel';
import { namedChoice, type Choice, type Plan } from '../plan/plan.js';
import { rollup, makeSchedule } from '../rollup/rollup.js';
import { PATIENT } from '../protocol/requests.js';
import { shown } from './failing.js';
import { writeBound } from './money.js';
import { standing } from './planning.js';
import { splitLines } from './report.js';
import { sigmaPpm, sigmaSystem } from './sigma.js';
import { plus, remaining } from './account.js';
import type { GoalNode } from './node.js';
import { isOver, getNode, type NodePlan, type PlannerState } from './state.js';
import { requireSetup, type PlannerDecision, type Step } from './step.js';

/** Ends the decision: withdraws what nobody needs, and closes the run once nothing is held for a request. */
export function finish(step: Step): PlannerDecision {
  if (step.state.ending === null) for (const put of step.later) put();
  const { state } = step;
  const graph = { nodes: step.drawn.nodes, edges: step.drawn.edges };
  const isDrawn = graph.nodes.length + graph.edges.length > 0;
  const isDone = state.ending !== null && state.busy === 0;
  const idle = [...state.waiting.sorted()].filter(
    ([, { kind, node }]) => PATIENT.includes(kind) && (isDone || isOver(getNode(state, node).status)),
  );
  const withdraw = idle.map(([id]) => id).filter((id) => !id.startsWith(`${step.context.sequence}.`));
  const rest = isDrawn ? { graph, withdraw } : { withdraw };
  for (const id of withdraw)
    step.emit({ t: 'settled', id, spent: state.units.map(() => 0), overrun: false, at_us: null });
  if (!isDone || state.ending === null) return step.done(rest);
  return step.done({ ...rest, artifacts: listArtifacts(state), outcome: state.ending });
}

/** `plan`, `report`, and `assembly` of a run that has carried its plan out. */
function listArtifacts(state: PlannerState): { readonly [name: string]: Json } {
  const { policy } = requireSetup(state);
  const plan = state.plans.get(state.root);
  return {
    ...(plan === undefined ? {} : { plan: planArtifact(state, plan) }),
    report: reportArtifact(state),
    ...(policy.mode === 'solve' && state.ending?.status === 'success'
      ? { assembly: makeAssembly(state) }
      : {}),
  };
}

/** The plan of the root as it stands, with the approaches that are taken. */
function planArtifact(
  state: PlannerState,
  { file, plan, choice, baseline, carries, needs, unchecked }: NodePlan,
): JsonObject {
  const stands = standing(state, state.root);
  const times = makeSchedule(stands, null);
  return {
    file,
    choice: namedChoice(plan, choice),
    baseline: baseline === null ? null : makeBaseline(plan, baseline),
    carries,
    needs,
    unchecked,
    lines: splitLines(rollup(stands).lines),
    length: times.length,
    critical: times.critical.map((at) => stands.tasks[at]?.id ?? ''),
    tasks: stands.tasks.map(({ id, approaches }, at) => ({
      id,
      approach: approaches[0]?.id ?? '',
      start: times.earliestStart[at] ?? 0,
      finish: times.earliestFinish[at] ?? 0,
      slack: times.totalSlack[at] ?? 0,
      level: times.level[at] ?? 0,
    })),
  };
}

function makeBaseline(plan: Plan, choice: Choice): JsonObject {
  return { choice: namedChoice(plan, choice), lines: splitLines(rollup(plan, choice).lines) };
}

/** What the run came to. */
function reportArtifact(state: PlannerState): JsonObject {
  const { policy, input } = requireSetup(state);
  const root = getNode(state, state.root);
  const counts = new Map<string, number>();
  for (const [, { status }] of state.nodes) counts.set(status, (counts.get(status) ?? 0) + 1);
  const spent = plus(root.account.spent, spentBelow(state, root));
  return {
    goal: input.goal,
    mode: policy.mode,
    status: state.ending?.status ?? 'refused',
    reasons: state.ending?.reasons ?? [],
    constraints: state.constraints.sorted().map(([, constraint]) => ({
      ...shown(constraint),
      selected: root.selected?.includes(constraint.id) ?? false,
      origin: constraint.origin,
    })),
    questions: state.questions,
    judged: state.judged,
    budget: {
      granted: writeBound(state, root.account.granted),
      spent: writeBound(state, spent),
      overruns: state.overruns,
    },
    nodes: Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    replans: state.replans,
    reopens: state.reopens,
    sigma_ppm: sigmaPpm(sigmaSystem(state)),
    estimates: state.reading?.off ?? null,
    capabilities: state.capabilities
      .sorted()
      .map(([fingerprint, { tag, status, resolver }]) => ({ fingerprint, tag, status, resolver })),
  };
}

/** What all nodes below the root have spent: of those that are over, and of those that are not. */
function spentBelow(state: PlannerState, root: GoalNode): readonly number[] {
  let sum = root.below;
  for (const [, { parent, status, account, below }] of state.nodes)
    if (parent !== null && !isOver(status)) sum = plus(sum, plus(account.spent, below));
  return sum;
}

/** The delivered outputs with where they come from. Source: dec-K83. */
function makeAssembly(state: PlannerState): JsonObject {
  const root = getNode(state, state.root);
  const parts = state.nodes
    .sorted()
    .flatMap(([key, { kind, status, decomposed, output, task, selected, sigma_ppm }]) =>
      kind === 'goal' && status === 'resolved' && !decomposed && output !== null
        ? [
            {
              node: key,
              task,
              output: output.hash,
              format: output.format,
              resolver: output.resolver,
              constraints: selected ?? [],
              sigma_ppm,
            },
          ]
        : [],
    );
  return {
    goal: root.title,
    output: root.output?.hash ?? null,
    sigma_ppm: sigmaPpm(sigmaSystem(state)),
    parts,
    left: writeBound(
      state,
      remaining(root.account).map((amount) => Math.max(0, amount)),
    ),
  };
}
