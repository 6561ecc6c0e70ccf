/**
 * The intent machine: slots are asked for readings of a request, and one reading is committed, or none.
 * Source: 001 §1, §2.3 to §2.6, §3; intent, whole.
 */
import { utf8Length } from '../text.js';
import { field, isObject, type Json } from '../json.js';
import type { Failure, Request, State } from '../ledger/payloads.js';
import { isName } from '../ledger/names.js';
import { deciding } from '../machine/deciding.js';
import type { Answer, Context, Decision, Machine, Rejection } from '../machine/types.js';
import { err, InvariantError, ok, type Result } from '../result.js';
import type { SlotAnswer } from './answers.js';
import { collapse, reason, refuse, seedNode, type Ending } from './collapse.js';
import { countPairs } from './contradiction.js';
import { parseInterpretations, type Interpretation } from './interpretation.js';
import { parsePin, type PinAtom } from './pin.js';
import { parsePolicy, PPM } from './policy.js';
import { SEED_BYTES_MAX, SeedText } from './seed.js';
import { tokenize } from './tokens.js';
import { decode, EMPTY, encode, evolve, type IntentEvent, type IntentState, type Setup } from './state.js';

/**
 * What each slot is asked: `n` readings of the seed, with the pin as atoms. Holds no run id, so recorded
 * answers match across runs.
 */
export type InterpretationsBody = {
  readonly slot: string;
  readonly seed_hash: string;
  readonly seed_text: string;
  readonly n: number;
  readonly pin: readonly PinAtom[];
};

/** Kind of the request to a slot. */
export const INTERPRETATIONS_KIND = 'interpretations';

/** How often a slot may answer before its failure counts. */
export const SLOT_ATTEMPTS = 2;

/**
 * Claims of all answers, which the slots share: with more the last decision would take over two seconds. Demands under
 * one key are compared in pairs, and so many pairs count as a claim.
 */
const [CLAIMS_MAX, PAIRS] = [4_000, 25];

type IntentDecision = Decision<IntentEvent, InterpretationsBody>;

/**
 * The machine. Genesis input {seed_text, pin}; policy: see `Policy`. Artifacts: `blueprint` and
 * `verification_pack`, or `refusal_report`; never both, never neither.
 *
 * Errors of opening, in this order: `bad_policy` {field, rule}; `bad_input` {field, rule}; `bad_pin`
 * {key, rule}. A request without words is no error but the refusal `empty_seed`. A proposal that is no list
 * of readings is rejected whole, `bad_interpretations` {path, rule}.
 */
export const intent: Machine<IntentState, readonly Interpretation[], IntentEvent, InterpretationsBody> = {
  name: 'intent',
  version: 1,
  open,
  parse,
  decide,
  evolve,
  encode,
  decode,
};

function open(genesis: Parameters<typeof intent.open>[0], context: Context): ReturnType<typeof intent.open> {
  const carried = genesis.base?.snapshot ?? null;
  if (carried !== null) {
    // A continuation goes on with the requests it carries: nothing is asked anew.
    const state = decode(carried.machine);
    if (state._tag === 'Left') return state;
    return canGoOn(state.right, carried.open)
      ? ok({ state: state.right, decision: { events: [] } })
      : err({ code: 'bad_state', detail: { path: '/open' } });
  }
  const policy = parsePolicy(genesis.policy);
  if (policy._tag === 'Left') return policy;
  const input = readInput(genesis.input);
  if (input._tag === 'Left') return input;
  const { seedText, pin } = input.right;
  const setup: Setup = {
    seed_hash: context.hash(seedText),
    genesis_hash: context.input_hash,
    policy: policy.right,
    pin,
  };
  const early = reasonsToStop(seedText, setup);
  const step = deciding<IntentState, IntentEvent, InterpretationsBody>(EMPTY, evolve, context);
  step.emit({ t: 'seeded', ...setup });
  if (early.length > 0)
    return ok({
      state: EMPTY,
      decision: endWith(step, refuse(early, { setup, seedText, answers: [] }, null, context), []),
    });
  for (const slot of policy.right.proposers)
    step.emit({ t: 'asked', slot, id: step.ask(makeAsk(slot, setup, seedText)) });
  return ok({ state: EMPTY, decision: step.done({ graph: { nodes: [seedNode(setup)], edges: [] } }) });
}

/** A run that goes on waits for exactly the requests it carries, each one this machine could have asked. */
function canGoOn({ setup, waiting, ended }: IntentState, open: State['open']): boolean {
  const ids = Object.keys(open);
  if (ids.length !== waiting.size) return false;
  if (ids.length === 0) return ended !== null || setup === null;
  return (
    setup !== null &&
    ids.every((id) => {
      const { kind, body } = open[id]?.request ?? { kind: '', body: null };
      return (
        kind === INTERPRETATIONS_KIND &&
        isObject(body) &&
        field(body, 'slot') === waiting.get(id) &&
        field(body, 'seed_hash') === setup.seed_hash &&
        typeof field(body, 'seed_text') === 'string'
      );
    })
  );
}

function parse(
  value: Json,
  request: Request<InterpretationsBody>,
): Result<Rejection, readonly Interpretation[]> {
  return parseInterpretations(value, new SeedText(request.body.seed_text));
}

function decide(
  state: IntentState,
  answer: Answer<readonly Interpretation[], InterpretationsBody>,
  context: Context,
): Result<Rejection, IntentDecision> {
  const { id, body } = answer.request;
  const { setup } = state;
  if (setup === null) throw new InvariantError('intent/decide', 'an answer before the run was seeded');
  const slot = readAnswer(answer, context);
  const most = Math.floor(CLAIMS_MAX / setup.policy.proposers.length);
  if (slot.t === 'answered' && weigh(slot.readings, new SeedText(body.seed_text)) > most)
    return err({ code: 'bad_interpretations', detail: { path: '', rule: `claims_to_${most}` } });
  const step = deciding<IntentState, IntentEvent, InterpretationsBody>(state, evolve, context);
  const isTooLarge = isOverLimit(answer);
  // What would not fit a record is left out of the second attempt, which can only be a refusal.
  step.emit({
    t: 'answered',
    id,
    answer: isTooLarge ? { t: 'failed', slot: body.slot, code: 'exhausted', why: 'limit_bytes' } : slot,
  });
  const waiting = step.state.waiting.sorted().map(([open]) => open);
  const answers = step.state.answers.sorted().map(([, given]) => given);
  if (isTooLarge) {
    // Which answer came last does not show in the report: it cites none.
    const gathered = { setup, seedText: body.seed_text, answers: [] };
    const tooLarge = reason('limit_bytes', null, null, null);
    return ok(endWith(step, refuse([tooLarge], gathered, null, context), waiting));
  }
  return ok(
    waiting.length > 0
      ? step.done()
      : endWith(step, collapse({ setup, seedText: body.seed_text, answers }, context), []),
  );
}

/** What it takes to decide on the readings, in claims: pairs are compared within the one that wins. */
function weigh(readings: readonly Interpretation[], seed: SeedText): number {
  const claims = readings.reduce((sum, { commits }) => sum + commits.length, 0);
  return claims + Math.floor(Math.max(0, ...readings.map((reading) => countPairs(reading, seed))) / PAIRS);
}

function endWith(
  step: ReturnType<typeof deciding<IntentState, IntentEvent, InterpretationsBody>>,
  { events, ...ending }: Ending,
  withdraw: readonly string[],
): IntentDecision {
  for (const event of events) step.emit(event);
  return step.done({ ...ending, withdraw });
}

function makeAsk(
  slot: string,
  { seed_hash, policy, pin }: Setup,
  seed_text: string,
): Parameters<ReturnType<typeof deciding<IntentState, IntentEvent, InterpretationsBody>>['ask']>[0] {
  return {
    kind: INTERPRETATIONS_KIND,
    body: { slot, seed_hash, seed_text, n: policy.max_interpretations, pin },
    accepts: ['rule', 'recorded_model', 'live_model', 'human', 'synthetic'],
    attempts: SLOT_ATTEMPTS,
  };
}

/**
 * Reasons known before anything is asked: each slot takes one step, and a request without words has no
 * reading.
 */
function reasonsToStop(seedText: string, { policy }: Setup): readonly ReturnType<typeof reason>[] {
  const steps = policy.proposers.length;
  const stops = isBlank(seedText) ? [reason('empty_seed', null, null, null)] : [];
  return steps > policy.max_steps
    ? [...stops, reason('max_steps', 'max_steps', policy.max_steps, steps)]
    : stops;
}

function isBlank(text: string): boolean {
  return tokenize(text).every(({ kind }) => kind === 'symbol');
}

function readAnswer(
  { request, proposal, input }: Answer<readonly Interpretation[], InterpretationsBody>,
  context: Context,
): SlotAnswer {
  const { slot } = request.body;
  const { source, proposer, confidence, value } = proposal;
  if (input._tag === 'Left') return { t: 'failed', slot, code: input.left.code, why: readWhy(input.left) };
  // Evidence may hold a fraction; what decides is an integer.
  const confidence_ppm = confidence === null ? null : Math.floor(confidence * PPM);
  return {
    t: 'answered',
    slot,
    source,
    proposer,
    proposal_hash: context.hash({ source, confidence, value }),
    confidence_ppm,
    readings: input.right,
  };
}

/** The code inside a failure's detail: why a proposer gave up, or what was wrong with its last attempt. */
function readWhy({ detail }: Failure): string | null {
  const code = isObject(detail) ? field(detail, 'code') : undefined;
  return typeof code === 'string' && isName(code) ? code : null;
}

/**
 * True if the kernel hands the same answer in again because its group did not fit; a proposer's own
 * failure is none.
 */
function isOverLimit({ input, proposal }: Answer<readonly Interpretation[], InterpretationsBody>): boolean {
  return isLimit(input._tag === 'Left' ? input.left : null) && !isLimit(proposal.failure);
}

function isLimit(failure: Failure | null): boolean {
  return failure?.code === 'exhausted' && readWhy(failure) === 'limit_bytes';
}

function readInput(
  input: Json,
): Result<Rejection, { readonly seedText: string; readonly pin: readonly PinAtom[] }> {
  if (!isObject(input)) return bad('input', 'object');
  const seedText = field(input, 'seed_text');
  if (typeof seedText !== 'string') return bad('seed_text', 'text');
  if (utf8Length(seedText) > SEED_BYTES_MAX) return bad('seed_text', `bytes_to_${SEED_BYTES_MAX}`);
  const pin = parsePin(field(input, 'pin') ?? null);
  if (pin._tag === 'Left') return pin;
  const known = Object.hasOwn(input, 'pin') ? 2 : 1;
  return Object.keys(input).length === known ? ok({ seedText, pin: pin.right }) : bad('input', 'unknown_key');
}

function bad(name: string, rule: string): Result<Rejection, never> {
  return err({ code: 'bad_input', detail: { field: name, rule } });
}
