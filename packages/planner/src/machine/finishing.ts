/**
 * How a run ends: drained, with a report in any case. What is said of a plan and of a run, as JSON. Source:
 * 000 §1 Step 13; dec-K13; dec-K70; dec-K79; dec-K80; dec-K83; 000 v1 "What to Test First". Confidence along
 * the path, exact. Source: 000 §6; dec-K45 to dec-K51.
 */
import type { Json, JsonObject } from '@assay/kernel';
import { namedChoice, type Choice, type Plan } from '../plan/plan.js';
import { rollup, makeSchedule, type RollupLine } from '../rollup/rollup.js';
import { PATIENT } from '../protocol/requests.js';
import { shown } from './failing.js';
import { writeBound } from './money.js';
import { standing } from './planning.js';
import { type GoalNode, plus, remaining } from './node.js';
import { isOver, getNode, type NodePlan, type PlannerState } from './state.js';
import { requireSetup, type PlannerDecision, type Step } from './step.js';
import type { Core } from '../cores/core.js';
import { type Levelling, makeLevelling, type PlanReport, writeLevelling } from '../report/report.js';

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
  const ended = idle.map(([id]) => id).filter((id) => !id.startsWith(`${step.context.sequence}.`));
  const withdraw = [...step.stale, ...ended];
  const rest = isDrawn ? { graph, withdraw } : { withdraw };
  for (const id of ended)
    step.emit({ t: 'settled', id, spent: state.units.map(() => 0), overrun: false, at_us: null });
  if (!isDone || state.ending === null) return step.done(rest);
  return step.done({ ...rest, artifacts: listArtifacts(state), outcome: state.ending });
}

/** `plan`, `report`, and `assembly` of a run that has carried its plan out. */
function listArtifacts(state: PlannerState): { readonly [name: string]: Json } {
  const { policy } = requireSetup(state);
  const plan = state.plans.get(state.root);
  const sigma = sigmaPpm(sigmaSystem(state));
  return {
    ...(plan === undefined ? {} : { plan: planArtifact(state, plan) }),
    report: reportArtifact(state, sigma),
    ...(policy.mode === 'solve' && state.ending?.status === 'success'
      ? { assembly: makeAssembly(state, sigma) }
      : {}),
  };
}

/** The plan of the root as it stands, with the approaches that are taken. */
function planArtifact(
  state: PlannerState,
  { file, plan, choice, baseline, actuals, carries, needs, unchecked }: NodePlan,
): JsonObject {
  const actual = (at: number): JsonObject => {
    const done = actuals[at] ?? null;
    if (done?.done !== true) return {};
    const amounts = plan.rows.map(({ id }, row) => [id, done.amounts[row]?.[1] ?? 0] as const);
    return { actual: { minutes: done.minutes[1], amounts: Object.fromEntries(amounts) } };
  };
  const stands = standing(state, state.root);
  const times = makeSchedule(stands, null);
  const levelling = makeLevelling(stands);
  const starts = levelling !== null && 'starts' in levelling ? levelling.starts : times.earliestStart;
  return {
    file,
    choice: namedChoice(plan, choice),
    baseline: baseline === null ? null : makeBaseline(plan, baseline),
    carries,
    needs,
    unchecked,
    lines: splitLines(rollup(stands).lines),
    length: times.length,
    ...(levelling === null ? {} : { levelling: writeLevelling(stands, levelling) }),
    critical: times.critical.map((at) => stands.tasks[at]?.id ?? ''),
    tasks: stands.tasks.map(({ id, approaches }, at) => ({
      id,
      approach: approaches[0]?.id ?? '',
      start: starts[at] ?? 0,
      finish: (starts[at] ?? 0) + (approaches[0]?.minutes[1] ?? 0),
      slack: times.totalSlack[at] ?? 0,
      level: times.level[at] ?? 0,
      ...actual(at),
    })),
  };
}

function makeBaseline(plan: Plan, choice: Choice): JsonObject {
  return { choice: namedChoice(plan, choice), lines: splitLines(rollup(plan, choice).lines) };
}

/** What the run came to. */
function reportArtifact(state: PlannerState, sigma: number | null): JsonObject {
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
    sigma_ppm: sigma,
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
function makeAssembly(state: PlannerState, sigma: number | null): JsonObject {
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
    sigma_ppm: sigma,
    parts,
    left: writeBound(
      state,
      remaining(root.account).map((amount) => Math.max(0, amount)),
    ),
  };
}

/** The lines of a roll-up: status, totals, slack in the unit of the row. */
export function splitLines(lines: readonly RollupLine[]): readonly JsonObject[] {
  return lines.map(({ id, kind, status, total, slack, isExposed, isHopeless, held }) => ({
    id,
    kind,
    status,
    unit: held.unit,
    op: held.op,
    bound: held.bound,
    hard: held.isHard,
    total,
    slack,
    exposed: isExposed,
    hopeless: isHopeless,
  }));
}

/** A report of a plan. Certificates stand where they prove something. */
export function makeReport(report: PlanReport): JsonObject {
  const { before, after, cores, survey, missing, exits, next, isNextComplete, raise, coreBest } = report;

  const { length, barrier } = report.schedule;
  const core = ({ isMinimal, ...rest }: Core): JsonObject => ({ ...rest, minimal: isMinimal });
  return {
    status: before.status,
    before: splitLines(before.lines),
    length,
    barrier,
    ...(report.levelling === null ? {} : { levelling: summarize(report.levelling) }),
    cores: cores.map(core),
    survey,
    missing: missing.slice(0, 256),
    exits,
    repair: findRepair(report.repair),
    after: after === null ? null : splitLines(after.lines),
    next: next.map(({ key }) => key),
    next_complete: isNextComplete,
    least_raise: raise,
    core_best: coreBest === null ? null : core(coreBest),
  };
}

/** A levelling without the starts, which `plan.json` has. */
function summarize(levelling: Levelling): JsonObject {
  if (levelling.label === 'not_held') return levelling;
  const { label, length, gap } = levelling;
  return { label, length, gap };
}

function findRepair(found: PlanReport['repair']): Json {
  if (found === null) return null;
  const { proofs } = found;
  if (!('key' in found)) return { label: found.label, proofs };
  const { key, label, unfinished, bound } = found;
  return { label, ...key, unfinished, bound, proofs };
}

const PPM = 1_000_000n;

/** A product of confidences: `parts` over `scale`, a power of a million. */
type PathSigma = { readonly parts: bigint; readonly scale: bigint };

/** The product along the path to a node, of a build from the build on; null where one is not known. */
export function sigmaPath(state: PlannerState, key: string): PathSigma | null {
  let [parts, scale] = [1n, 1n];
  for (let at: string | null = key; at !== null; ) {
    const { sigma_ppm, parent, kind }: GoalNode = getNode(state, at);
    if (sigma_ppm === null) return null;
    parts *= BigInt(sigma_ppm);
    scale *= PPM;
    at = kind === 'build' ? null : parent;
  }
  return { parts, scale };
}

/** True where a product reaches a threshold in ppm; equality passes (dec-K50). */
export function reaches(sigma: PathSigma | null, tau: number): boolean {
  return sigma !== null && sigma.parts * PPM >= BigInt(tau) * sigma.scale;
}

/** A product in ppm, rounded down. */
export function sigmaPpm(sigma: PathSigma | null): number | null {
  return sigma === null ? null : Number((sigma.parts * PPM) / sigma.scale);
}

/** The node of least confidence on the path to a node, the deepest of equals. Source: dec-K51. */
export function weakestOn(state: PlannerState, key: string): string {
  let [weakest, least] = [key, Number.MAX_SAFE_INTEGER];
  for (let at: string | null = key; at !== null; ) {
    const { sigma_ppm, parent, kind }: GoalNode = getNode(state, at);
    if (sigma_ppm !== null && sigma_ppm < least) [weakest, least] = [at, sigma_ppm];
    at = kind === 'build' ? null : parent;
  }
  return weakest;
}

/** The least product over the leaves that are delivered. Source: law-C7. */
export function sigmaSystem(state: PlannerState): PathSigma | null {
  const open: { readonly key: string; readonly above: PathSigma }[] = [
    { key: state.root, above: { parts: 1n, scale: 1n } },
  ];
  let least: PathSigma | null = null;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { sigma_ppm, children, status, decomposed } = getNode(state, next.key);
    if (status === 'superseded' || sigma_ppm === null) continue;
    const here = { parts: next.above.parts * BigInt(sigma_ppm), scale: next.above.scale * PPM };
    if (!decomposed) least = least === null || isLess(here, least) ? here : least;
    for (const key of children) open.push({ key, above: here });
  }
  return least;
}

function isLess(a: PathSigma, b: PathSigma): boolean {
  return a.parts * b.scale < b.parts * a.scale;
}
