/**
 * The genesis services by id. Money and mandates; the rights registry is a second door to the same amounts.
 * A language model as an artifact: what is needed from outside becomes a request, and its bound is held
 * first. Source: specs/ecology.md B2; "Names"; specs/ecology.md B3; B4; B5; B10; specs/ecology.md B1; B3;
 * 004 L6516.
 */
import { type JsonObject, field, isObject, utf8Length } from '@assay/kernel';
import { AGENTS } from './agents.js';
import { CALLS } from './calls.js';
import { CAPABILITIES } from './capabilities.js';
import { ESCROW } from './escrow.js';
import { EVENT_LOG } from './event-log.js';
import { MINT } from './mint.js';
import {
  type Service,
  AMOUNT,
  closedObject,
  ID,
  faultOfHolder,
  method,
  readNumber,
  RESOURCE,
  TEXT,
  readText,
  readValue,
  type Call,
  type Method,
  COUNT,
} from './service.js';
import { STORE } from './store.js';
import { permit, find, makeRefusal } from '../contracts/permit.js';
import { isId, RESOURCES, type Resource } from '../config/config.js';
import { retryAfter, computeSpare } from '../world/holding.js';
import { done, refused, refusedUntil, type Outcome } from '../world/outcome.js';
import { computeCost, findPrice, refuseBound } from '../world/outside.js';
import { getAccount } from '../world/state.js';
import { readField } from '@assay/kernel/shape';

/** One method: the answer of a model. */
export const LLM: ReadonlyMap<string, Method> = new Map([
  method('complete', 'What a model says to a prompt.', { prompt: TEXT, 'max_tokens?': COUNT }, complete),
]);

/** The name of the service. */
export const LLM_ID = 'genesis_llm';

function complete({ physics: { draft }, frame, args }: Call): Outcome {
  const { resources } = draft.config;
  const prompt = readText(args, 'prompt');
  const max = readNumber(args, 'max_tokens', resources.default_reservation_tokens);
  const need = { service: LLM_ID, method: 'complete', args: { prompt, max_tokens: max } };
  const hash = draft.context.hash(need);
  const answer = frame.answers.get(hash);
  if (answer !== undefined) {
    const failure = isObject(answer) ? field(answer, 'failure') : undefined;
    return failure === undefined
      ? done(readField(answer, 'result'))
      : refused('EXECUTION_ERROR', 'the model gave no answer', { failure });
  }
  // A token has a byte at least, so the bytes of a prompt bound its tokens.
  const input = utf8Length(prompt);
  const tokens = input + max;
  const price = findPrice(draft.config, 'default');
  const uusd = computeCost(price, input, max) + price.call_uusd;
  const { payer } = frame;
  return (
    refuseBound(draft, payer, { tokens, uusd }) ?? { t: 'need', need: { need, hash, payer, tokens, uusd } }
  );
}

const HOLDING = Object.freeze(closedObject({ amount: AMOUNT, 'resource?': RESOURCE }));

/** Balances, transfers, mandates. */
export const LEDGER: ReadonlyMap<string, Method> = new Map([
  method('balance', 'What somebody holds.', { 'id?': ID }, balance),
  method(
    'transfer',
    'Gives an amount away. `from`: whose contract allows it.',
    { to: ID, amount: AMOUNT, 'resource?': RESOURCE, 'from?': ID },
    transfer,
  ),
  method(
    'swap',
    'Gives an amount for another, both or none. `with`: whose contract allows it.',
    { with: ID, give: HOLDING, want: HOLDING },
    swap,
  ),
  method(
    'grant_mandate',
    'Lets a contract charge you up to a cap until a time, whoever acts.',
    { contract: ID, cap: AMOUNT, expires_us: AMOUNT },
    grant,
  ),
  method('revoke_mandate', 'Takes a mandate back.', { contract: ID }, (call) => mandate(call, 0, 0)),
]);

/** Quotas: what is used of them, and their transfer. */
export const RIGHTS: ReadonlyMap<string, Method> = new Map([
  method(
    'check_quota',
    'What is allocated, and what is left of it.',
    { 'id?': ID, resource: RESOURCE },
    quota,
  ),
  method('transfer_quota', 'Gives a quota away.', { to: ID, amount: AMOUNT, resource: RESOURCE }, transfer),
]);

function readResource({ args }: Pick<Call, 'args'>): Resource {
  const name = readText(args, 'resource');
  return RESOURCES.find((resource) => resource === name) ?? 'scrip';
}

function balance({ physics: { draft }, frame, args }: Call): Outcome {
  const id = readText(args, 'id') || frame.requester;
  if (!isId(id) || !draft.state.accounts.has(id)) return refused('NOT_FOUND', 'there is no such account');
  return done(getAccount(draft.state, id).amounts);
}

function quota(call: Call): Outcome {
  const { physics, frame, args } = call;
  const { draft } = physics;
  const id = readText(args, 'id') || frame.requester;
  if (!isId(id) || !draft.state.accounts.has(id)) return refused('NOT_FOUND', 'there is no such account');
  const resource = readResource(call);
  return done({
    allocated: getAccount(draft.state, id).amounts[resource],
    spare: computeSpare(draft, id, resource),
  });
}

/** What moves from whom to whom. */
type Leg = {
  readonly from: string;
  readonly to: string;
  readonly resource: Resource;
  readonly amount: number;
};

function transfer(call: Call): Outcome {
  const { frame, args } = call;
  const leg = {
    from: readText(args, 'from') || frame.requester,
    to: readText(args, 'to'),
    resource: readResource(call),
    amount: readNumber(args, 'amount'),
  };
  return refusalOfLeg(call, leg) ?? move(call, leg);
}

function swap(call: Call): Outcome {
  const { frame, args } = call;
  const [self, other] = [frame.requester, readText(args, 'with')];
  const [give, want] = ['give', 'want'].map((side) => {
    const held = readValue(args, side) as JsonObject;
    return { resource: readResource({ args: held }), amount: readNumber(held, 'amount') };
  }) as [Pick<Leg, 'resource' | 'amount'>, Pick<Leg, 'resource' | 'amount'>];
  const legs: readonly Leg[] = [
    { from: self, to: other, ...give },
    { from: other, to: self, ...want },
  ];
  for (const step of [refusalOfLeg, move])
    for (const leg of legs) {
      const outcome = step(call, leg);
      if (outcome !== null && outcome.t !== 'ok') return outcome;
    }
  return done(null);
}

/** Why the requester may not move an amount of another; its contract is told the arguments as content. */
function refusalOfLeg({ physics, frame, args }: Call, { from, to }: Leg): Outcome | null {
  const nobody = faultOfHolder(physics, from) ?? faultOfHolder(physics, to);
  if (nobody !== null) return nobody;
  if (from === to) return refused('INVALID_ARGS', 'from and to are the same');
  if (from === frame.requester) return null;
  const owned = find(physics.draft, from);
  if (!('id' in owned)) return owned;
  return makeRefusal(permit(physics, frame, owned, { action: 'transfer', content: args }));
}

/** Moves an amount. `CONFLICT` where a rate is used in this window, with the time after which it is not. */
function move({ physics: { draft } }: Call, { from, to, resource, amount }: Leg): Outcome {
  if (computeSpare(draft, from, resource) < amount) {
    if (resource !== 'llm_rate' && resource !== 'cpu')
      return refused(resource === 'scrip' ? 'INSUFFICIENT_FUNDS' : 'CONFLICT', 'there is too little to give');
    return refusedUntil(
      'CONFLICT',
      'the rate is used in this window',
      retryAfter(draft, from, resource, amount),
      resource,
    );
  }
  draft.emit({ t: 'mv', f: from, o: to, x: amount, ...(resource === 'scrip' ? {} : { r: resource }) });
  return done(null);
}

function grant(call: Call): Outcome {
  const { physics, args } = call;
  const { draft } = physics;
  const contract = find(draft, readText(args, 'contract'));
  if (!('id' in contract)) return contract;
  const expires = readNumber(args, 'expires_us');
  if (expires <= draft.state.now_us) return refused('INVALID_ARGS', 'the mandate has expired');
  return mandate(call, readNumber(args, 'cap'), expires);
}

function mandate({ physics, frame, args }: Call, cap: number, expires: number): Outcome {
  const { draft } = physics;
  const nobody = faultOfHolder(physics, frame.requester);
  if (nobody !== null) return nobody;
  const contract = readText(args, 'contract');
  if (cap === 0 && !draft.state.mandates.has(`${frame.requester} ${contract}`))
    return refused('NOT_FOUND', 'there is no such mandate');
  draft.emit({ t: 'mandate', p: frame.requester, k: contract, x: cap, us: expires });
  return done(null);
}

/** All that is not read, write or noop is an invoke on one of these. */
export const SERVICES: ReadonlyMap<string, Service> = new Map([
  ['genesis_ledger_api', LEDGER],
  ['genesis_store_api', STORE],
  ['genesis_mint_api', MINT],
  ['genesis_escrow_api', ESCROW],
  ['genesis_rights_registry_api', RIGHTS],
  ['genesis_agents_api', AGENTS],
  ['genesis_event_log_api', EVENT_LOG],
  [LLM_ID, LLM],
  ['genesis_calls_api', CALLS],
  ['genesis_capabilities_api', CAPABILITIES],
]);

/** The interface of a service: its methods as MCP tools. */
export function describeInterface(service: Service): JsonObject {
  return {
    tools: [...service].map(([name, { description, input }]) => ({ name, description, inputSchema: input })),
  };
}
