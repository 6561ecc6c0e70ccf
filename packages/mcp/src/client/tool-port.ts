/**
 * An MCP tool as a port of the host: source `tool`, bound here and never by the answer.
 *
 * @module
 */
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Port } from '@assay/host';
import { isObject, type Json, type JsonObject, type Request } from '@assay/kernel';
import { portOf, sentKey, type Came, type McpPortOptions } from './asker.js';
import { declaredTool, type Declared } from './declared.js';
import type { Session } from './session.js';
import { shapeFault } from './shape.js';

/**
 * How a tool is asked. `arguments`: what it is called with; null where a request cannot be put to it. The
 * body of the request by default.
 */
export type McpToolOptions = McpPortOptions & {
  readonly tool: string;
  readonly arguments?: (request: Request) => JsonObject | null;
};

/**
 * The port. Its proposer is `mcp:LABEL/TOOL`. A server is connected to for each call, asked for its tools,
 * and called where the tool is declared as it was before: else the final failure `denied`, {code:
 * "schema_changed" | "server_changed"}, and nothing is called.
 *
 * Value: what `read` makes of the answer, by default the structured content, else the text. Failures:
 * `unavailable` {tool_error} where the tool says it failed; final `unavailable` {no_such_tool}; `malformed`
 * {no_structured_content, output_schema, protocol, flood, too_large, secret}; else by the class of the error.
 * The idempotency key goes, hashed, as `_meta["assay/idempotency-key"]`. Provenance: see docs/guides/mcp.md.
 */
export function mcpToolPort(options: McpToolOptions): Port {
  const { tool, arguments: argumentsOf = bodyOf } = options;
  return portOf(`mcp:${options.label}/${tool}`, options, (request, { key }) => {
    const sent = argumentsOf(request);
    if (sent === null) return null;
    return {
      subject: { tool },
      sent,
      declare: (session) => declaredTool(session, tool),
      ask: (session, declared) =>
        ask(session, declared, {
          name: tool,
          arguments: sent,
          _meta: { 'assay/idempotency-key': sentKey(key) },
        }),
    };
  });
}

async function ask(
  { client, options }: Session,
  { outputSchema }: Declared,
  params: { readonly name: string; readonly arguments: JsonObject; readonly _meta: JsonObject },
): Promise<Came> {
  const sent = await client.request({ method: 'tools/call', params }, z.looseObject({}), options);
  const raw = sent as unknown as Json;
  const read = CallToolResultSchema.safeParse(sent);
  if (!read.success)
    return { raw, answer: { structured: null, text: '' }, isError: false, fault: faultIn(sent, read.error) };
  const result = read.data;
  const structured = (result.structuredContent ?? null) as JsonObject | null;
  const text = result.content.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n');
  return {
    raw,
    answer: { structured, text },
    isError: result.isError === true,
    fault: faultOf(structured, outputSchema),
  };
}

/** Where a result is not the protocol's: of a block of content its type is said. */
function faultIn(
  result: { readonly [key: string]: unknown },
  { issues: [issue] }: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] },
): NonNullable<Came['fault']> {
  const [member, index] = issue?.path ?? [];
  const blocks = result['content'];
  const block: unknown = member === 'content' && Array.isArray(blocks) ? blocks[Number(index)] : undefined;
  const type: unknown = typeof block === 'object' && block !== null ? Reflect.get(block, 'type') : undefined;
  return {
    code: block === undefined ? 'protocol' : 'content_block',
    path: (issue?.path ?? []).map((key) => `/${String(key)}`).join(''),
    text: typeof type === 'string' ? type : '',
  };
}

/** What a tool declares it must also send. */
function faultOf(structured: JsonObject | null, outputSchema: JsonObject | null): Came['fault'] {
  if (outputSchema === null) return null;
  if (structured === null) return { code: 'no_structured_content', path: '', text: '' };
  const fault = shapeFault(structured, outputSchema);
  return fault === null ? null : { code: 'output_schema', path: fault.path, text: fault.keyword };
}

function bodyOf({ body }: Request): JsonObject | null {
  return isObject(body) ? body : null;
}
