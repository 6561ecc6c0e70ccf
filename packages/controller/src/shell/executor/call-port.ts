/**
 * The one place where calls are made: any tool, one call at a time, as the machine decided it. Source: 003
 * §R3, §9 Law 1; calls/C1, calls/C3.
 *
 * @module
 */
import { setTimeout } from 'node:timers/promises';
import { cutText, hashText, isDigest, isName, utf8Length, type Digest, type Json } from '@assay/kernel';
import {
  CALL_STATUSES,
  callKind,
  shownTarget,
  TARGET_MAX,
  TEXT_MAX,
  type CallAnswer,
  type CallBody,
  readBody,
  type Tool,
} from '../../index.js';
import { canonicalText } from '../../steps/index.js';
import { headTail } from '@assay/effector';
import { nativeSha256, type DoneCalls, type Port } from '@assay/host';
import { madeOnce } from './made-once.js';
import type { Outputs } from './outputs.js';
import { declared, type TaskTool, type ToolAnswer } from './tool.js';

/** Name under which what came of calls is recorded. */
export const EXECUTOR = 'effector';

/**
 * With what calls are made. `listed`: tools as the run was begun with; one that is declared otherwise now
 * answers `denied` `changed`. `units`: of an output that is shown, of which the whole goes to `outputs`.
 * `done`: where calls are noted; null where nothing can be resumed. `timeoutMs`: how long a call is waited for.
 */
export type Calling = {
  readonly tools: readonly TaskTool[];
  readonly listed: () => readonly Tool[];
  readonly units: () => number;
  readonly outputs: Outputs;
  readonly done: DoneCalls | null;
  readonly timeoutMs?: number;
};

/** A tool of a host's own that never answers ends as a call that timed out. */
const TIMEOUT_MS = 600_000;
const TIMED_OUT = { failure: { code: 'timeout', final: true, detail: null } } as const;

/** The port for requests `call`: source `tool`, proposer `effector`. An error of a tool is a call that failed. */
export function callPort({ tools, listed, units, outputs, done, timeoutMs = TIMEOUT_MS }: Calling): Port {
  return {
    source: 'tool',
    proposer: EXECUTOR,
    perform: async ({ body }, { key, signal }) => {
      const asked = readBody('call', body);
      const tool = tools.find(({ name }) => name === asked?.tool);
      if (asked === null) return { failure: { code: 'denied', final: true, detail: { code: 'not_call' } } };
      const make = async (): Promise<CallAnswer> => {
        const said = await called(tool, listed(), asked, signal);
        const [answer, whole] = answerOf(tool, asked, said, units());
        if (answer.output !== whole && answer.digest !== null) await outputs.keep(answer.digest, whole);
        return answer;
      };
      const acts = callKind(asked, tools) === 'act';
      const made =
        done === null || !acts ? make() : madeOnce(done, { key, again: tool?.again ?? true }, make);
      const value = await within(made, timeoutMs);
      return value === null ? TIMED_OUT : { value: { ...value } };
    },
  };
}

/** Null where it takes longer; what comes of it then is nobody's. */
async function within<T>(made: Promise<T>, ms: number): Promise<T | null> {
  const over = new AbortController();
  try {
    return await Promise.race([made, setTimeout(ms, null, { signal: over.signal })]);
  } finally {
    over.abort();
  }
}

async function called(
  tool: TaskTool | undefined,
  listed: readonly Tool[],
  { tool: name, input, confirmed, not }: CallBody,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  if (tool === undefined) return denied('unknown_tool', name);
  const before = listed.find((one) => one.name === name);
  if (before !== undefined && textOf(before) !== textOf(tool)) return denied('changed', name);
  const target = inputTarget(input);
  if (not.includes(target)) return denied('blocked_target', target);
  try {
    return await tool.run(input, { signal, confirmed, not });
  } catch (error) {
    // Nobody waits for what was cut off; what failed by itself is what came of the call.
    signal.throwIfAborted();
    return {
      status: 'error',
      code: 'failed',
      output: error instanceof Error ? error.message : String(error),
    };
  }
}

function denied(code: string, detail: string): ToolAnswer {
  return { status: 'denied', code, output: `${code}: ${detail}`, irreversible: false };
}

function textOf(tool: Tool): string {
  return canonicalText({ ...declared(tool) });
}

function answerOf(
  tool: TaskTool | undefined,
  { input }: CallBody,
  said: ToolAnswer,
  units: number,
): readonly [answer: CallAnswer, whole: string] {
  const whole = String(said.output).toWellFormed();
  const { code = null, why = null, loses = null } = said;
  const status = CALL_STATUSES.find((known) => known === (said.status ?? 'ok')) ?? 'error';
  const target = (said.target ?? inputTarget(input)).toWellFormed();
  const answer: CallAnswer = {
    status,
    code: code === null ? null : nameOf(code),
    why: why === null ? null : cutText(why.toWellFormed(), TEXT_MAX),
    output: headTail(whole, units),
    output_bytes: said.output_bytes ?? utf8Length(whole),
    digest: said.digest === undefined ? hashText(whole, nativeSha256) : digestOr(said.digest),
    target: target.length <= TARGET_MAX ? target : shown(target),
    irreversible: said.irreversible ?? (tool?.reversible === false && status !== 'denied'),
    loses: digestOr(loses),
  };
  return [answer, whole];
}

/** What a call is about whose tool does not say so: its input. Source: calls/C3. */
export function inputTarget(input: Json): string {
  return shown(canonicalText(input));
}

function shown(text: string): string {
  return shownTarget(text, () => hashText(text, nativeSha256));
}

/** A tool's own code as a name: what it did stays told, however it writes (`ENOENT`, `404`). */
function nameOf(code: string): string {
  const name = code
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, CODE_UNITS);
  return isName(name) ? name : `code_${name}`;
}

function digestOr(value: Digest | null): Digest | null {
  return value !== null && isDigest(value) ? value : null;
}

const CODE_UNITS = 40;
