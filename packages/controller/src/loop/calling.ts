/**
 * One call after another: what a person must allow first, what the host is asked to do, and what follows from
 * what came of it. The tool looks, the machine decides. Source: 003 §R3, §9 Law 1; dec-B9; calls/C3, calls/C8,
 * calls/C12.
 */
import {
  admit,
  field,
  isObject,
  orThrow,
  utf8Length,
  type Context,
  type Failure,
  type Json,
  compareText,
  cutText,
} from '@assay/kernel';
import { patternIn } from '../guard/trail.js';
import {
  NOT_MAX,
  type CallAnswer,
  type CallBody,
  type ConfirmBody,
  type Seen,
} from '../protocol/requests.js';
import { type CallSeen, SHAPE_MAX, splitTarget } from '../protocol/claims.js';
import { shownTarget, TARGET_MAX, type Tool, type ToolInput, callKind } from '../protocol/tools.js';
import { ask, started, type Step, message } from './asking.js';
import { close } from './closing.js';
import { askStep, bearing } from './dispatch.js';
import { describeProgress, getTool, type Progress } from './state.js';

/** How often a call may be held: something else may stand there each time. */
const HOLDS_MAX = 3;
/** Most units of a call that was not allowed, as its sub-task's end names it. */
const REFUSED_MAX = 160;

/** The next call of a sub-task: it is made, or a person is asked first. `depth`: role calls before it. */
export function nextCall(step: Step, id: string, { tool: name, input }: ToolInput, depth: number): void {
  const { asked, calls } = describeProgress(step.state, id);
  const tool = getTool(step.state, name);
  const allowed = asked?.allowed ?? null;
  const why = allowed === null && !tool.holds ? whyAsk(step, tool, input) : null;
  if (why !== null)
    return askToConfirm(
      step,
      { subtask: id, n: calls.length, tool: name, input, target: null, loses: null, why },
      depth,
    );
  const not = bearing(step.state).forbidden_targets.filter((target) => target.tool === name);
  const body: CallBody = {
    subtask: id,
    n: calls.length,
    tool: name,
    input,
    confirmed: allowed,
    not: not.slice(0, NOT_MAX).map(({ target }) => target),
  };
  ask(step, 'call', body, id, depth);
}

/** Why a person is asked before a tool is called that holds nothing back by itself. */
function whyAsk(step: Step, tool: Tool, input: Json): ConfirmBody['why'] | null {
  if (!tool.reversible) return 'irreversible';
  const acts = callKind({ tool: tool.name, input }, [tool]) === 'act';
  return acts && bearing(step.state).caution_tools.includes(tool.name) ? 'caution' : null;
}

function askToConfirm(step: Step, body: ConfirmBody, depth: number): void {
  const { input: _, ...shown } = body;
  step.emit(message('dispatcher', 'user', 'ConfirmationRequest', shown));
  ask(step, 'confirm', body, body.subtask, depth);
}

/** Hears a person: an approval lets this very call be made, anything else ends the sub-task (dec-B9). */
export function confirmed(step: Step, body: ConfirmBody, approved: boolean, depth: number): void {
  const { subtask: id, n, tool, input, target, loses } = body;
  step.emit(message('user', 'dispatcher', 'Confirmation', { subtask: id, n, target, loses, approved }));
  if (approved) return nextCall(step, id, { tool, input }, depth);
  refuse(step, body, target);
}

/** Ends a sub-task at a call that no person allowed, which its last attempt names. */
function refuse(step: Step, { subtask, tool, input }: CallBody | ConfirmBody, target: string | null): void {
  const why = cutText(`${tool} ${target ?? orThrow(admit(input)).text}`, REFUSED_MAX);
  close(step, subtask, { reason: 'not_confirmed', why, class: null, calls: [] });
}

/**
 * Hears what came of a call. One that was held back was not made: a person is asked. Otherwise the first that
 * applies ends the sub-task: something was lost that nobody had confirmed, which ends the task; a blocked
 * target; a loop. Else the next call of the same answer follows where it went well, and R3 is asked where it
 * did not, or was the last.
 */
export function called(
  step: Step,
  body: CallBody,
  answer: CallAnswer,
  context: Context,
  depth: number,
): void {
  const { subtask: id, n, tool: name, input } = body;
  const tool = getTool(step.state, name);
  if (isHeld(tool, answer)) {
    if (step.state.breach !== null) return;
    const { times } = describeProgress(step.state, id).asked ?? { times: 0 };
    const { target, loses } = answer;
    if (times >= HOLDS_MAX) return refuse(step, body, target);
    const asking = { subtask: id, n, tool: name, input, target, loses, why: 'needs_confirmation' } as const;
    return askToConfirm(step, asking, depth);
  }
  const before = describeProgress(step.state, id);
  const call = callSeen(before, { tool: name, input }, answer, step, context);
  step.emit({ t: 'called', subtask: id, n, call, seen: seenAfter(before, call, answer, context) });
  if (isBreach(tool, body, answer)) return breach(step, id, n);
  if (step.state.breach !== null) return;
  if (body.not.includes(answer.target) && answer.status !== 'denied')
    return close(step, id, { reason: 'blocked_target_used', class: 'logical', calls: [n] });
  const { calls, queue } = describeProgress(step.state, id);
  const { guard } = started(step.state).setup.policy;
  const acted = calls.flatMap(({ kind, triple }) => (kind === 'look' ? [] : [triple]));
  if (call.kind !== 'look' && patternIn(acted, guard) !== null)
    return close(step, id, { reason: 'loop', class: 'logical', calls: [n] });
  const [next] = queue;
  if (answer.status === 'ok' && next !== undefined) return nextCall(step, id, next, depth);
  askStep(step, id, depth);
}

/** Hears that no acceptable answer came: a call with status `timeout` or `interrupted` and the failure's code. */
export function callFailed(
  step: Step,
  body: CallBody,
  { code }: Failure,
  context: Context,
  depth: number,
): void {
  const answer: CallAnswer = {
    status: code === 'timeout' ? 'timeout' : 'interrupted',
    code,
    why: null,
    output: '',
    output_bytes: 0,
    digest: null,
    target: shownTarget(orThrow(admit(body.input)).text, () => context.hash(body.input)),
    irreversible: false,
    loses: null,
  };
  called(step, body, answer, context, depth);
}

function isHeld({ holds }: Tool, { status, code }: CallAnswer): boolean {
  return holds && status === 'denied' && code === 'needs_confirmation';
}

/** Law 1: only a denial says that nothing happened, and only what was confirmed may be lost, where it was. */
function isBreach({ holds }: Tool, { confirmed: allowed }: CallBody, answer: CallAnswer): boolean {
  if (!answer.irreversible || answer.status === 'denied') return false;
  if (allowed === null) return true;
  return holds && (answer.loses !== allowed.loses || answer.target !== allowed.target);
}

function breach(step: Step, id: string, n: number): void {
  if (step.state.breach === null) step.emit({ t: 'breached', subtask: id, n });
  close(step, id, { reason: 'law1_breach', class: null, calls: [n] });
}

function callSeen(
  { attempt }: Progress,
  { tool, input }: ToolInput,
  { status, code, target, digest, output }: CallAnswer,
  { state }: Step,
  context: Context,
): CallSeen {
  const named = pathBehind(input, target);
  return {
    ...(named === null ? {} : { named }),
    tool,
    target,
    attempt,
    kind: callKind({ tool, input }, started(state).setup.policy.tools),
    status,
    code,
    key: makeKey({ tool, input }, context),
    triple: context.hash({ tool, target, output, digest }),
    shape: describeShape(input),
  };
}

/** The path that an input names, where the target is another; null for none. */
function pathBehind(input: Json, target: string): string | null {
  const path = isObject(input) ? (field(input, 'path') ?? field(input, 'to')) : null;
  if (typeof path !== 'string' || path.length > TARGET_MAX) return null;
  const name = path.replace(/^(?:\.\/)+/, '');
  return splitTarget(target).includes(name) ? null : name;
}

/** The digest under which a call is known again: letter by letter the same tool and input. */
export function makeKey({ tool, input }: ToolInput, context: Context): CallSeen['key'] {
  return context.hash({ tool, input });
}

function seenAfter(
  { seen, calls }: Progress,
  { key, status, code }: CallSeen,
  { output, output_bytes, digest, target, why }: CallAnswer,
  context: Context,
): Seen {
  return {
    calls: calls.length + 1,
    digest: context.hash({
      before: seen.digest,
      key,
      status,
      code,
      why,
      target,
      output,
      digest,
      output_bytes,
    }),
    bytes: seen.bytes + utf8Length(output),
  };
}

/** Keys of an input, with the extension of a value that ends in one; no values. At most 120 units. */
function describeShape(input: Json): string {
  if (!isObject(input)) return '';
  const keys = Object.keys(input)
    .toSorted(compareText)
    .map((key) => `${key}${readExtension(field(input, key) ?? null)}`);
  return cutText(keys.join(' '), SHAPE_MAX);
}

function readExtension(value: Json): string {
  const found = typeof value === 'string' ? /^[^\s{}]{1,240}?(\.[A-Za-z0-9]{1,8})$/.exec(value) : null;
  return found?.[1] ?? '';
}
