/**
 * The controller: a request becomes a task, a plan, work, a judgement and a directive, round by round, until
 * it is accepted, close enough, or abandoned. Everything the sources want "in code, not prompt" is decided
 * here. Source: 002, 003, whole; planner-controller C.6, C.8.
 */
import {
  type Context,
  err,
  type Genesis,
  type Json,
  type Machine,
  nodeIdIn,
  ok,
  parseShape,
  type Rejection,
  type Request,
  type Result,
  type State,
} from '@assay/kernel';
import { parsePolicy } from '../policy/policy.js';
import { type Body, type Input, parseAnswer } from '../protocol/requests.js';
import { ask, stepFrom, message, deriveId, outcomeNode, planNode, withNodes } from './asking.js';
import { decide } from './decide.js';
import { type ControllerEvent, INPUT, type ControllerInput } from './events.js';
import { evolve } from './evolve.js';
import { decode, EMPTY, encode, type ControllerState } from './state.js';

/**
 * The machine. Genesis input {text, session, deadline_us}; policy: see `Policy`. Artifacts at the end:
 * `final_result` and
 * `evaluation`. Outcome: success for accept and success, refused for abandon with the reason of the last
 * evaluation.
 *
 * Errors of opening, in this order: `bad_policy` {path, rule}; `bad_input` {path}.
 */
export const controller: Machine<ControllerState, Input, ControllerEvent, Body> = {
  name: 'controller',
  version: 1,
  open,
  parse,
  decide,
  evolve,
  encode,
  decode,
};

/** The round of the clock's first answer: before anything is done. */
const CLOCK_START = -1;

function open(genesis: Genesis, context: Context): ReturnType<typeof controller.open> {
  const carried = genesis.base?.snapshot ?? null;
  if (carried !== null) return goOn(carried, context);
  const policy = parsePolicy(genesis.policy);
  if (policy._tag === 'Left') return policy;
  const input = parseShape<ControllerInput>(INPUT, genesis.input);
  if (input._tag === 'Left') return err({ code: 'bad_input', detail: { path: input.left.path } });
  const { text: said, session } = input.right;
  const payload: Json = { text: said };
  const step = stepFrom(EMPTY, context);
  step.emit({
    t: 'started',
    setup: { policy: policy.right, input: input.right },
    node: nodeIdIn(context, 'seed', payload),
  });
  step.emit(message('user', 'R1', 'UserInput', { text: said, turns: session.length }));
  if (policy.right.clock === 'asked') ask(step, 'clock', { round: CLOCK_START }, null, 0);
  else ask(step, 'perceive', { text: said, session }, null, 0);
  return ok({
    state: EMPTY,
    decision: step.done({ graph: { nodes: [{ kind: 'seed', payload }], edges: [] } }),
  });
}

/** A continuation goes on with the requests it carries: nothing is asked anew. */
function goOn(carried: State, context: Context): ReturnType<typeof controller.open> {
  const state = decode(carried.machine);
  if (state._tag === 'Left') return state;
  const { setup, waiting } = state.right;
  const ids = Object.keys(carried.open);
  const isWhole =
    setup !== null &&
    ids.length === waiting.size &&
    ids.every((id) => waiting.get(id)?.kind === carried.open[id]?.request.kind);
  if (!isWhole) return err({ code: 'bad_state', detail: { path: '/waiting' } });
  const seed = { kind: 'seed' as const, payload: { text: setup.input.text } };
  const node = deriveId(seed, context);
  // What this round rests on stands in the graph of the base: here it hangs on the seed.
  const { plan, progress } = state.right;
  const outcomes = [...progress.sorted()].flatMap(([, at]) =>
    at.outcome === null ? [] : [outcomeNode(at.outcome, at)],
  );
  const noted =
    plan === null ? [] : [planNode(plan, context), ...outcomes].map((of) => ({ node: of, on: [node] }));
  const decision = { events: [{ t: 'continued' as const, node }], graph: { nodes: [], edges: [] } };
  const { graph } = withNodes(decision, noted, context);
  return ok({
    state: state.right,
    decision: { ...decision, graph: { nodes: [seed, ...(graph?.nodes ?? [])], edges: graph?.edges ?? [] } },
  });
}

function parse(value: Json, request: Request<Body>): Result<Rejection, Input> {
  return parseAnswer(value, request);
}
