/**
 * Tools of a task: what a host, or the server that it speaks for, can do. Source: 003 §R3; calls/C3, calls/C15.
 *
 * @module
 */
import { type Digest, type Json, isObject } from '@assay/kernel';
import type { Toolset } from '@assay/effector';
import type { CallStatus, Tool } from '../../index.js';
import type { CallBody } from '../../protocol/requests.js';

/**
 * What a tool is told of one call. `confirmed`: a person agreed to lose just that; `not`: targets that it must
 * not act on, compared before it does: it then answers `denied` `blocked_target`.
 */
type ToolOptions = {
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

/** The tools of a toolset that can be used, in their order. */
export function effectorTools({ catalogue, run }: Toolset): readonly TaskTool[] {
  return catalogue.flatMap(
    ({ name, class: of, reversible, holds, again, schema, about, available }): readonly TaskTool[] =>
      available && isObject(schema)
        ? [
            {
              name,
              class: of,
              reversible,
              holds,
              again,
              schema: { description: about, ...schema },
              run: async (input, { signal, confirmed, not }) => {
                let whole: string | null = null;
                const options = { signal, not, onOutput: (output: string) => void (whole = output) };
                const call = await run(
                  { tool: name, input },
                  confirmed === null ? options : { ...options, confirmed },
                );
                return { ...call, output: whole ?? call.output };
              },
            },
          ]
        : [],
  );
}
