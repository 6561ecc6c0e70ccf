/**
 * The one place where calls are made: any tool, one call at a time, as the machine decided it. Calls that act are
 * made once, also where the process dies before the run has recorded what came of one. Whole outputs are kept by
 * their digests beside the ledger, which keeps head and tail. Source: 003 §R3, §9 Law 1; calls/C1, C3, C5, C15.
 */
import { setTimeout } from 'node:timers/promises';
import {
  cutText,
  hashText,
  isDigest,
  isName,
  utf8Length,
  type Digest,
  type Json,
  isObject,
  type JsonObject,
} from '@assay/kernel';
import { headTail } from '@assay/effector';
import { nativeSha256, type DoneCalls, type Outputs, type Port, PortError } from '@assay/host';
import { TEXT_MAX, type CallAnswer, readBody, type Tool } from '../../index.js';
import type { CallBody } from '../../protocol/requests.js';
import { CALL_STATUSES, shownTarget, TARGET_MAX, callKind } from '../../protocol/tools.js';
import { canonicalText } from '../../steps/index.js';
import { declared, type TaskTool, type ToolAnswer } from './mcp-tools.js';

/** Name under which what came of calls is recorded. */
const EXECUTOR = 'effector';

/**
 * With what calls are made. `listed`: tools as the run was begun with; one that is declared otherwise now
 * answers `denied` `changed`. `units`: of an output that is shown, of which the whole goes to `outputs`.
 * `done`: where calls are noted; null where nothing can be resumed. `timeoutMs`: how long a call is waited for.
 */
type Calling = {
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
        const [answer, whole] = makeAnswer(tool, asked, said, units());
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
  if (before !== undefined && writeText(before) !== writeText(tool)) return denied('changed', name);
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

function writeText(tool: Tool): string {
  return canonicalText({ ...declared(tool) });
}

function makeAnswer(
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
    code: code === null ? null : readName(code),
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
function readName(code: string): string {
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

const BEGUN = 0;
const DONE = 1;

/**
 * What came of a call: as it is noted under the key of its request, or as `make` gives it, noted then. A call
 * that was begun and is not noted done is made again only where `again`; else it is lost, and raises a
 * `PortError` of that class. Of such a tool, one whose beginning cannot be noted is not made: `refused`.
 * Any other note that cannot be kept or read costs no answer; whoever keeps them says so.
 */
async function madeOnce(
  done: DoneCalls,
  { key, again }: { readonly key: string; readonly again: boolean },
  make: () => Promise<CallAnswer>,
): Promise<CallAnswer> {
  const noted = await found(done, key, DONE);
  if (isObject(noted?.['answer'])) return noted['answer'] as unknown as CallAnswer;
  if (!again) {
    if ((await sure(done.find(key, BEGUN))) !== null)
      throw new PortError('lost', { message: 'the call was begun, and what came of it is not known' });
    await sure(done.note(key, BEGUN, {}));
  }
  const answer = await make();
  await note(done, key, DONE, { answer: { ...answer } });
  return answer;
}

/** A journal that fails before the call: nothing was done yet. */
function sure<T>(kept: Promise<T>): Promise<T> {
  return kept.catch((error: unknown) => {
    throw new PortError('refused', { message: 'the journal of calls cannot be used', cause: error });
  });
}

function found(done: DoneCalls, key: string, at: number): Promise<JsonObject | null> {
  return done.find(key, at).catch(() => null);
}

function note(
  done: DoneCalls,
  key: string,
  at: number,
  made: { readonly [key: string]: Json },
): Promise<void> {
  return done.note(key, at, made).catch(() => undefined);
}
