/**
 * One action as one step: read, write, invoke or noop, with everything that follows from it, or nothing.
 *
 * The order of checks is fixed: shape, existence, tombstone, permission, funds and quotas and rates, effect.
 * Source: specs/ecology.md B3, B8, B13.
 */
import type { Json, JsonObject } from '@assay/kernel';
import { answersFor } from '../contracts/ask.js';
import { clean, findCode, runCode } from '../contracts/code.js';
import { permit, find, makeRefusal } from '../contracts/permit.js';
import { misfit } from '../contracts/schema.js';
import { parseAction, type Action } from '../protocol/action.js';
import { SERVICES } from '../services/services.js';
import { writeOver } from '../store/writing.js';
import { measureSize, type Draft } from '../world/draft.js';
import { done, refused, type Frame, type Outcome, type Physics } from '../world/outcome.js';
import { isContract, readTools, type Artifact } from '../world/state.js';
import { findOwner } from '../world/owned.js';

/** Performs an action in a frame: of one that is refused, only what was metered stays and what its code paid. */
export function performIn(draft: Draft): Physics {
  const physics: Physics = {
    draft,
    perform: (frame, value) => {
      const action = parseAction(value);
      if (typeof action === 'string') return refused('INVALID_ARGS', action);
      return whole(draft, frame, action, (inner) => perform(physics, inner, action));
    },
  };
  return physics;
}

/**
 * Gives a caller with standing a purse of its own, and takes back what is refused, but for prices of what code was
 * given.
 */
function whole(draft: Draft, frame: Frame, action: Action, run: (frame: Frame) => Outcome): Outcome {
  const isOwn = frame.purse.payer === frame.requester;
  const own = isOwn && action.op !== 'noop' ? Math.min(action.max_charge, frame.purse.left) : 0;
  const purse = isOwn ? { payer: frame.requester, left: own, paid: 0 } : frame.purse;
  const before = { left: purse.left, paid: purse.paid };
  const savepoint = draft.save();
  const outcome = run({ ...frame, purse });
  if (outcome.t !== 'ok') {
    draft.undo(savepoint);
    const kept = draft.keptSince(savepoint, purse.payer);
    Object.assign(purse, { left: before.left - kept, paid: before.paid + kept });
  }
  if (isOwn) {
    frame.purse.left -= purse.paid;
    frame.purse.paid += purse.paid;
  }
  return outcome;
}

function perform(physics: Physics, frame: Frame, action: Action): Outcome {
  if (action.op === 'noop') return done(null);
  const found = find(physics.draft, action.id);
  if (!('id' in found)) return found;
  switch (action.op) {
    case 'read': {
      const refusal = makeRefusal(permit(physics, frame, found, { action: 'read' }));
      return refusal ?? done({ id: found.id, version: found.version, content: found.content });
    }
    case 'write': {
      const { content } = action;
      const refusal = makeRefusal(permit(physics, frame, found, { action: 'write', content }));
      return refusal ?? writeOver(physics, frame, found, action);
    }
    case 'invoke':
      return invoke(physics, frame, found, action);
  }
}

type Invoke = Extract<Action, { readonly op: 'invoke' }>;

function invoke(physics: Physics, frame: Frame, target: Artifact, { method, args }: Invoke): Outcome {
  const { draft } = physics;
  const { config } = draft;
  const refusal = makeRefusal(permit(physics, frame, target, { action: 'invoke', method }));
  if (refusal !== null) return refusal;
  if (!target.can_execute) return refused('INVALID_ARGS', 'the artifact does not execute');
  if (frame.invokes.length >= config.contracts.invoke_depth)
    return refused('DEPTH_EXCEEDED', 'too many invokes inside each other');
  const service = target.creator === 'genesis' ? SERVICES.get(target.id) : undefined;
  const inner: Frame = { ...frame, invokes: [...frame.invokes, target.id] };
  if (service !== undefined) {
    const known = service.get(method);
    if (known === undefined) return refused('INVALID_ARGS', 'the service has no such method');
    const fault = misfit(args, known.input);
    return fault === null
      ? known.run({ physics, frame: inner, args })
      : refused('INVALID_ARGS', 'the method asks for other arguments', { at: fault });
  }
  if (frame.invokes.includes(target.id) || frame.checks.includes(target.id))
    return refused('CONFLICT', 'the code of the artifact is running');
  const outcome = invokeCode(physics, inner, target, method, args);
  if (outcome.t === 'ok') draft.emit({ t: 'ran', i: target.id, by: frame.requester, m: method });
  return outcome;
}

/** Runs the code of a tool, a contract or an agent. Who has standing pays for itself. */
function invokeCode(
  physics: Physics,
  frame: Frame,
  target: Artifact,
  method: string,
  args: JsonObject,
): Outcome {
  const { draft } = physics;
  const { meter } = draft.context;
  if (meter.isSpent) return refused('INSUFFICIENT_COMPUTE', 'one answer computes too much');
  const mode = draft.config.store.interface_validation;
  const tool = readTools(target.interface).find(({ name }) => name === method);
  const fault =
    mode === 'none' ? null : tool === undefined ? `no tool ${method}` : misfit(args, tool.input, meter);
  if (fault !== null) {
    if (mode === 'strict')
      return refused('INVALID_ARGS', 'the interface asks for other arguments', { at: fault });
    lied(draft, target, `arguments ${fault}`);
  }
  const code = findCode(target);
  if (code === null) return refused('EXECUTION_ERROR', 'the artifact has no code');
  const payer = target.has_standing ? target.id : frame.payer;
  const inside: Frame = {
    ...frame,
    requester: target.id,
    payer,
    purse: payer === frame.purse.payer ? frame.purse : { payer, left: Number.MAX_SAFE_INTEGER, paid: 0 },
  };
  draft.tell('invoke', () => ({ artifact: target.id, method, hash: target.content_hash, payer }));
  const isCheck = method === 'check_permission' && isContract(target);
  const ran = runCode(
    draft,
    inside,
    isCheck
      ? { code, name: 'check_permission', values: [args], free: 0 }
      : { code, name: 'run', values: [method, args, contextFor(draft, frame, target)], free: 0 },
    answersFor(physics, inside, () => false),
  );
  draft.tell('ran', () => ({ artifact: target.id, fuel: ran.fuel, payer }));
  if (ran.t === 'need') return { t: 'need', need: ran.need };
  if (ran.t === 'no') return { t: 'no', refusal: ran.refusal };
  const wrong = mode === 'none' || tool === undefined ? null : misfit(ran.value, tool.output, meter);
  if (wrong !== null) lied(draft, target, `result ${wrong}`);
  return wrong !== null && mode === 'strict'
    ? refused('EXECUTION_ERROR', 'the result is not what the interface says', { at: wrong })
    : done(ran.value);
}

function lied(draft: Draft, { id }: Artifact, what: string): void {
  const m = clean(what);
  draft.emit({ t: 'lied', i: id, m }, measureSize(m));
}

function contextFor({ state }: Draft, { requester }: Frame, target: Artifact): Json {
  return { caller: requester, self: target.id, owner: findOwner(state, target), version: target.version };
}
