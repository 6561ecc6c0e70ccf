/**
 * Tools of a task: what a host, or the server that it speaks for, can do. Source: 003 §R3; calls/C3, calls/C15.
 *
 * @module
 */
import type { Digest, Json } from '@assay/kernel';
import type { CallBody, CallStatus, Tool } from '../../index.js';

/**
 * What a tool is told of one call. `confirmed`: a person agreed to lose just that; `not`: targets that it must
 * not act on, compared before it does: it then answers `denied` `blocked_target`.
 */
export type ToolOptions = {
  readonly signal: AbortSignal;
  readonly confirmed: CallBody['confirmed'];
  readonly not: readonly string[];
};

/**
 * What a call gave. `output`: all of it, as text; `output_bytes`, `digest`: where not all of it is there, or
 * not as text; a digest of null where it was not read to its end. `target`: what the call was about, if the
 * tool knows better than its input, and then it looks at `not` itself. `irreversible`: what it did, or held
 * back, cannot be undone; left out, what the tool says of itself. Raised errors are calls that failed.
 */
export type ToolAnswer = {
  readonly output: string;
  readonly status?: CallStatus;
  readonly code?: string | null;
  readonly why?: string | null;
  readonly output_bytes?: number;
  readonly digest?: Digest | null;
  readonly target?: string;
  readonly irreversible?: boolean;
  readonly loses?: Digest | null;
};

/** A tool of a task, as its policy lists it, and how it is called. */
export type TaskTool = Tool & {
  readonly run: (input: Json, options: ToolOptions) => Promise<ToolAnswer>;
};

/** A tool as a policy lists it. */
export function declared({ name, class: of, reversible, holds, again, schema }: Tool): Tool {
  return { name, class: of, reversible, holds, again, schema };
}
