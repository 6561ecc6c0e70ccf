/**
 * Tools of an MCP server, as a task may use them. The host brings the client; nothing is trusted of what the
 * server says of its tools but their names and schemas. Tools of a task: what a host, or the server that it
 * speaks for, can do. Source: calls/C15; 003 §R3; calls/C3.
 */
import {
  admit,
  cutText,
  err,
  field,
  isIntegral,
  isObject,
  ok,
  type Json,
  type JsonObject,
  type Result,
  type Digest,
} from '@assay/kernel';
import type { Tool, CallStatus } from '../../index.js';
import type { Toolset } from '@assay/effector';
import type { CallBody } from '../../protocol/requests.js';

/** What is used of an MCP client; that of the protocol's own SDK has it. */
type McpClient = {
  readonly listTools: (params?: { readonly cursor: string }) => Promise<{
    readonly tools: readonly {
      readonly name: string;
      readonly description?: string | undefined;
      readonly inputSchema: object;
    }[];
    readonly nextCursor?: string | undefined;
  }>;
  readonly callTool: (
    call: { readonly name: string; readonly arguments: { [key: string]: unknown } },
    schema: undefined,
    options: { readonly signal: AbortSignal },
  ) => Promise<unknown>;
};

/** What the user says of a tool: a server that says so itself may lie. */
type McpSays = Partial<Pick<Tool, 'class' | 'reversible' | 'again'>>;

/** Why a server's tools cannot be used: a name that no catalogue takes, or a schema that is none. */
export type McpError = { readonly code: 'name' | 'schema'; readonly tool: string };

/** Pages of tools that are read: a server that never ends its list is cut. */
const PAGES_MAX = 64;
/** UTF-16 units of a description that are kept. */
const ABOUT_UNITS = 500;

/**
 * Reads a server's tools once, at the start: `<server>_<tool>`, of class `app`, irreversible and not to be
 * made again unless `says` says otherwise; one for which it says null is left out. Codes: {@link McpError}.
 * Rejects with the client's errors.
 */
export async function mcpTools(
  server: string,
  client: McpClient,
  says: (tool: string) => McpSays | null = () => ({}),
): Promise<Result<McpError, readonly TaskTool[]>> {
  const found: TaskTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { tools, nextCursor } = await client.listTools(...(cursor === undefined ? [] : [{ cursor }]));
    for (const { name: tool, description = '', inputSchema } of tools) {
      const saying = says(tool);
      if (saying === null) continue;
      const name = `${server}_${tool}`;
      if (!/^[a-z][a-z0-9_-]{0,63}$/.test(name)) return err({ code: 'name', tool });
      const schema = makeSchema(inputSchema, description);
      if (schema === null) return err({ code: 'schema', tool });
      const said = { class: 'app', reversible: false, again: false, ...saying } as const;
      found.push({ name, holds: false, schema, ...said, run: calling(client, tool) });
    }
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return ok(found);
}

function makeSchema(given: object, description: string): JsonObject | null {
  const admitted = admit(given);
  if (admitted._tag === 'Left') return null;
  const schema = JSON.parse(admitted.right.text) as Json;
  return isObject(schema) && isIntegral(schema)
    ? { description: cutText(description.toWellFormed(), ABOUT_UNITS), ...schema }
    : null;
}

function calling(client: McpClient, name: string): TaskTool['run'] {
  return async (input, { signal }) => {
    if (!isObject(input)) return { status: 'error', code: 'input', output: 'the input is no object' };
    const answer = (await client.callTool({ name, arguments: { ...input } }, undefined, { signal })) as Json;
    const content = isObject(answer) ? (field(answer, 'content') ?? []) : [];
    const output = (Array.isArray(content) ? (content as readonly Json[]) : []).map(writeText).join('\n');
    const isError = isObject(answer) && field(answer, 'isError') === true;
    return isError ? { status: 'error', code: 'tool_error', output } : { output };
  };
}

/** A part of a result: its text; of anything else what it is. */
function writeText(part: Json): string {
  if (!isObject(part)) return '';
  const [type, text] = [field(part, 'type'), field(part, 'text')];
  return type === 'text' && typeof text === 'string' ? text : `[${typeof type === 'string' ? type : ''}]`;
}

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
