/**
 * What a tool is given, and how it ends.
 *
 * @module
 */
import { admit, orThrow, type Json, type Result } from '@assay/kernel';
import type { Limits } from '../limits.js';
import type { Refusal, ToolCode } from '../refusal.js';
import type { ShellMeans } from '../shell-means.js';
import type { ToolStatus } from '../tool-call.js';
import type { Watch } from '../watch.js';
import type { Workspace } from '../workspace/open.js';

/** All a tool may use. */
export type CallContext = {
  readonly workspace: Workspace;
  readonly limits: Limits;
  readonly watch: Watch;
  /** True where somebody agreed to this very call losing what is there. Source: 003 §9 Law 1. */
  readonly confirmed: boolean;
  readonly shell: ShellMeans;
  /** Which call this is, the same when it is made again; null where nobody says. */
  readonly key: string | null;
};

/**
 * How a call ended. `output`: the whole of it. `why`: of a `truncated` call, what could not be looked into;
 * null where a limit says it.
 */
export type Ended = {
  readonly status: ToolStatus;
  readonly code: ToolCode | null;
  readonly output: Uint8Array;
  readonly irreversible: boolean;
  readonly why: string | null;
};

/**
 * A call whose input was understood. `input`: the same thing said in one way only, as text. `target`: what
 * the call is about, as a plan or a block names it before the rest is known: a path, a pattern, a line.
 */
export type Understood = {
  readonly input: string;
  readonly target: string;
  readonly act: (context: CallContext) => Promise<Ended>;
};

/** Done, with this as the whole output. */
export function done(output: string | Uint8Array, irreversible = false): Ended {
  return { status: 'ok', code: null, output: bytesOf(output), irreversible, why: null };
}

/** Ended without success; `before`: what came until then. */
export function ended(
  refusal: Refusal,
  {
    irreversible = false,
    before = '',
  }: { readonly irreversible?: boolean; readonly before?: string | Uint8Array } = {},
): Ended {
  const reason = `${refusal.code}: ${refusal.message}`;
  const output =
    before.length === 0 ? bytesOf(reason) : Buffer.concat([bytesOf(before), bytesOf(`\n${reason}`)]);
  return { status: refusal.status, code: refusal.code, output, irreversible, why: null };
}

/** What an action gave, or why it gave nothing. */
export function endedBy(result: Result<Refusal, Ended>): Ended {
  return result._tag === 'Left' ? ended(result.left) : result.right;
}

/**
 * An input that is one text, as that text; one that could be taken for an object, as the object it stands
 * for.
 */
export function plainInput(key: string, text: string): string {
  return text.startsWith('{') ? canonicalInput({ [key]: text }) : text;
}

/** An input of several parts, as canonical JSON. */
export function canonicalInput(input: Json): string {
  return orThrow(admit(input)).text;
}

function bytesOf(output: string | Uint8Array): Uint8Array {
  return typeof output === 'string' ? Buffer.from(output, 'utf8') : output;
}
