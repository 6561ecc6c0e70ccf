/** How events change the state. Total. Source: 000 §2.A; dec-K8, dec-K34, dec-K38, dec-K74. */
import { compareText, absurd, InvariantError, PersistentMap } from '@assay/kernel';
import { parsePlan } from '../plan/parse.js';
import { makeChoice, currentChoice, namedChoice, type Choice, type Plan } from '../plan/plan.js';
import { PATIENT } from '../protocol/requests.js';
import type { PlannerEvent } from './events.js';
import { reopened, superseded, on, pathAbove, planOn, refunded, spentUp, woken } from './reopening.js';
import { popped } from './heap.js';
import { type GoalNode, emptyAccount, minus, plus, zeros } from './node.js';
import { isOver, getNode, type NodePlan, type PlannerState } from './state.js';
import { FIRST, FRESH } from './node.js';

/** Folds an event. Total. */
export function evolve(state: PlannerState, event: PlannerEvent): PlannerState {
  switch (event.t) {
    case 'opened':
      return {
        ...state,
        policy: event.policy,
        input: event.input,
        units: Object.keys(event.policy.budget).toSorted(compareText),
      };
    case 'constraint':
      return { ...state, constraints: state.constraints.set(event.constraint.id, event.constraint) };
    case 'registered':
      return { ...state, resolvers: state.resolvers.set(event.resolver.id, event.resolver) };
    case 'read':
      return {
        ...state,
        asked_library: true,
        reading: { history: event.history, off: event.off },
        aliases: PersistentMap.from(event.aliases),
      };
    case 'node':
      return withNode(state, event);
    case 'moved':
      return moved(state, event);
    case 'ready':
      return woken(state, event.node);
    case 'taken':
      return { ...state, ready: state.ready === null ? null : popped(state.ready) };
    case 'asked': {
      const { id, kind, node, resolver, reserve } = event;
      const waiting = state.waiting.set(id, { kind, node, reserve, resolver });
      const busy = state.busy + (PATIENT.includes(kind) ? 0 : 1);
      return on({ ...state, waiting, busy, extracted: state.extracted || kind === 'extract' }, node, (n) => ({
        ...n,
        account: { ...n.account, reserved: plus(n.account.reserved, reserve) },
      }));
    }
    case 'settled':
      return settled(state, event);
    case 'funded':
      return event.transfers.reduce(transferred, state);
    case 'refunded':
      return refunded(state, event.node, event.amounts);
    case 'eligible':
      return on(state, event.node, (n) => ({ ...n, eligible: event.ids }));
    case 'selected':
      return on(state, event.node, (n) => ({ ...n, selected: event.ids }));
    case 'conflict':
    case 'mismatch':
    case 'rolled_up':
    case 'core':
    case 'flagged':
    case 'library_write':
    case 'declared':
      return state;
    case 'dropped':
      return on(state, event.node, (n) => without(n, event.ids));
    case 'routed':
      return on(state, event.node, (n) => ({ ...n, ...FRESH, steps: event.steps, tries: 0, trail: [] }));
    case 'retried':
      return on(state, event.node, (n) => ({ ...n, retries: n.retries + 1 }));
    case 'made':
      return on(state, event.node, (n) =>
        event.last
          ? { ...n, output: event.output, checks: event.checks, manifest: event.manifest, retries: 0 }
          : { ...n, step: n.step + 1, inputs: [event.output.hash], retries: 0 },
      );
    case 'checked':
      return on(state, event.node, (n) => ({ ...n, checks: [...n.checks, ...event.checks] }));
    case 'gap':
      return on(state, event.node, (n) => ({ ...n, capability: event.capability }));
    case 'planned':
      return planned(state, event);
    case 'calibrated':
      return on(state, event.node, (n) => ({ ...n, calibrated: event.by }));
    case 'surveyed':
      return planOn(state, event.node, (p) => ({
        ...extended(p, event.file),
        surveyed: [...new Set([...p.surveyed, ...event.tasks])].toSorted(compareText),
        surveys: p.surveys + 1,
      }));
    case 'repaired':
      return planOn(event.replan ? { ...state, replans: state.replans + 1 } : state, event.node, (p) => ({
        ...p,
        choice: makeChoice(p.plan, event.choice),
      }));
    case 'judged': {
      const next = planOn(state, event.node, (p) => ({
        ...p,
        fits: event.fits,
        baseline: p.baseline ?? (event.fits ? p.choice : null),
      }));
      return event.node === state.root ? { ...next, judged: event.report } : next;
    }
    case 'solver':
      return planOn(state, event.node, (p) => ({ ...p, solved: true }));
    case 'held':
      return { ...state, held: event.node };
    case 'question':
      return { ...state, questions: [...state.questions, event.text] };
    case 'verified':
      return on(state, event.node, (n) => ({
        ...n,
        sigma_ppm: event.sigma_ppm,
        trail: event.verdict === 'SAT' ? n.trail : [...n.trail, event.sigma_ppm].slice(-TRAIL_MAX),
      }));
    case 'attempt':
      return attempted(state, event);
    case 'exhausted':
      return on(state, event.node, (n) => ({
        ...n,
        ...FRESH,
        steps: null,
        exhausted: [...new Set([...n.exhausted, event.resolver])].toSorted(compareText),
      }));
    case 'missing':
      return on(state, event.node, (n) => ({ ...n, missing: [...n.missing, event.resolver] }));
    case 'advised':
      return on(state, event.node, (n) => ({
        ...n,
        feedback: n.feedback.map((each, at) =>
          at === n.feedback.length - 1 ? { ...each, advice: event.advice } : each,
        ),
      }));
    case 'actual': {
      const { t: _t, node, ...actual } = event;
      return on(state, node, (n) => ({ ...n, actual }));
    }
    case 'estimated':
      return planOn(state, event.node, (p) => ({
        ...p,
        actuals: p.plan.tasks.map(({ id }, at) =>
          id === event.task
            ? { amounts: event.amounts, done: event.done, minutes: event.minutes }
            : (p.actuals[at] ?? null),
        ),
      }));
    case 'reopened':
      return reopened(state, event);
    case 'superseded':
      return superseded(state, event.node);
    case 'rescoped':
      return on(state, event.node, (n) => ({ ...n, rescoped: true }));
    case 'gated':
      return state;
    case 'capability': {
      const { fingerprint, tag, status, resolver, node, budget_class } = event;
      const before = state.capabilities.get(fingerprint)?.joined ?? [];
      const joined = node === null ? before : [...new Set([...before, node])].toSorted(compareText);
      const capabilities = state.capabilities.set(fingerprint, { joined, resolver, status, tag });
      const next = { ...state, capabilities };
      return node === null ? next : on(next, node, (n) => ({ ...n, budget_class }));
    }
    case 'waits_for':
      return on(
        on(state, event.node, (n) => ({ ...n, deps: n.deps + 1 })),
        event.build,
        (n) => ({ ...n, dependents: [...n.dependents, event.node] }),
      );
    case 'released':
      return on(
        on(state, event.node, (n) => ({ ...n, deps: n.deps - 1 })),
        event.build,
        (n) => ({ ...n, dependents: n.dependents.filter((each) => each !== event.node) }),
      );
    case 'coupled':
      return on(state, event.node, (n) => ({ ...n, eligible: event.eligible, core: event.core }));
    case 'consistent':
      return { ...state, consistent: event.conflicts === 0 };
    case 'ending':
      return state.ending === null
        ? { ...state, ending: { reasons: event.reasons, status: event.status } }
        : state;
    default:
      return absurd(event);
  }
}

/** So many confidences are looked back on: two steps of improvement. */
const TRAIL_MAX = 3;
/** So many failures are told to whoever tries next. */
const FEEDBACK_MAX = 8;

function withNode(state: PlannerState, event: Extract<PlannerEvent, { readonly t: 'node' }>): PlannerState {
  const { t: _t, after, ...rest } = event;
  const above = rest.parent === null ? null : getNode(state, rest.parent);
  const node: GoalNode = {
    ...FIRST,
    ...rest,
    depth: above === null || rest.kind === 'build' ? 1 : above.depth + 1,
    seq: state.made,
    status: 'pending',
    deps: after.length,
    begun: false,
    account: emptyAccount(state.units.length),
    below: zeros(state.units.length),
    building: rest.kind === 'build' ? [...(above?.building ?? []), rest.task] : (above?.building ?? []),
  };
  let next: PlannerState = { ...state, made: state.made + 1, nodes: state.nodes.set(rest.key, node) };
  for (const before of after)
    next = on(next, before, (n) => ({ ...n, dependents: [...n.dependents, rest.key] }));
  if (rest.parent !== null && rest.kind === 'goal')
    next = on(next, rest.parent, (n) => ({
      ...n,
      children: [...n.children, rest.key],
      kids: n.kids + 1,
    }));
  return woken(next, rest.key);
}

function moved(
  state: PlannerState,
  { node: key, to, cause }: Extract<PlannerEvent, { readonly t: 'moved' }>,
): PlannerState {
  const before = getNode(state, key);
  const isBegun = before.begun || to !== 'superseded';
  const next = on(state, key, (n) => ({
    ...n,
    status: to,
    begun: isBegun,
    started_us: n.begun ? n.started_us : state.time.now_us,
    resume: to === 'awaiting' ? n.status : null,
    decomposed: n.decomposed || to === 'decomposing',
    reason: to === 'infeasible' ? cause : n.reason,
  }));
  if (!isOver(to) || isOver(before.status)) return next;
  const counted = spentUp(next, before, 1);
  return to === 'resolved' ? resolved(counted, before) : counted;
}

function resolved(state: PlannerState, { parent, kind, dependents, decomposed }: GoalNode): PlannerState {
  let next = decomposed ? state : { ...state, leaves: state.leaves + (kind === 'goal' ? 1 : 0) };
  for (const each of dependents) {
    next = on(next, each, (n) => ({ ...n, deps: n.deps - 1 }));
    if (getNode(next, each).status === 'pending') next = woken(next, each);
  }
  if (parent === null || kind === 'build') return next;
  next = on(next, parent, (n) => ({ ...n, kids: n.kids - 1 }));
  return getNode(next, parent).status === 'pending' ? woken(next, parent) : next;
}

function settled(
  state: PlannerState,
  { id, spent, overrun, at_us }: Extract<PlannerEvent, { readonly t: 'settled' }>,
): PlannerState {
  const waiting = state.waiting.get(id);
  if (waiting === undefined) return state;
  const { kind, node, reserve } = waiting;
  const { start_us, now_us } = state.time;
  const late = isOver(getNode(state, node).status) ? pathAbove(state, node) : [];
  const now = at_us === null ? now_us : Math.max(at_us, now_us ?? 0);
  return late.reduce(
    (next, above) => on(next, above, (n) => ({ ...n, below: plus(n.below, spent) })),
    on(
      {
        ...state,
        waiting: state.waiting.delete(id),
        busy: state.busy - (PATIENT.includes(kind) ? 0 : 1),
        overruns: state.overruns + (overrun ? 1 : 0),
        time: { now_us: now, start_us: start_us ?? now },
      },
      node,
      (n) => ({
        ...n,
        account: {
          ...n.account,
          reserved: minus(n.account.reserved, reserve),
          spent: plus(n.account.spent, spent),
        },
      }),
    ),
  );
}

function transferred(
  state: PlannerState,
  {
    from,
    to,
    amounts,
  }: { readonly from: string | null; readonly to: string; readonly amounts: readonly number[] },
): PlannerState {
  const next =
    from === null
      ? state
      : on(state, from, (n) => ({ ...n, account: { ...n.account, given: plus(n.account.given, amounts) } }));
  return on(next, to, (n) => ({
    ...n,
    account: { ...n.account, granted: plus(n.account.granted, amounts) },
  }));
}

function without(node: GoalNode, ids: readonly string[]): GoalNode {
  const keep = (list: readonly string[]): readonly string[] => list.filter((id) => !ids.includes(id));
  return {
    ...node,
    core: keep(node.core),
    eligible: node.eligible === null ? null : keep(node.eligible),
    selected: null,
  };
}

function planned(
  state: PlannerState,
  { node, version, file, carries, needs, unchecked }: Extract<PlannerEvent, { readonly t: 'planned' }>,
): PlannerState {
  const plan = readPlan(file);
  const fresh: NodePlan = {
    file,
    plan,
    choice: currentChoice(plan),
    baseline: null,
    actuals: plan.tasks.map(() => null),
    carries,
    needs,
    unchecked,
    surveyed: [],
    surveys: 0,
    solved: false,
    fits: false,
  };
  return on({ ...state, plans: state.plans.set(node, fresh) }, node, (n) => ({
    ...n,
    version,
    retries: 0,
    calibrated: [],
  }));
}

function readPlan(file: NodePlan['file']): Plan {
  const plan = parsePlan(file);
  if (plan._tag === 'Left')
    throw new InvariantError('planner/plan', `${plan.left.code} at ${plan.left.path}`);
  return plan.right;
}

/** A plan with more approaches: tasks stay where they are, and choices keep their names. */
function extended(before: NodePlan, file: NodePlan['file']): NodePlan {
  const plan = readPlan(file);
  const renewed = (choice: Choice): Choice => makeChoice(plan, namedChoice(before.plan, choice));
  const { choice, baseline } = before;
  return {
    ...before,
    file,
    plan,
    choice: renewed(choice),
    baseline: baseline === null ? null : renewed(baseline),
  };
}

function attempted(
  state: PlannerState,
  event: Extract<PlannerEvent, { readonly t: 'attempt' }>,
): PlannerState {
  const { node, index, resolver, verdict, sigma_ppm, feedback } = event;
  const isOpen = verdict === 'UNSAT' && !getNode(state, node).decomposed;
  const next = on(isOpen ? { ...state, plans: state.plans.delete(node) } : state, node, (n) => ({
    ...n,
    attempts: index,
    tries: n.tries + 1,
    feedback: feedback === null ? n.feedback : [...n.feedback, feedback].slice(-FEEDBACK_MAX),
    ...(verdict === 'SAT' ? {} : FRESH),
  }));
  const known = state.resolvers.get(resolver);
  if (known === undefined) return next;
  const { record } = known;
  const better =
    verdict === 'SAT'
      ? { ...record, successes: record.successes + 1, sigma_ppm: Math.max(record.sigma_ppm ?? 0, sigma_ppm) }
      : { ...record, failures: record.failures + 1 };
  return { ...next, resolvers: state.resolvers.set(resolver, { ...known, record: better }) };
}
