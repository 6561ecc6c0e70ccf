/**
 * The memory machine: a shelf of Megrams that one writer fills, that planners read, and that dreams and
 * people clear. A run of its own, shared by the runs that write to it. Source: 002 §R5; 003 §R5; dec-M1 to
 * dec-M20; "How this maps onto machine.md".
 */
import {
  deciding,
  err,
  isObject,
  ok,
  type Answer,
  type Context,
  type Failure,
  type Genesis,
  type Json,
  type Machine,
  type Rejection,
  type Request,
  type Result,
  type State,
} from '@assay/kernel';
import {
  DISTIL_KIND,
  settleDistilled,
  citedKey,
  type MemoryBody,
  type MemoryDecision,
  type MemoryStep,
} from './distilling.js';
import { seedNode } from './megram.js';
import { parseMemoryPolicy } from './policy.js';
import { INVITATIONS, parseAnswer, type Invitation, type MemoryAnswer } from './requests.js';
import {
  decode,
  EMPTY,
  encode,
  evolve,
  type MemoryState,
  INVITATION_KINDS,
  type InvitationKind,
  type MemoryEvent,
} from './state.js';

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
  const { t: kind, said } = input.right;
  if (kind === DISTIL_KIND) return ok(settleDistilled(step, request.id, said.text, context));
  const row: Invitation<never> = INVITATIONS[kind];
  const key = citationKey(row.key?.(said as never) ?? kind, answer);
  if (key._tag === 'Left') return key;
  const before = key.right === null ? undefined : state.cited.get(key.right);
  if (before !== undefined) return err({ code: 'already_written', detail: { sequence: before } });
  if (said.at_us < state.clock_us)
    return err({ code: 'clock_backwards', detail: { last_us: state.clock_us, given_us: said.at_us } });
  if (key.right !== null) step.emit({ t: 'cited', key: key.right, sequence: context.sequence });
  const done = row.accepted(step, said as never, context);
  if (done._tag === 'Left') return done;
  if (done.right.outcome === undefined) invite(step, kind);
  return ok(step.done(done.right));
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
  const { accepts } = INVITATIONS[kind];
  step.emit({ t: 'invited', kind, id: step.ask({ kind, body: { invites: kind }, accepts, attempts: 0 }) });
}
