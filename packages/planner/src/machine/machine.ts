/**
 * The planner: a goal becomes constraints, tasks, a plan that fits or the least that makes it fit, and, where it
 * is to be solved, work that is checked leaf by leaf. Source: 000, whole; dec-K1 to dec-K86.
 */
import {
  compareText,
  err,
  ok,
  parseShape,
  type Context,
  type Genesis,
  type Machine,
  type State,
} from '@assay/kernel';
import { parsePolicy, type Policy } from '../policy/policy.js';
import type { Body } from '../protocol/bodies.js';
import { type Input, parseAnswer } from '../protocol/requests.js';
import { NO_TRACK } from '../protocol/resolver.js';
import { begin, decide } from './decide.js';
import type { PlannerEvent } from './events.js';
import { evolve } from './evolve.js';
import { finish } from './finishing.js';
import { decode, EMPTY, encode, INPUT, type GoalInput, type PlannerState } from './state.js';
import { draw, stepFrom } from './step.js';

/**
 * The machine. Genesis input {goal, modality, constraints, suggestions, strikes}; policy: see `Policy`.
 * Artifacts at the end: `report` always, `plan` where there is one, `assembly` of a goal that was solved.
 *
 * Errors of opening, in this order: `bad_policy` {path, rule}; `bad_input` {path}.
 */
export const planner: Machine<PlannerState, Input, PlannerEvent, Body> = {
  name: 'planner',
  version: 1,
  open,
  parse: parseAnswer,
  decide,
  evolve,
  encode,
  decode,
};

function open(genesis: Genesis, context: Context): ReturnType<typeof planner.open> {
  const carried = genesis.base?.snapshot ?? null;
  if (carried !== null) return goOn(carried);
  const policy = parsePolicy(genesis.policy);
  if (policy._tag === 'Left') return policy;
  const input = parseShape<GoalInput>(INPUT, genesis.input);
  if (input._tag === 'Left') return err({ code: 'bad_input', detail: { path: input.left.path } });
  const fault = faultIn(input.right, policy.right);
  if (fault !== null) return err({ code: 'bad_input', detail: { path: fault } });
  const { goal, modality, constraints } = input.right;
  const step = stepFrom(EMPTY, context);
  step.emit({ t: 'opened', policy: policy.right, input: input.right });
  for (const resolver of policy.right.resolvers)
    step.emit({ t: 'registered', resolver: { ...resolver, record: NO_TRACK } });
  const id = draw(step, 'seed', { goal, modality });
  const { root, units } = step.state;
  for (const draft of constraints) {
    step.emit({ t: 'constraint', constraint: { ...draft, origin: root, source: 'input' } });
    draw(step, 'claim', { constraint: draft.id, title: draft.title }, id);
  }
  step.emit({
    t: 'node',
    key: root,
    id,
    parent: null,
    kind: 'goal',
    task: '',
    title: goal.slice(0, 4_000),
    capability: 'decompose',
    level: 0,
    core: constraints.map((each) => each.id).toSorted(compareText),
    inherited: [],
    inputs: [],
    after: [],
  });
  const amounts = units.map((unit) => policy.right.budget[unit] ?? 0);
  step.emit({ t: 'funded', why: 'grant', transfers: [{ from: null, to: root, amounts }] });
  step.emit({ t: 'held', node: root });
  begin(step);
  return ok({ state: EMPTY, decision: finish(step) });
}

/** Where an input names a constraint twice or a check that nobody has declared. */
function faultIn({ constraints }: GoalInput, { checks }: Policy): string | null {
  const names = constraints.map(({ id }) => id);
  const at = constraints.findIndex(
    ({ id, payload }, place) =>
      names.indexOf(id) < place ||
      (payload.t === 'check' && !checks.some(({ name }) => name === payload.name)),
  );
  return at < 0 ? null : `/constraints/${at}`;
}

/** A continuation goes on with the requests it carries: nothing is asked anew. */
function goOn(carried: State): ReturnType<typeof planner.open> {
  const state = decode(carried.machine);
  if (state._tag === 'Left') return state;
  const { waiting } = state.right;
  const ids = Object.keys(carried.open);
  const isWhole =
    ids.length === waiting.size &&
    ids.every((id) => waiting.get(id)?.kind === carried.open[id]?.request.kind);
  if (!isWhole) return err({ code: 'bad_state', detail: { path: '/waiting' } });
  return ok({ state: state.right, decision: { events: [] } });
}
