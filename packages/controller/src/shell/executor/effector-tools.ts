/**
 * The tools of this machine, as a task may use them.
 *
 * @module
 */
import { isObject } from '@assay/kernel';
import type { Toolset } from '@assay/effector';
import type { TaskTool } from './tool.js';

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
