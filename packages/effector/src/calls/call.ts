/**
 * What a tool is given, and how it ends.
 *
 * @module
 */
import type { Digest, Result } from '@assay/kernel';
import type { Limits } from '../limits.js';
import type { Refusal, ToolCode } from '../refusal.js';
import type { ShellMeans } from '../shell-means.js';
import type { ToolStatus } from '../tool-call.js';
import type { Watch } from '../watch.js';
import type { About, Aim } from './aim.js';
import type { Whole } from './whole.js';
import type { Made } from '../workspace/made.js';
import type { Workspace } from '../workspace/open.js';

/**
 * What somebody agreed that this very call loses: digest and target that it said when it was held. Null: nothing.
 */
export type Confirmed = { readonly loses: Digest | null; readonly target: string | null } | null;

/** All a tool may use. */
export type CallContext = {
  readonly workspace: Workspace;
  readonly limits: Limits;
  readonly watch: Watch;
  /** What the call is about; asked before anything is done. */
  readonly aim: Aim;
  readonly confirmed: Confirmed;
  readonly made: Made;
  readonly shell: ShellMeans;
  /** Checks that were declared, by name: a program and its words. */
  readonly checks?: ReadonlyMap<string, readonly string[]>;
};

/**
 * How a call ended. `output`: all that is kept of it; `whole`: what it is in all if that is more, else null.
 * `why`: of a `truncated` call, what could not be looked into; null if a limit says it. `loses`: SHA-256 of
 * the file that is lost or added to, or would be; null if none is, or it was not looked at.
 */
export type Ended = {
  readonly status: ToolStatus;
  readonly code: ToolCode | null;
  readonly output: Uint8Array;
  readonly whole: Whole | null;
  readonly irreversible: boolean;
  readonly loses: Digest | null;
  readonly why: string | null;
};

/**
 * A call whose input was understood. `input`: the same thing said in one way only, as text. `about`: what it
 * names.
 */
export type Understood = {
  readonly input: string;
  readonly about: About;
  readonly act: (context: CallContext) => Promise<Ended>;
};

/** Done, with this as the whole output. */
export function done(output: string | Uint8Array, irreversible = false): Ended {
  return {
    status: 'ok',
    code: null,
    output: bytesOf(output),
    whole: null,
    irreversible,
    loses: null,
    why: null,
  };
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
  return {
    status: refusal.status,
    code: refusal.code,
    output,
    whole: null,
    irreversible,
    loses: null,
    why: null,
  };
}

/** What an action gave, or why it gave nothing. */
export function endedBy(result: Result<Refusal, Ended>): Ended {
  return result._tag === 'Left' ? ended(result.left) : result.right;
}

function bytesOf(output: string | Uint8Array): Uint8Array {
  return typeof output === 'string' ? Buffer.from(output, 'utf8') : output;
}
