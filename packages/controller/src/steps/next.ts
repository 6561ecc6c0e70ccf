/**
 * The executor of the rules: the next move of a sub-task whose context is a program. It chooses nothing: what was
 * called so far says where in the program it is, and earlier outputs fill the inputs. Source: 003 §R3; calls/C5.
 *
 * @module
 */
import {
  cutText,
  err,
  isArray,
  nobleSha256,
  ok,
  type Json,
  type Result,
  type Sha256,
  isObject,
} from '@assay/kernel';
import { callsIn, type EvidenceCall, type SubTaskEvidence } from '../evidence/evidence.js';
import { CLAIM_MAX, type StepAnswer } from '../protocol/requests.js';
import { TEXT_MAX } from '../protocol/criteria.js';
import { CALLS_MAX, type ToolInput } from '../protocol/tools.js';
import { canonicalText, renderText } from './files.js';
import {
  type StepFault,
  parseProgram,
  type CallStep,
  type Derivation,
  type Program,
  derivationIn,
} from './program.js';
import { derive, type Outputs } from './values.js';
import { findWhole, type Wholes } from './checks.js';

/** Why there is no next move: the context is no program, or a whole output that is needed is gone. */
type NoStep =
  | { readonly code: 'not_steps'; readonly path: string }
  | { readonly code: 'output_gone'; readonly detail: string };

/** With what values are made. */
type Making = {
  readonly program: Program;
  readonly of: SubTaskEvidence;
  readonly wholes: Wholes;
  readonly sha256: Sha256;
};

/** Why a try came to its end. `call`: the one that did, if it was one. */
type Stop = { readonly call: EvidenceCall | null; readonly why: string };

/**
 * Where in a program its executor is. `done`: steps of the try that are over; `faulty`: those whose outputs
 * are of no use, and why; `stop`: how the try before ended.
 */
type Place = {
  readonly attempt: number;
  readonly done: number;
  readonly outputs: ReadonlyMap<string, Json>;
  readonly faulty: ReadonlyMap<string, StepFault>;
  readonly calls: readonly number[];
  readonly stop: Stop | null;
};

/**
 * The next move: the steps of the try in use of which the inputs are known, up to eight in one answer; `done`
 * with what the program makes of the outputs, resting on the calls of the try; `give_up` where no try is
 * left. A call that does not go well and may not fail, an input or output that cannot be made, a correction
 * and a move that was turned away each go on to the next try. `wholes`: outputs that the records show in
 * part. Codes: `NoStep`.
 */
export function stepByRules(
  of: SubTaskEvidence,
  wholes: Wholes = new Map(),
  sha256: Sha256 = nobleSha256,
): Result<NoStep, StepAnswer> {
  const program = parseProgram(of.subtask.context);
  if (program._tag === 'Left') return program;
  const making: Making = { program: program.right, of, wholes, sha256 };
  for (let place = placeIn(making); ; ) {
    const steps = program.right.tries[place.attempt];
    if (steps === undefined) return ok(givenUp(of, place.stop));
    const [at, move] = nextMove(making, steps, place);
    if (move._tag === 'Right') return move;
    if (move.left.code === 'output_gone') return err({ code: 'output_gone', detail: move.left.detail });
    place = begun(of, at.attempt + 1, {
      call: callsIn(of)[at.calls.at(-1) ?? -1] ?? null,
      why: faultText(move.left),
    });
  }
}

/** Goes through what happened. A call that is none of the try in use is of a later one. */
function placeIn({ of, ...more }: Making): Place {
  const making: Making = { of, ...more };
  const { tries } = making.program;
  let place = begun(of, 0, null);
  for (const item of of.items) {
    if (item.t === 'correction') {
      const call = callsIn(of)[item.calls.at(-1) ?? -1] ?? null;
      place = begun(of, place.attempt + 1, { call, why: item.what_was_wrong });
    }
    if (item.t !== 'call') continue;
    let next = withCall(making, tries[place.attempt] ?? [], place, item);
    while (next === null && place.attempt < tries.length) {
      place = begun(of, place.attempt + 1, place.stop);
      next = withCall(making, tries[place.attempt] ?? [], place, item);
    }
    place = next ?? place;
  }
  const refused = of.turned_away.filter(({ code }) => code !== UNFOUNDED);
  return refused.reduce(
    (before, { code }) => begun(of, before.attempt + 1, before.stop ?? { call: null, why: code }),
    place,
  );
}

/** What the machine says of `input_missing` where the user did not name what is missing. */
const UNFOUNDED = 'unfounded';

function begun({ prior }: SubTaskEvidence, attempt: number, stop: Stop | null): Place {
  const outputs = new Map<string, Json>(prior.map(({ output }, index) => [`prior.${index}`, output]));
  return { attempt, done: 0, outputs, faulty: new Map(), calls: [], stop };
}

/** The place after a call, if it is the one that the try makes next; else null. */
function withCall(
  making: Making,
  steps: readonly CallStep[],
  before: Place,
  call: EvidenceCall,
): Place | null {
  const [place, found] = nextCall(making, steps, before);
  if (found._tag === 'Left' || found.right === null) return null;
  const { step, input } = found.right;
  if (step.tool !== call.tool || canonicalText(input) !== canonicalText(call.input)) return null;
  if (call.status !== 'ok' && !step.may_fail)
    return begun(making.of, place.attempt + 1, { call, why: whyNot(call) });
  const whole = findWhole(call, making.wholes, making.sha256);
  return {
    ...place,
    done: place.done + 1,
    calls: [...place.calls, call.n],
    outputs: whole._tag === 'Left' ? place.outputs : new Map([...place.outputs, [step.id, whole.right]]),
    faulty: whole._tag === 'Left' ? new Map([...place.faulty, [step.id, whole.left]]) : place.faulty,
  };
}

type NextCall = { readonly step: CallStep; readonly input: Json };

/** The next call of a try, behind steps that are left out; null at its end. */
function nextCall(
  making: Making,
  steps: readonly CallStep[],
  place: Place,
): readonly [Place, Result<StepFault, NextCall | null>] {
  const step = steps[place.done];
  if (step === undefined) return [place, ok(null)];
  if (step.if_any !== null) {
    const items = made(making, place, step.if_any);
    if (items._tag === 'Left') return [place, items];
    if (isArray(items.right) && items.right.length === 0) {
      const outputs = new Map<string, Json>([...place.outputs, [step.id, '']]);
      return nextCall(making, steps, { ...place, done: place.done + 1, outputs });
    }
  }
  const input = filledIn(step.input, place.outputs, making.sha256);
  return [place, input._tag === 'Left' ? err(meant(place, input.left)) : ok({ step, input: input.right })];
}

function nextMove(
  making: Making,
  steps: readonly CallStep[],
  before: Place,
): readonly [Place, Result<StepFault, StepAnswer>] {
  const [place, next] = nextCall(making, steps, before);
  if (next._tag === 'Left') return [place, next];
  if (next.right === null) return [place, finished(making, place)];
  const calls: ToolInput[] = [{ tool: next.right.step.tool, input: next.right.input }];
  const { of, program, sha256 } = making;
  const most = Math.min(CALLS_MAX, of.allowed - callsIn(of).length);
  for (const { tool, input, if_any } of steps.slice(place.done + 1)) {
    const filled = if_any === null && calls.length < most ? filledIn(input, place.outputs, sha256) : null;
    if (filled?._tag !== 'Right') break;
    calls.push({ tool, input: filled.right });
  }
  const why = `${next.right.step.id}, try ${place.attempt + 1} of ${program.tries.length}`;
  return [place, ok({ t: 'call', calls, why })];
}

function finished(making: Making, place: Place): Result<StepFault, StepAnswer> {
  const output = made(making, place, making.program.output);
  if (output._tag === 'Left') return output;
  const text = renderText(output.right);
  return text.length <= CLAIM_MAX
    ? ok({ t: 'done', output: text, rests_on: place.calls })
    : err({ code: 'too_long', detail: `an answer of ${text.length} characters; name a file for it` });
}

function givenUp({ turned_away }: SubTaskEvidence, stop: Stop | null): StepAnswer {
  const isMissing = stop?.call?.code === 'not_found' && !turned_away.some(({ code }) => code === UNFOUNDED);
  return {
    t: 'give_up',
    code: isMissing ? 'input_missing' : 'cannot',
    call: stop?.call?.n ?? null,
    why: cutText(stop?.why ?? 'no try is left', TEXT_MAX),
  };
}

function made(making: Making, place: Place, derivation: Derivation): Result<StepFault, Json> {
  const value = derive(derivation, place.outputs, making.sha256);
  return value._tag === 'Left' ? err(meant(place, value.left)) : value;
}

/** Why there is nothing of a step that was carried out. */
function meant({ faulty }: Place, fault: StepFault): StepFault {
  return fault.code === 'unknown_step' ? (faulty.get(fault.detail) ?? fault) : fault;
}

function faultText({ code, detail }: StepFault): string {
  return `${code}: ${detail}`;
}

/** Why a call did not go well. What was cut short has the output so far, which does not say so. */
function whyNot({ tool, status, code, why, output }: EvidenceCall): string {
  if (status === 'truncated')
    return `${code ?? status}: ${why ?? `${tool} was cut short at a limit`}; what it gave is not the whole answer`;
  return output.split('\n', 1)[0] || `${code ?? status}: ${tool}`;
}

type Filled = Result<StepFault, Json>;

/** An input with its derivations made. Codes: those of {@link derive}. */
function filledIn(value: Json, outputs: Outputs, sha256: Sha256): Filled {
  const derivation = derivationIn(value);
  if (derivation !== null) return derive(derivation, outputs, sha256);
  if (isArray(value)) return filledList(value, outputs, sha256);
  if (!isObject(value)) return ok(value);
  const entries: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    const filled = filledIn(item, outputs, sha256);
    if (filled._tag === 'Left') return filled;
    entries.push([key, filled.right]);
  }
  return ok(Object.fromEntries(entries));
}

function filledList(items: readonly Json[], outputs: Outputs, sha256: Sha256): Filled {
  const list: Json[] = [];
  for (const item of items) {
    const spread =
      isObject(item) && Object.keys(item).length === 1 && Object.hasOwn(item, 'spread')
        ? derivationIn(item['spread'] ?? null)
        : null;
    const filled = spread === null ? filledIn(item, outputs, sha256) : derive(spread, outputs, sha256);
    if (filled._tag === 'Left') return filled;
    list.push(...(spread !== null && isArray(filled.right) ? filled.right : [filled.right]));
  }
  return ok(list);
}
