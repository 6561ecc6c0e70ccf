/**
 * The executor: carries out the steps that a planner wrote, with the tools it is given, and hands in every
 * call as evidence. It chooses nothing and judges nothing. Source: 003 §R3, §9 Law 1; 002 "Key Invariants";
 * dec-B9.
 *
 * @module
 */
import { cutText, hashText, isArray, isObject, utf8Length, type Json } from '@assay/kernel';
import { nativeSha256, type DoneCalls, type Port, type PortAnswer } from '@assay/host';
import {
  isDeclared,
  OUTPUT_MAX,
  parseExecuteBody,
  plainPath,
  type ExecuteBody,
  type Execution,
  type ToolCall,
} from '@assay/controller';
import {
  brief,
  canonicalText,
  derivationIn,
  derive,
  parseProgram,
  recordedInput,
  type CallStep,
  type Program,
  type StepFault,
} from '@assay/controller/steps';
import { blockAgainst } from './blocked-call.js';
import { madeOnce } from './made-once.js';
import type { StepCall, StepTools } from './step-tools.js';

/** Name under which the executor's answers are recorded. */
export const EXECUTOR = 'effector';

/** Calls of one attempt. */
const CALLS_MAX = 64;

/**
 * The executor as a port for requests `execute`: source `tool`, proposer `effector`.
 *
 * It carries out the try of this attempt up to the first call that does not go well. It makes
 * no call that `must_not` forbids, however its input is written, and none that `uses` does not declare. It
 * passes on a confirmation only for the very action that was confirmed. Answers `completed` if every step
 * went well; else `uncertain` if another try is written, `failed` if none is or a tool is missing. A context
 * that is no program is the final failure `denied` {code: 'not_steps', path}. With `done`, a call that went
 * well is noted under the request's idempotency key and not made again after a crash.
 */
export function executorPort(tools: StepTools, done: DoneCalls | null = null): Port {
  return {
    source: 'tool',
    proposer: EXECUTOR,
    perform: async ({ body }, { key, signal }): Promise<PortAnswer> => {
      const asked = parseExecuteBody(body);
      if (asked === null)
        return { failure: { code: 'denied', final: true, detail: { code: 'not_execute' } } };
      const program = parseProgram(asked.context);
      if (program._tag === 'Left')
        return { failure: { code: 'denied', final: true, detail: { ...program.left } } };
      return {
        value: {
          ...(await carryOut(done === null ? tools : madeOnce(tools, done, key), asked, program.right, {
            key,
            signal,
          })),
        },
      };
    },
  };
}

type Ended = { readonly code: string; readonly isMissing: boolean };

async function carryOut(
  tools: StepTools,
  body: ExecuteBody,
  program: Program,
  { key, signal }: Pick<Doing, 'key' | 'signal'>,
): Promise<Execution> {
  const steps = program.tries[body.attempt];
  if (steps === undefined) return { status: 'failed', output: 'no_try_left', tool_calls: [] };
  const outputs = new Map<string, Json>(body.prior.map(({ output }, index) => [`prior.${index}`, output]));
  const calls: ToolCall[] = [];
  for (const step of steps) {
    signal.throwIfAborted();
    const ended = await carryOutStep(tools, body, step, { outputs, calls, key, signal });
    if (ended === null) continue;
    const isLast = body.attempt + 1 >= program.tries.length;
    return {
      status: isLast || ended.isMissing ? 'failed' : 'uncertain',
      output: cutText(ended.code, OUTPUT_MAX),
      tool_calls: calls,
    };
  }
  const output = derive(program.output, outputs, nativeSha256);
  if (output._tag === 'Left') return { status: 'failed', output: faultText(output.left), tool_calls: calls };
  const text = typeof output.right === 'string' ? output.right : canonicalText(output.right);
  return {
    status: 'completed',
    output: text.length <= OUTPUT_MAX ? text : brief(text, nativeSha256),
    tool_calls: calls,
  };
}

type Doing = {
  readonly outputs: Map<string, Json>;
  readonly calls: ToolCall[];
  readonly key: string;
  readonly signal: AbortSignal;
};

/** Carries out one step; null where the next may follow. */
async function carryOutStep(
  tools: StepTools,
  body: ExecuteBody,
  step: CallStep,
  { outputs, calls, key, signal }: Doing,
): Promise<Ended | null> {
  const { id, tool } = step;
  if (step.if_any !== null) {
    const items = derive(step.if_any, outputs, nativeSha256);
    if (items._tag === 'Left') return stop(faultText(items.left));
    if (isArray(items.right) && items.right.length === 0) {
      outputs.set(id, '');
      return null;
    }
  }
  const input = filledIn(step.input, outputs);
  if (input._tag === 'Left') return stop(faultText(input.left));
  const target = recordedInput(tool, input.right);
  if (body.must_not.tools.includes(tool)) return stop(`blocked_tool: ${tool}`);
  const blocked = await blockAgainst(tools, { tool, input: input.right }, body.must_not.targets);
  if (blocked !== null) return stop(`blocked_target: ${tool} ${blocked}`);
  // What a plan declares is what was looked at before it was let through: a program that does more is no part
  // of it (dec-G21).
  if (!isDeclared({ tool, target }, body.uses)) return stop(`undeclared: ${tool} ${target}`);
  if (calls.length >= CALLS_MAX) return stop(`too_many_calls: ${CALLS_MAX}`);
  const allows = (recorded: string): boolean =>
    body.confirmed.some((action) => action.tool === tool && plainPath(action.target) === plainPath(recorded));
  let whole: string | null = null;
  const run = async (confirmed: boolean): Promise<StepCall> => {
    const made = await tools.run(
      { tool, input: input.right },
      { signal, confirmed, key: `${key} ${calls.length}`, onOutput: (output) => (whole = output) },
    );
    calls.push(asRecorded(made));
    return made;
  };
  let call = await run(allows(target));
  // A long input is recorded in a form that only the tool knows: once it was held back, it can be compared
  // with what was confirmed.
  if (call.status === 'denied' && call.irreversible && !allows(target) && allows(call.input))
    call = await run(true);
  if (call.status !== 'ok' && !step.may_fail)
    return { code: whyNot(call), isMissing: MISSING.has(call.code ?? '') };
  const output: string = whole ?? call.output;
  if (!isExact(output, call)) return stop(`not_whole: ${call.output_bytes} bytes, or not all of them text`);
  outputs.set(id, output);
  return null;
}

/** True for the whole output, said exactly: bytes that are no text look like text that was never there. */
function isExact(output: string, { output_bytes, digest }: StepCall): boolean {
  return (
    utf8Length(output) === output_bytes && (digest === null || hashText(output, nativeSha256) === digest)
  );
}

const MISSING: ReadonlySet<string> = new Set(['unknown_tool', 'unavailable', 'not_allowed']);

function stop(code: string): Ended {
  return { code, isMissing: false };
}

/** A call with the fields of a recorded one, and no others. */
function asRecorded({ tool, input, output, status, output_bytes, digest, irreversible }: StepCall): ToolCall {
  return { tool, input, output: cutText(output, OUTPUT_MAX), status, output_bytes, digest, irreversible };
}

type Filled = ReturnType<typeof derive>;

/** An input with its derivations made. */
function filledIn(value: Json, outputs: ReadonlyMap<string, Json>): Filled {
  const derivation = derivationIn(value);
  if (derivation !== null) return derive(derivation, outputs, nativeSha256);
  if (isArray(value)) return filledList(value, outputs);
  if (!isObject(value)) return { _tag: 'Right', right: value };
  const entries: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    const filled = filledIn(item, outputs);
    if (filled._tag === 'Left') return filled;
    entries.push([key, filled.right]);
  }
  return { _tag: 'Right', right: Object.fromEntries(entries) };
}

function filledList(items: readonly Json[], outputs: ReadonlyMap<string, Json>): Filled {
  const list: Json[] = [];
  for (const item of items) {
    const spread =
      isObject(item) && Object.keys(item).length === 1 && Object.hasOwn(item, 'spread')
        ? derivationIn(item['spread'] ?? null)
        : null;
    const filled = spread === null ? filledIn(item, outputs) : derive(spread, outputs, nativeSha256);
    if (filled._tag === 'Left') return filled;
    list.push(...(spread !== null && isArray(filled.right) ? filled.right : [filled.right]));
  }
  return { _tag: 'Right', right: list };
}

function faultText({ code, detail }: StepFault): string {
  return cutText(`${code}: ${detail}`, OUTPUT_MAX);
}

/** Why a call did not go well. What was cut short has the output so far, which does not say so. */
function whyNot({ tool, status, code, why, output }: StepCall): string {
  if (status !== 'truncated') return firstLine(output);
  return (why ?? null) === null
    ? `${code ?? status}: ${tool} was cut short at a limit; what it gave is not the whole answer`
    : `${code ?? status}: ${why}; what ${tool} gave is not the whole answer`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
