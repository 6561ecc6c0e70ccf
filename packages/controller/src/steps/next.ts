/**
 * The executor of the rules: the next move of a sub-task whose context is a program. It chooses nothing: what was
 * called so far says where in the program it is, and earlier outputs fill the inputs. Source: 003 §R3; calls/C5;
 * language/P1.
 */
import {
  cutText,
  err,
  isArray,
  isObject,
  nobleSha256,
  ok,
  type Json,
  type Result,
  type Sha256,
} from '@assay/kernel';
import { callsIn, type EvidenceCall, type SubTaskEvidence } from '../evidence/evidence.js';
import { CLAIM_MAX, type StepAnswer } from '../protocol/requests.js';
import { TEXT_MAX } from '../protocol/criteria.js';
import { CALLS_MAX, type ToolInput } from '../protocol/tools.js';
import { canonicalText, renderText } from './files.js';
import {
  derivationIn,
  parseProgram,
  type CallStep,
  type Derivation,
  type Program,
  type Step,
  type StepFault,
  findWhole,
  type Wholes,
} from './program.js';
import { derive, fault, findUnmet, NO_OUTPUTS, type Outputs } from './values.js';

/** Why there is no next move: the context is no program, or a whole output that is needed is gone. */
type NoStep =
  | { readonly code: 'not_steps'; readonly path: string }
  | { readonly code: 'output_gone'; readonly detail: string };

/** Why a program came to its end. `call`: the one that did, if it was one. */
type Stop = { readonly call: EvidenceCall | null; readonly why: string };

/**
 * Where in a program its executor is. `done`: steps that are over; `items`: those of the step in use that are;
 * `faulty`: steps whose outputs are of no use, and why; `stop`: why it goes no further.
 */
type Place = {
  readonly done: number;
  readonly items: number;
  readonly outputs: Outputs;
  readonly faulty: ReadonlyMap<string, StepFault>;
  readonly calls: readonly (readonly [step: string, call: EvidenceCall])[];
  readonly stop: Stop | null;
};

type Walk = {
  readonly program: Program;
  readonly of: SubTaskEvidence;
  readonly wholes: Wholes;
  readonly sha256: Sha256;
};
type Next = { readonly step: CallStep; readonly input: Json };

/**
 * The next move: the steps of which the inputs are known, up to eight in one answer; `done` with what the program
 * makes of the outputs, resting on its calls; `give_up` behind a call that did not go well and may not fail, a
 * guard that does not hold, what cannot be made, a correction, and a move that was turned away. `wholes`: outputs
 * that the records show in part. Codes: `NoStep`.
 */
export function stepByRules(
  of: SubTaskEvidence,
  wholes: Wholes = new Map(),
  sha256: Sha256 = nobleSha256,
): Result<NoStep, StepAnswer> {
  const program = parseProgram(of.subtask.context);
  if (program._tag === 'Left') return program;
  const walk: Walk = { program: program.right, of, wholes, sha256 };
  const place = walkCalls(walk);
  const stop = findStop(of, place);
  if (stop !== null) return ok(giveUp(of, stop, place.stop !== null));
  const move = makeMove(walk, place);
  if (move._tag === 'Right') return move;
  const { code, detail } = move.left;
  if (code === 'output_gone') return err({ code, detail });
  return ok(giveUp(of, { call: callsIn(of).at(-1) ?? null, why: `${code}: ${detail}` }, false));
}

/** What the calls of a program left: outputs by the ids of their steps, and the calls with these ids. */
export function readOutputs(
  of: SubTaskEvidence,
  wholes: Wholes,
  sha256: Sha256,
): Pick<Place, 'outputs' | 'faulty' | 'calls'> {
  const program = parseProgram(of.subtask.context);
  if (program._tag === 'Left') return begin(of);
  const walk: Walk = { program: program.right, of, wholes, sha256 };
  // Values are made up to the next call.
  return findNext(walk, walkCalls(walk))[0];
}

function begin({ prior }: SubTaskEvidence): Place {
  const outputs = new Map([
    ...NO_OUTPUTS,
    ...prior.map(({ output }, index) => [`prior.${index}`, output] as const),
  ]);
  return { done: 0, items: 0, outputs, faulty: new Map(), calls: [], stop: null };
}

/** Goes through the calls that were made. One that the program does not make next is none of it. */
function walkCalls(walk: Walk): Place {
  return callsIn(walk.of).reduce(
    (place, call) => (place.stop === null ? passCall(walk, place, call) : place),
    begin(walk.of),
  );
}

function passCall(walk: Walk, before: Place, call: EvidenceCall): Place {
  const [place, next] = findNext(walk, before);
  if (next._tag === 'Left' || next.right === null) return before;
  const { step, input } = next.right;
  if (step.tool !== call.tool || canonicalText(input) !== canonicalText(call.input)) return before;
  const calls = [...place.calls, [step.id, call] as const];
  if (call.status !== 'ok' && !step.may_fail)
    return { ...place, calls, stop: { call, why: sayFailure(call) } };
  if (step.each !== null) return { ...place, calls, items: place.items + 1 };
  const whole = findWhole(call, walk.wholes, walk.sha256);
  const after = { ...place, calls, done: place.done + 1 };
  return whole._tag === 'Left'
    ? { ...after, faulty: new Map([...place.faulty, [step.id, whole.left]]) }
    : { ...after, outputs: new Map([...place.outputs, [step.id, whole.right]]) };
}

/** Why nothing more is done: a call that failed, a correction, an answer that was turned away. */
function findStop(of: SubTaskEvidence, { stop }: Place): Stop | null {
  const corrected = of.items.find((item) => item.t === 'correction');
  const refused = of.turned_away.find(({ code }) => code !== UNFOUNDED);
  if (stop !== null) return stop;
  if (corrected?.t === 'correction')
    return { call: callsIn(of)[corrected.calls.at(-1) ?? -1] ?? null, why: corrected.what_was_wrong };
  return refused === undefined ? null : { call: null, why: refused.code };
}

/** What the machine says of `input_missing` where the user did not name what is missing. */
const UNFOUNDED = 'unfounded';

/** The next call, behind values, guards that hold and steps that are left out; null at the end. */
function findNext(walk: Walk, before: Place): readonly [Place, Result<StepFault, Next | null>] {
  let place = before;
  for (;;) {
    const step = walk.program.steps[place.done];
    if (step === undefined) return [place, ok(null)];
    if ('guard' in step) {
      const unmet = findUnmet(step.guard, place.outputs);
      if (unmet._tag === 'Left') return [place, err(meanFault(place, unmet.left))];
      if (unmet.right !== null)
        return [place, fault('not_met', `${step.says}: found ${cutText(unmet.right.trimEnd(), 200)}`)];
      place = { ...place, done: place.done + 1 };
      continue;
    }
    if ('value' in step) {
      const made = makeValue(place, step.value);
      if (made._tag === 'Left') return [place, made];
      place = { ...place, done: place.done + 1, outputs: new Map([...place.outputs, [step.id, made.right]]) };
      continue;
    }
    const items = listItems(walk, place, step);
    if (items._tag === 'Left') return [place, items];
    const item = items.right?.[place.items];
    if (items.right !== null && item === undefined) {
      const outputs = new Map([...place.outputs, [step.id, '']]);
      place = { ...place, done: place.done + 1, items: 0, outputs };
      continue;
    }
    const outputs =
      item === undefined || step.each === null ? place.outputs : new Map([...place.outputs, ['item', item]]);
    const input = fillInput(step.input, outputs);
    return [
      place,
      input._tag === 'Left' ? err(meanFault(place, input.left)) : ok({ step, input: input.right }),
    ];
  }
}

/**
 * The items of a step that has some; null for one that is made once whatever is there. None is made use of unless
 * calls are left for all of them and for the steps below, which look at what they left.
 */
function listItems(
  { of, program }: Walk,
  place: Place,
  { each, if_any, id }: CallStep,
): Result<StepFault, readonly Json[] | null> {
  const from = each ?? if_any;
  if (from === null) return ok(null);
  const items = makeValue(place, from);
  if (items._tag === 'Left') return items;
  if (!isArray(items.right)) return fault('wrong_value', `a list is wanted for ${id}`);
  const below = countSingle(program.steps.slice(place.done + 1));
  const left = Math.max(0, of.allowed - place.calls.length - below);
  return each !== null && place.items === 0 && items.right.length > left
    ? fault('too_many', `${items.right.length} files, and calls are left for ${left}`)
    : ok(items.right);
}

/** Calls of these steps but for those that are made once for each item. */
function countSingle(steps: readonly Step[]): number {
  return steps.filter((step) => 'tool' in step && step.each === null).length;
}

function makeMove(walk: Walk, before: Place): Result<StepFault, StepAnswer> {
  const [place, next] = findNext(walk, before);
  if (next._tag === 'Left') return next;
  if (next.right === null) return finish(walk, place);
  const { step, input } = next.right;
  const own = countSingle(walk.program.steps);
  if (place.calls.length === 0 && own > walk.of.allowed)
    return fault('too_many', `${own} calls, and ${walk.of.allowed} are left`);
  const calls: ToolInput[] = [{ tool: step.tool, input }];
  const most = Math.min(CALLS_MAX, walk.of.allowed - callsIn(walk.of).length);
  const rest = step.each === null && step.if_any === null ? walk.program.steps.slice(place.done + 1) : [];
  for (const more of rest) {
    const isPlain = 'tool' in more && more.if_any === null && more.each === null && calls.length < most;
    const filled = isPlain ? fillInput(more.input, place.outputs) : null;
    if (!isPlain || filled?._tag !== 'Right') break;
    calls.push({ tool: more.tool, input: filled.right });
  }
  return ok({ t: 'call', calls, why: `${step.id}, step ${place.done + 1} of ${walk.program.steps.length}` });
}

function finish({ program }: Walk, place: Place): Result<StepFault, StepAnswer> {
  const output = makeValue(place, program.output);
  if (output._tag === 'Left') return output;
  const text = renderText(output.right);
  return text.length <= CLAIM_MAX
    ? ok({ t: 'done', output: text, rests_on: place.calls.map(([, { n }]) => n) })
    : fault('too_long', `an answer of ${text.length} characters; write it to a file`);
}

function giveUp({ turned_away }: SubTaskEvidence, { call, why }: Stop, isFailed: boolean): StepAnswer {
  const isMissing =
    isFailed && call?.code === 'not_found' && !turned_away.some(({ code }) => code === UNFOUNDED);
  return {
    t: 'give_up',
    code: isMissing ? 'input_missing' : 'cannot',
    call: call?.n ?? null,
    why: cutText(why, TEXT_MAX),
  };
}

function makeValue(place: Place, derivation: Derivation): Result<StepFault, Json> {
  const value = derive(derivation, place.outputs);
  return value._tag === 'Left' ? err(meanFault(place, value.left)) : value;
}

/** Why there is nothing of a step that was carried out. */
function meanFault({ faulty }: Pick<Place, 'faulty'>, given: StepFault): StepFault {
  return given.code === 'unknown_step' ? (faulty.get(given.detail) ?? given) : given;
}

/** Why a call did not go well. What was cut short has the output so far, which does not say so. */
function sayFailure({ tool, status, code, why, output }: EvidenceCall): string {
  if (status === 'truncated')
    return `${code ?? status}: ${why ?? `${tool} was cut short at a limit`}; what it gave is not the whole answer`;
  return output.split('\n', 1)[0] || `${code ?? status}: ${tool}`;
}

/** An input with its derivations made. Codes: those of {@link derive}. */
function fillInput(value: Json, outputs: Outputs): Result<StepFault, Json> {
  const derivation = derivationIn(value);
  if (derivation !== null) return derive(derivation, outputs);
  if (isArray(value)) return fillList(value, outputs);
  if (!isObject(value)) return ok(value);
  const entries: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    const filled = fillInput(item, outputs);
    if (filled._tag === 'Left') return filled;
    entries.push([key, filled.right]);
  }
  return ok(Object.fromEntries(entries));
}

function fillList(items: readonly Json[], outputs: Outputs): Result<StepFault, Json> {
  const list: Json[] = [];
  for (const item of items) {
    const filled = fillInput(item, outputs);
    if (filled._tag === 'Left') return filled;
    list.push(filled.right);
  }
  return ok(list);
}
