/**
 * The tools that an executor is given, and a call as they give it back. Source: 003 §R3.
 *
 * @module
 */
import type { Digest } from '@assay/kernel';
import type { CallStatus } from '@assay/controller';
import type { Compared } from './blocked-call.js';

/**
 * A call as a toolset gives it back; what a recorded call does not have is dropped. `code`: why it did not go
 * well; `why`: in words, where a tool says so of what it cut short.
 */
export type StepCall = {
  readonly tool: string;
  readonly input: string;
  readonly output: string;
  readonly status: CallStatus;
  readonly code?: string | null;
  readonly why?: string | null;
  readonly output_bytes: number;
  readonly digest: Digest | null;
  readonly irreversible: boolean;
};

/**
 * The tools of a run. `onOutput` is told the whole output, of which a call shows head and tail only. `key`
 * names the call, the same when a resumed run makes it again. What they know of inputs serves blocks alone.
 */
export type StepTools = Compared & {
  readonly run: (
    request: { readonly tool: string; readonly input: unknown },
    options: {
      readonly signal?: AbortSignal;
      readonly confirmed?: boolean;
      readonly onOutput?: (output: string) => void;
      readonly key?: string;
    },
  ) => Promise<StepCall>;
};
