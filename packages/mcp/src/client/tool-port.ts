/**
 * MCP tools and resources as ports of the host: source `tool`, bound here and never by the answer; and what a
 * server was when it answered last, from the run's own ledger.
 *
 * @module
 */
import { type Port, soundRecord, type Store } from '@assay/host';
import { isDigest, isObject, type Json, type JsonObject, type Request } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { CallToolResultSchema, ReadResourceResultSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { type Came, type McpPin, type McpPortOptions, makePort, sentKey } from './asker.js';
import { type Declared, declaredResource, declaredTool, type Session } from './session.js';
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
  const { tool, arguments: argumentsOf = readCallBody } = options;
  return makePort(`mcp:${options.label}/${tool}`, options, (request, { key }) => {
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
    fault: findFault(structured, outputSchema),
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
function findFault(structured: JsonObject | null, outputSchema: JsonObject | null): Came['fault'] {
  if (outputSchema === null) return null;
  if (structured === null) return { code: 'no_structured_content', path: '', text: '' };
  const fault = shapeFault(structured, outputSchema);
  return fault === null ? null : { code: 'output_schema', path: fault.path, text: fault.keyword };
}

function readCallBody({ body }: Request): JsonObject | null {
  return isObject(body) ? body : null;
}

/**
 * The pin that the last accepted or rejected value of a proposer stands for; null where it has given none in
 * this run. Pass it as `pin`, so that a schema that changed between two processes is noticed. Reads the whole
 * ledger. Raises `StoreReadError`.
 */
export async function recordedPin(
  store: Pick<Store, 'read'>,
  runId: string,
  proposer: string,
): Promise<McpPin | null> {
  let pin: McpPin | null = null;
  for await (const line of store.read(runId)) {
    const record = soundRecord(line);
    if (
      record?.kind !== 'proposal' ||
      readText(record.payload, 'proposer') !== proposer ||
      readField(record.payload, 'failure') !== null
    )
      continue;
    const provenance = readField(record.payload, 'provenance');
    const [schemaHash, server] = [readField(provenance, 'schema_hash'), readField(provenance, 'server')];
    if (isDigest(schemaHash))
      pin = {
        schemaHash,
        server: isObject(server)
          ? { name: readText(server, 'name'), version: readText(server, 'version') }
          : null,
      };
  }
  return pin;
}

/** How a resource is read. `uri`: which, for a request; null where none answers it. */
type McpResourceOptions = McpPortOptions & { readonly uri: (request: Request) => string | null };

/**
 * The port. Its proposer is `mcp:LABEL`; the address stands in the provenance. Value: what `read` makes of
 * the text, by default the text itself. Declared and pinned is the resource's entry in the server's list, or
 * that it has none. Failures as of `mcpToolPort`; `malformed` {blob} where a resource is no text, {several}
 * where it is not one.
 */
export function mcpResourcePort(options: McpResourceOptions): Port {
  return makePort(`mcp:${options.label}`, options, (request) => {
    const uri = options.uri(request);
    return uri === null
      ? null
      : {
          subject: { resource: uri },
          sent: uri,
          declare: (session) => declaredResource(session, uri),
          ask: (session) => askResource(session, uri),
        };
  });
}

async function askResource({ client, options }: Session, uri: string): Promise<Came> {
  const result = await client.request(
    { method: 'resources/read', params: { uri } },
    ReadResourceResultSchema,
    options,
  );
  const [first, ...others] = result.contents;
  const raw = result as unknown as Json;
  const came = (text: string, code: string | null): Came => ({
    raw,
    answer: { structured: null, text },
    isError: false,
    fault: code === null ? null : { code, path: '', text: '' },
  });
  if (first === undefined || others.length > 0) return came('', 'several');
  return 'text' in first ? came(first.text, null) : came('', 'blob');
}
