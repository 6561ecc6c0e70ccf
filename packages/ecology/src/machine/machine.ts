/**
 * The ecology's physics as a machine: who may do what and who pays. Nobody thinks here.
 *
 * Source: 004; specs/ecology.md.
 *
 * @module
 */
import {
  err,
  ok,
  parseShape,
  type Context,
  type Genesis,
  type Machine,
  type Rejection,
  type Result,
  type State,
} from '@assay/kernel';
import { INPUT, type WorldInput } from '../config/config.js';
import { parseConfig } from '../config/resolve.js';
import type { ContractEngine } from '../protocol/engine.js';
import { parseAnswer, type Body, type Input } from '../protocol/requests.js';
import { decode, encode } from '../world/state.js';
import { decideWith, type EcologyAnswer, inviteAll } from './decide.js';
import { Draft, type Told } from '../world/draft.js';
import type { EcologyEvent } from '../world/events.js';
import { evolve } from '../world/evolve.js';
import { makeWorld } from './opening.js';
import type { EcologyState } from '../world/state.js';

/** The machine of some engine. */
export type Ecology = Machine<EcologyState, Input, EcologyEvent, Body>;

/**
 * The machine that runs custom contracts in an engine; null: it runs none, and refuses to open a world that has
 * some. Policy: a resolved config; input: {artifacts}. Artifacts at the end: `balances`, `report`.
 *
 * Errors of opening, in this order: `bad_config` {path, rule}; `bad_input` {path, rule}.
 */
export function ecologyMachine(engine: ContractEngine | null): Ecology {
  return {
    name: 'ecology',
    version: 1,
    engine: engine?.id ?? null,
    open: (genesis, context) => open(genesis, context, engine),
    parse: parseAnswer,
    decide: (state, answer, context) => decideWith(engine, state, answer, context),
    evolve,
    encode,
    decode,
  };
}

/** The machine of worlds with genesis contracts only. */
export const ecology: Ecology = ecologyMachine(null);

function open(
  { base, policy, input }: Genesis,
  context: Context,
  engine: ContractEngine | null,
): ReturnType<Ecology['open']> {
  const carried = base?.snapshot ?? null;
  if (carried !== null) return goOn(carried);
  const config = parseConfig(policy);
  if (config._tag === 'Left') return config;
  const given = parseShape<WorldInput>(INPUT, input);
  if (given._tag === 'Left')
    return err({ code: 'bad_input', detail: { path: given.left.path, rule: 'shape' } });
  const world = makeWorld(config.right, given.right, context, engine);
  if (world._tag === 'Left') return world;
  const draft = new Draft(world.right, context, engine);
  inviteAll(draft);
  return ok({ state: world.right, decision: draft.done() });
}

/** A continuation goes on with the requests it carries: nothing is asked anew. */
function goOn(carried: State): ReturnType<Ecology['open']> {
  const state = decode(carried.machine);
  if (state._tag === 'Left') return state;
  const ids = new Set(Object.keys(carried.open));
  const known = [...state.right.open].map(([, id]) => id); // any order
  if (ids.size !== known.length || known.some((id) => !ids.has(id)))
    return err({ code: 'bad_state', detail: { path: '/open' } });
  return ok({ state: state.right, decision: { events: [] } });
}

/**
 * What an answer comes to, step by step: actions, checks in order, code and its hash, charges. The decision
 * is thrown away.
 */
export function explain(
  engine: ContractEngine | null,
  state: EcologyState,
  answer: EcologyAnswer,
  context: Context,
): Result<Rejection, readonly Told[]> {
  const steps: Told[] = [];
  const decided = decideWith(engine, state, answer, context, (told) => steps.push(told));
  return decided._tag === 'Left' ? decided : ok(steps);
}
