/**
 * The memory machine: a shelf of Megrams that one writer fills, that planners read, and that dreams and
 * people clear. A run of its own, shared by the runs that write to it. Source: 002 §R5; 003 §R5; dec-M1 to
 * dec-M20; "How this maps onto machine.md".
 *
 * @module
 */
import {
  absurd,
  deciding,
  err,
  isObject,
  ok,
  type Answer,
  type Ask,
  type Context,
  type Failure,
  type Genesis,
  type Json,
  type Machine,
  type Rejection,
  type Request,
  type Result,
  type Source,
  type State,
} from '@assay/kernel';
import { parseAnswer, type MemoryAnswer } from './answers.js';
import {
  citedKey,
  feedbackKind,
  type Aftermath,
  type InvitationBody,
  type MemoryBody,
  type MemoryDecision,
  type MemoryStep,
} from './asks.js';
import { settleDistilled } from './distilling.js';
import { dream } from './dreaming.js';
import { INVITATION_KINDS, type InvitationKind, type MemoryEvent } from './events.js';
import { forget } from './forgetting.js';
import { seedNode } from './graph.js';
import { parseMemoryPolicy } from './policy.js';
import { decode, EMPTY, encode, evolve, type MemoryState } from './state.js';
import { tagsOf } from './shelf.js';
import { giveFeedback, recall, write } from './writing.js';

/**
 * The machine. Genesis input {}; policy: see `MemoryPolicy`. It asks for nothing but texts of rules
 * (`distil`); all else is brought to its standing invitations `write`, `feedback`, `recall`, `dream`,
 * `forget` and `end`, each of which a decision issues again. Artifact of a run that ended: `memory`, what was
 * on the shelf.
 *
 * Errors of opening: `bad_policy` {field, rule}; `bad_input` {field, rule}. Rejections, in this order: those
 * of `parseAnswer`; `uncited` {cites} where a run cites not exactly one head; `already_written` {sequence};
 * `clock_backwards` {last_us, given_us}; then of each kind: `tag_full`, `unknown_rule`, `unknown_target`.
 */
export const memory: Machine<MemoryState, MemoryAnswer, MemoryEvent, MemoryBody> = {
  name: 'memory',
  version: 1,
  open,
  parse,
  decide,
  evolve,
  encode,
  decode,
};

/**
 * Who may answer each invitation. Only a person forgets; only a run, or a fixture, writes. Source: law-M6,
 * dec-M15.
 */
const ACCEPTS: Readonly<Record<InvitationKind, readonly Source[]>> = Object.freeze({
  dream: ['clock', 'human', 'rule', 'synthetic'],
  end: ['human', 'rule', 'synthetic'],
  feedback: ['run', 'synthetic'],
  forget: ['human'],
  recall: ['run', 'synthetic'],
  write: ['run', 'synthetic'],
});

function open(genesis: Genesis, context: Context): ReturnType<typeof memory.open> {
  const carried = genesis.base?.snapshot ?? null;
  if (carried !== null) {
    // A continuation goes on with the requests it carries: nothing is asked anew.
    const state = decode(carried.machine);
    if (state._tag === 'Left') return state;
    return canGoOn(state.right, carried.open)
      ? ok({ state: state.right, decision: { events: [] } })
      : err({ code: 'bad_state', detail: { path: '/open' } });
  }
  const policy = parseMemoryPolicy(genesis.policy);
  if (policy._tag === 'Left') return policy;
  if (!isObject(genesis.input) || Object.keys(genesis.input).length > 0)
    return err({ code: 'bad_input', detail: { field: 'input', rule: 'empty_object' } });
  const step = deciding<MemoryState, MemoryEvent, MemoryBody>(EMPTY, evolve, context);
  step.emit({ t: 'opened', policy: policy.right });
  for (const kind of INVITATION_KINDS) invite(step, kind);
  return ok({ state: EMPTY, decision: step.done({ graph: { nodes: [seedNode(policy.right)], edges: [] } }) });
}

/** A run that goes on holds exactly the requests its state waits for, each of its kind. */
function canGoOn({ invitations, distilling }: MemoryState, open: State['open']): boolean {
  const expected = [
    ...invitations.sorted().map(([kind, id]) => [id, kind] as const),
    ...distilling.sorted().map(([id]) => [id, 'distil'] as const),
  ];
  return (
    Object.keys(open).length === expected.length &&
    expected.every(([id, kind]) => Object.hasOwn(open, id) && open[id]?.request.kind === kind)
  );
}

function parse(value: Json, request: Request<MemoryBody>): Result<Rejection, MemoryAnswer> {
  return parseAnswer(value, request.kind);
}

function decide(
  state: MemoryState,
  answer: Answer<MemoryAnswer, MemoryBody>,
  context: Context,
): Result<Rejection, MemoryDecision> {
  const { request, input } = answer;
  const step = deciding<MemoryState, MemoryEvent, MemoryBody>(state, evolve, context);
  if (input._tag === 'Left') return ok(takeFailure(step, request, input.left));
  const said = input.right;
  if (said.t === 'distil') return ok(settleDistilled(step, request.id, said.text, context));
  // One decision of a run may find several rules wanting.
  const key = citationKey(said.t === 'feedback' ? feedbackKind(said.rule) : said.t, answer);
  if (key._tag === 'Left') return key;
  const before = key.right === null ? undefined : state.cited.get(key.right);
  if (before !== undefined) return err({ code: 'already_written', detail: { sequence: before } });
  if (said.at_us < state.clock_us)
    return err({ code: 'clock_backwards', detail: { last_us: state.clock_us, given_us: said.at_us } });
  if (key.right !== null) step.emit({ t: 'cited', key: key.right, sequence: context.sequence });
  if (said.t === 'end') return ok(end(step, said.at_us, request.id));
  const done = carryOut(step, said, context);
  if (done._tag === 'Left') return done;
  invite(step, said.t);
  return ok(step.done(done.right));
}

/** Does what an answer says. Right: what the decision holds beside its events. */
function carryOut(
  step: MemoryStep,
  said: Exclude<MemoryAnswer, { readonly t: 'distil' | 'end' }>,
  context: Context,
): Result<Rejection, Aftermath> {
  switch (said.t) {
    case 'write':
      return write(step, said, context);
    case 'feedback':
      return giveFeedback(step, said, context);
    case 'recall':
      return recall(step, said);
    case 'dream':
      return ok(dream(step, said.at_us, context));
    case 'forget':
      return forget(step, said);
    default:
      return absurd(said);
  }
}

/**
 * A failure takes nothing away: an invitation stands again, and a promotion without text waits for the next
 * dream.
 */
function takeFailure(step: MemoryStep, request: Request<MemoryBody>, failure: Failure): MemoryDecision {
  const kind = INVITATION_KINDS.find((known) => known === request.kind);
  if (kind === undefined) {
    const waiting = step.state.distilling.get(request.id);
    if (waiting !== undefined)
      step.emit({
        t: 'undistilled',
        id: request.id,
        space: waiting.space,
        entity: waiting.entity,
        why: 'no_text',
        code: failure.code,
      });
    return step.done();
  }
  step.emit({ t: 'unanswered', kind, code: failure.code });
  invite(step, kind);
  return step.done();
}

/**
 * The key under which an answer of a run is known: its kind and the head it cites. A run cites exactly one,
 * the head of its own ledger. Null where a fixture or a person cites none.
 */
function citationKey(
  kind: string,
  { proposal }: Answer<MemoryAnswer, MemoryBody>,
): Result<Rejection, string | null> {
  const { cites, source } = proposal;
  const [head] = cites;
  if (cites.length > 1 || (source === 'run' && head === undefined))
    return err({ code: 'uncited', detail: { cites: cites.length } });
  return ok(head === undefined ? null : citedKey(kind, head));
}

function invite(step: MemoryStep, kind: InvitationKind): void {
  step.emit({ t: 'invited', kind, id: step.ask(invitation(kind)) });
}

function invitation(kind: InvitationKind): Ask<InvitationBody> {
  return { kind, body: { invites: kind }, accepts: ACCEPTS[kind], attempts: 0 };
}

/** The end of a memory: what is on the shelf is counted, and nothing is open any more. */
function end(step: MemoryStep, at_us: number, answered: string): MemoryDecision {
  const { distilling, invitations, shelf } = step.state;
  const withdraw = [
    ...invitations.sorted().map(([, id]) => id),
    ...distilling.sorted().map(([id]) => id),
  ].filter((id) => id !== answered);
  const tags = tagsOf(shelf);
  const raw = tags.reduce((sum, { count }) => sum + count, 0);
  const rules = tags.reduce((sum, tag) => sum + tag.rules.length, 0);
  step.emit({ t: 'ended', at_us });
  return step.done({
    withdraw,
    artifacts: { memory: { at_us, tags: tags.length, raw, rules } },
    outcome: { status: 'success', reasons: [] },
  });
}
