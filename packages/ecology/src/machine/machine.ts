/**
 * The ecology's physics as a machine: who may do what and who pays. Nobody thinks here. The world before
 * anybody acts: genesis contracts and services, agents, what the input gives. Source: 004; specs/ecology.md;
 * specs/ecology.md B2; B14.
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
  InvariantError,
  PersistentMap,
  type Json,
  type JsonObject,
} from '@assay/kernel';
import { INPUT, type WorldInput, isReserved, type Config, type Given } from '../config/config.js';
import { parseConfig, computeHoldings } from '../config/resolve.js';
import type { ContractEngine } from '../protocol/engine.js';
import { parseAnswer, type Body, type Input } from '../protocol/requests.js';
import {
  decode,
  encode,
  type EcologyState,
  getAccount,
  EMPTY_ACCOUNT,
  HOLDERS,
  findLive,
} from '../world/state.js';
import { decideWith, type EcologyAnswer, inviteAll } from './decide.js';
import { Draft, type Told } from '../world/draft.js';
import { NO_LIVES } from '../world/life-index.js';
import { startLife } from '../world/life.js';
import { emptyLog } from '../world/log.js';
import type { EcologyEvent } from '../world/events.js';
import { evolve } from '../world/evolve.js';
import { CONTRACT_INTERFACE, GENESIS_CONTRACTS } from '../contracts/genesis.js';
import { boundaryAfter, EMPTY_WINDOW } from '../mechanisms/window.js';
import { isStorable } from '../protocol/action.js';
import { describeInterface, SERVICES } from '../services/services.js';
import { faultOfShape, isGuard, makeMade, measured } from '../store/writing.js';

/** The state of no world: what a config alone says. */
export function emptyState(config: Config): EcologyState {
  return {
    config,
    now_us: 0,
    begun_us: 0,
    serial: 0,
    things: PersistentMap.empty(),
    accounts: PersistentMap.empty(),
    supply: 0,
    minted: PersistentMap.empty(),
    llm_window: EMPTY_WINDOW,
    cpu_window: EMPTY_WINDOW,
    reserved_tokens: 0,
    bids: PersistentMap.empty(),
    bidders: PersistentMap.empty(),
    owned: PersistentMap.empty(),
    next_mint_us: boundaryAfter(0, config.mint),
    resolutions: 0,
    starved: 0,
    resolving: PersistentMap.empty(),
    scored: PersistentMap.empty(),
    thought: PersistentMap.empty(),
    offers: PersistentMap.empty(),
    mandates: PersistentMap.empty(),
    minters: PersistentMap.from(config.mint.minters.map(({ id }) => [id, EMPTY_WINDOW] as const)),
    waiting: PersistentMap.empty(),
    calls: PersistentMap.empty(),
    capabilities: PersistentMap.empty(),
    secrets: PersistentMap.empty(),
    open: PersistentMap.empty(),
    log: emptyLog(config.events.kept),
    ...NO_LIVES,
    stopped: false,
  };
}

/** The world that a config and an input make. Error `bad_input` with {path, rule}. */
export function makeWorld(
  config: Config,
  { artifacts }: WorldInput,
  context: Context,
  engine: ContractEngine | null,
): Result<Rejection, EcologyState> {
  const guard = config.contracts.default;
  const own = new Map(artifacts.map((given) => [given.id, given]));
  if (own.size < artifacts.length) return bad('/artifacts', 'twice');
  if (config.agents.initial.some((id) => GENESIS_CONTRACTS.has(id)))
    return err({ code: 'bad_config', detail: { path: '/agents/initial', rule: 'reserved' } });
  const agents = config.agents.initial.map((id) => ({ ...AGENT, ...own.get(id), id, owner: id }));
  const names = new Set(config.agents.initial);
  const others = artifacts.filter(({ id }) => !names.has(id));
  const world = [...genesisThings(), ...agents, ...others];
  const draft = new Draft(emptyState(config), context, engine);
  for (const given of world) draft.state = made(draft, given, guard);
  for (const [at, given] of artifacts.entries()) {
    const fault = findFault(draft, given, names.has(given.id));
    if (fault !== null)
      return err({ code: 'bad_input', detail: { path: `/artifacts/${at}`, ...fault } satisfies Json });
  }
  if (!isGuard(draft, guard))
    return err({ code: 'bad_config', detail: { path: '/contracts/default', rule: 'contract' } });
  return ok(endowed(draft.state));
}

const AGENT: Omit<Given, 'id' | 'owner'> = {
  content: null,
  interface: { tools: [] },
  has_standing: true,
  can_execute: true,
  access_contract_id: null,
};

function genesisThings(): readonly Given[] {
  const contracts = [...GENESIS_CONTRACTS].map(
    ([id, { code }]): Given => ({ ...TOOL, id, content: { code }, interface: CONTRACT_INTERFACE }),
  );
  const services = [...SERVICES].map(
    ([id, service]): Given => ({ ...TOOL, id, content: null, interface: describeInterface(service) }),
  );
  return [...contracts, ...services];
}

const TOOL: Omit<Given, 'id' | 'content' | 'interface'> = {
  owner: null,
  has_standing: false,
  can_execute: true,
  access_contract_id: 'freeware_contract',
};

function made(draft: Draft, given: Given, guard: string): EcologyState {
  const owner = given.owner ?? 'genesis';
  const thing = { ...given, owner, access_contract_id: given.access_contract_id ?? guard };
  return evolve(draft.state, makeMade(draft, thing, measured(draft, given), 'genesis', 'genesis'));
}

/** What is wrong with something given, with what its code says where that does not load; null where nothing is. */
function findFault(draft: Draft, given: Given, isAgent: boolean): JsonObject | null {
  const rule = ruleBroken(draft, given, isAgent);
  if (rule !== null) return { rule };
  const fault = faultOfShape(draft, given, measured(draft, given).size);
  if (fault?.t !== 'no') return null;
  const { code, details } = fault.refusal;
  return { rule: code.toLowerCase(), ...details }; // ascii
}

function ruleBroken(draft: Draft, given: Given, isAgent: boolean): string | null {
  const { id, content, interface: described, owner, access_contract_id: contract } = given;
  if (isReserved(id) || GENESIS_CONTRACTS.has(id) || SERVICES.has(id)) return 'reserved';
  if (!isStorable(content) || !isStorable(described)) return 'content';
  if (isAgent && !(given.has_standing && given.can_execute)) return 'agent';
  if (owner !== null && findLive(draft.state, owner)?.has_standing !== true) return 'owner';
  return contract !== null && !isGuard(draft, contract) ? 'contract' : null;
}

/** Everybody gets what the config says. */
function endowed(state: EcologyState): EcologyState {
  const holdings = computeHoldings(state.config);
  if (holdings === null) throw new InvariantError('ecology/open', 'holdings that were checked do not add up');
  const { agents, resources } = state.config;
  const asked = new Set(agents.mind === 'asked' ? agents.initial : agents.asked);
  let { accounts } = state;
  let supply = 0;
  for (const [id, amounts] of holdings.agents) {
    const isPoor = resources.llm_budget_uusd > 0 && amounts.llm_budget <= agents.freeze_threshold_uusd;
    const life = startLife(asked.has(id), isPoor ? 'budget' : '');
    accounts = accounts.set(id, { ...getAccount(state, id), amounts, life });
    supply += amounts.scrip;
  }
  for (const id of Object.values(HOLDERS)) accounts = accounts.set(id, EMPTY_ACCOUNT);
  accounts = accounts.set(HOLDERS.unallocated, { ...EMPTY_ACCOUNT, amounts: holdings.unallocated });
  // What was there before anybody could see it is neither told nor counted.
  return { ...state, accounts, supply, serial: 0, log: emptyLog(state.config.events.kept) };
}

function bad(path: string, rule: string): Result<Rejection, never> {
  return err({ code: 'bad_input', detail: { path, rule } satisfies Json });
}

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
    version: 2,
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
