/**
 * The machine `gate`: may this tool be called now, by this principal, with this input? Source: gate/G3–G10.
 *
 * @module
 */
import {
  compareText,
  deciding,
  err,
  ok,
  type Answer,
  type Context,
  type Deciding,
  type Decision,
  type Genesis,
  type Json,
  type Machine,
  type Rejection,
  type Request,
  type Result,
  type State,
} from '@assay/kernel';
import { decodeBy } from '@assay/kernel/shape';
import { isLike } from '../policy/conditions.js';
import { judge } from '../policy/judge.js';
import { readPolicy, type Budget } from '../policy/policy.js';
import { book, computeCosts } from './budgets.js';
import { INPUT, type CallBody, type GateAnswer, type GateAsk, type GateEvent, type Why } from './events.js';
import { askAbout, invite, REQUESTS, type RequestKind } from './requests.js';
import { evolve, listBooks, listLabels, startState, STATE, summarize, type GateState } from './state.js';
import { isWhole } from './tokens.js';

/** Principals of a run; calls of others are refused. */
const PRINCIPALS_MAX = 10_000;

/**
 * The machine. Genesis policy: docs/formats/gate.md; input {about, from}. Calls are brought to the standing invitation
 * `call`; `approve` asks a person, `perform` a tool; `close` ends the run with the artifact `summary`. A continuation
 * keeps counters, labels and open calls under the policy of its own genesis.
 *
 * Errors of opening: `bad_policy` {at, expected}, `bad_input` {path}, `bad_state` {path}. Rejections: `bad_call`,
 * `bad_close`, `bad_approve`, `bad_perform` {path}; `wrong_digest` where an input has another; `no_time` where a budget
 * has a window and the call no time. Source: gate/G8.
 */
export const gate: Machine<GateState, GateAnswer, GateEvent, GateAsk> = {
  name: 'gate',
  version: 1,
  open,
  parse,
  decide,
  evolve,
  encode: (state) => STATE.to(state),
  decode: (json) => decodeBy(STATE, json),
};

type Step = Deciding<GateState, GateEvent, GateAsk>;
type Decided = Decision<GateEvent, GateAsk>;

function open({ policy, input, base }: Genesis, context: Context): ReturnType<typeof gate.open> {
  const read = readPolicy(policy);
  if (read._tag === 'Left') return read;
  const path = INPUT(input);
  if (path !== null) return err({ code: 'bad_input', detail: { path } });
  const carried = base?.snapshot ?? null;
  const before = carried === null ? ok(startState(read.right)) : decodeBy(STATE, carried.machine);
  if (before._tag === 'Left') return before;
  const requests = carried?.open ?? {};
  if (!canContinue(before.right, requests)) return err({ code: 'bad_state', detail: { path: '/open' } });
  const state: GateState = { ...before.right, policy: read.right, closing: false };
  const kinds = Object.values(requests).map(({ request }) => request.kind);
  const asks = (['call', 'close'] as const).filter((kind) => !kinds.includes(kind)).map(invite);
  return ok({ state, decision: { events: [{ t: 'opened', policy: context.hash(policy) }], asks } });
}

/** A run that goes on holds one request for each call that its state has open, and no other. */
function canContinue({ open: calls }: GateState, requests: State['open']): boolean {
  const about = Object.values(requests).flatMap(({ request: { kind, body } }) =>
    kind === 'approve' || kind === 'perform' ? [String((body as CallBody).n)] : [],
  );
  return about.length === calls.size && about.every((n) => calls.get(n) !== undefined);
}

function parse(value: Json, { kind }: Request<GateAsk>): Result<Rejection, GateAnswer> {
  const path = REQUESTS[kind as RequestKind].answer(value);
  return path === null
    ? ok({ ...(value as object), t: kind } as GateAnswer)
    : err({ code: `bad_${kind}`, detail: { path } });
}

function decide(
  state: GateState,
  { request, proposal, input, spent }: Answer<GateAnswer, GateAsk>,
  context: Context,
): Result<Rejection, Decided> {
  const step = deciding<GateState, GateEvent, GateAsk>(state, evolve, context);
  const kind = request.kind as RequestKind;
  const body = request.body as CallBody;
  switch (kind) {
    case 'call':
    case 'close': {
      if (input._tag === 'Left') {
        step.emit({ t: 'unread', kind, why: input.left.code });
        if (!state.closing) step.ask(invite(kind));
        return ok(step.done());
      }
      if (input.right.t !== 'call') return ok(close(step));
      const fault = findFault(state, input.right, proposal.at_us, context);
      return fault === null ? ok(decideCall(step, input.right, proposal.at_us ?? 0)) : err(fault);
    }
    case 'approve': {
      const isApproved = input._tag === 'Right' && input.right.t === 'approve' && input.right.approved;
      if (isApproved) {
        step.emit({ t: 'approved', n: body.n });
        step.ask(askAbout('perform', body));
      } else step.emit({ t: 'declined', n: body.n, why: input._tag === 'Left' ? input.left.code : '' });
      return ok(finish(step));
    }
    case 'perform': {
      const isDone = input._tag === 'Right' && input.right.t === 'perform' && input.right.ok;
      const why = input._tag === 'Left' ? input.left.code : '';
      const books = listBooks(state, body.n);
      const costs = computeCosts(state.policy, body, books, spent, NEVER_BEGAN.includes(why), state.now);
      step.emit({ t: 'settled', n: body.n, ok: isDone, why, costs });
      return ok(finish(step));
    }
  }
}

/** Failures that say that the call never began: it costs nothing. What is lost is charged at its bound. */
const NEVER_BEGAN: readonly string[] = ['unavailable', 'denied', 'cancelled'];

type Call = Extract<GateAnswer, { readonly t: 'call' }>;

function findFault(
  { policy }: GateState,
  call: Call,
  at: number | null,
  { hash }: Context,
): Rejection | null {
  if (isWhole(call.input) && hash(call.input) !== call.digest) return { code: 'wrong_digest', detail: null };
  const hasWindow = policy.budgets.some(({ windowUs }) => windowUs !== null);
  return at === null && hasWindow ? { code: 'no_time', detail: null } : null;
}

/** One call: judged by the rules, held against the budgets; then performed, asked about or refused. */
function decideCall(step: Step, call: Call, atUs: number): Decided {
  const { state } = step;
  const { policy } = state;
  const labels = listLabels(state, call.principal);
  const { verdict, why, rules, marks } = judge(policy, call, labels);
  const at = Math.max(state.now, atUs);
  const { books, shortage } = book(policy, state.used, call, at);
  const refusal = verdict === 'deny' ? why : findRefusal(state, call, shortage);
  const would = refusal !== null ? 'denied' : verdict === 'ask' ? 'asked' : 'allowed';
  const n = state.n + 1;
  const decided = {
    ...{ n, at, why: refusal ?? why, rules: rules.map(({ id }) => id).toSorted(compareText) },
    ...(refusal === 'budget' || refusal === 'rate' ? { budget: shortage?.id ?? '' } : {}),
  };
  const isPerformed = refusal === null || policy.isObserving;
  const fresh = isPerformed ? marks.filter((mark) => !labels.includes(mark)) : [];
  const isKnown = state.principals.get(call.principal) !== undefined || refusal === 'principals';
  const who = isKnown && fresh.length === 0 ? {} : { who: [call.principal, fresh] as const };
  step.ask(invite('call'));
  const body = { n, principal: call.principal, tool: call.tool, digest: call.digest };
  if (policy.isObserving) step.emit({ t: 'watched', ...decided, would, books, ...who });
  else if (would === 'denied') step.emit({ t: 'denied', ...decided, ...who });
  else if (would === 'asked')
    step.emit({ t: 'asked', ...decided, approve: step.ask(askAbout('approve', body)), books, ...who });
  else step.emit({ t: 'allowed', ...decided, books, ...who });
  if (policy.isObserving || would === 'allowed') step.ask(askAbout('perform', body));
  return step.done();
}

/** Why a call that the rules let through is refused, or null. */
function findRefusal(state: GateState, { principal }: Call, shortage: Budget | null): Why | null {
  const { policy, principals, closing, open: calls } = state;
  if (policy.principals !== null && !isLike(policy.principals, principal)) return 'principal';
  if (principals.size >= PRINCIPALS_MAX && principals.get(principal) === undefined) return 'principals';
  if (closing) return 'closing';
  if (calls.size >= policy.inFlight) return 'in_flight';
  return shortage === null ? null : shortage.windowUs === null ? 'budget' : 'rate';
}

/** Nobody waits for a person any more; what is being performed is waited for. */
function close(step: Step): Decided {
  const asked = step.state.open
    .sorted((a, b) => Number(a) - Number(b))
    .flatMap(([n, { approve }]) => (approve === null ? [] : [[Number(n), approve] as const]));
  step.emit({ t: 'closing' });
  for (const [n] of asked) step.emit({ t: 'declined', n, why: 'closed' });
  return finish(
    step,
    asked.map(([, id]) => id),
  );
}

/** Once a run is closing, the last settled call ends it. */
function finish(step: Step, withdraw: readonly string[] = []): Decided {
  const { state } = step;
  if (!state.closing || state.open.size > 0) return step.done({ withdraw });
  return step.done({
    withdraw,
    artifacts: { summary: summarize(state) },
    outcome: { status: 'success', reasons: [] },
  });
}
