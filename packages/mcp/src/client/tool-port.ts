/**
 * MCP tools and resources as ports of the host: source `tool`, bound here and never by the answer; and what
 * a server was when it answered last, from the run's own ledger.
 *
 * Does a value have the shape that a server declared for it? Looked through, never compiled: the schema is
 * the server's own words.
 *
 * Read of a schema: `type`, `const`, `enum`, `properties`, `required`, `additionalProperties: false`,
 * `items`. What else it says (patterns, references, ranges, combinations) is not checked; the machine parses
 * the value anyway.
 */
import * as z from 'zod';
import { type Port, soundRecord, type Store } from '@assay/host';
import { isDigest, isObject, type Json, type JsonObject, type Request, field, isArray } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { CallToolResultSchema, ReadResourceResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Came, type McpPin, type McpPortOptions, makePort, sha256 } from './asker.js';
import { type Declared, declaredResource, declaredTool, type Session } from './session.js';

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
          _meta: { 'assay/idempotency-key': sha256(key) },
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

/** Where a value first differs: a JSON pointer, and the keyword it differs from. */
export type ShapeFault = { readonly path: string; readonly keyword: string };

/** Places of a value that are looked at; what lies behind is taken as it is. */
const PLACES_MAX = 100_000;

/** The first difference, in the order of the value; null where there is none. Linear in the value. */
export function shapeFault(value: Json, schema: Json): ShapeFault | null {
  const pending: { readonly value: Json; readonly schema: Json; readonly path: string }[] = [
    { value, schema, path: '' },
  ];
  for (let looked = 0; looked < PLACES_MAX; looked += 1) {
    const next = pending.pop();
    if (next === undefined) return null;
    if (!isObject(next.schema)) continue;
    const keyword = keywordAgainst(next.value, next.schema);
    if (keyword !== null) return { path: next.path, keyword };
    pending.push(...listParts(next.value, next.schema, next.path).toReversed());
  }
  return null;
}

type Schema = Extract<Json, { readonly [key: string]: Json }>;

function keywordAgainst(value: Json, schema: Schema): string | null {
  const [type, allowed, properties, required] = ['type', 'enum', 'properties', 'required'].map((key) =>
    field(schema, key),
  );
  const types = typeof type === 'string' ? [type] : isArray(type ?? null) ? (type as readonly Json[]) : null;
  if (types !== null && !types.some((each) => isOfType(value, each))) return 'type';
  const one = field(schema, 'const');
  if (one !== undefined && !isSame(value, one)) return 'const';
  if (allowed !== undefined && isArray(allowed) && !allowed.some((each) => isSame(value, each)))
    return 'enum';
  if (!isObject(value)) return null;
  if (
    required !== undefined &&
    isArray(required) &&
    required.some((key) => typeof key === 'string' && !Object.hasOwn(value, key))
  )
    return 'required';
  const isClosed =
    field(schema, 'additionalProperties') === false && field(schema, 'patternProperties') === undefined;
  const known = properties !== undefined && isObject(properties) ? properties : {};
  return isClosed && Object.keys(value).some((key) => !Object.hasOwn(known, key))
    ? 'additionalProperties'
    : null;
}

function listParts(
  value: Json,
  schema: Schema,
  path: string,
): readonly { readonly value: Json; readonly schema: Json; readonly path: string }[] {
  if (isArray(value)) {
    const items = field(schema, 'items');
    return items === undefined || !isObject(items)
      ? []
      : value.map((each, index) => ({ value: each, schema: items, path: `${path}/${index}` }));
  }
  const properties = field(schema, 'properties');
  if (!isObject(value) || properties === undefined || !isObject(properties)) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    const own = field(properties, key);
    return own === undefined
      ? []
      : [{ value: each, schema: own, path: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` }];
  });
}

function isOfType(value: Json, type: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
    case 'number':
    case 'string':
      return typeof value === type;
    default:
      return true;
  }
}

/** Only plain values are compared: a list or an object named so passes. */
function isSame(value: Json, other: Json): boolean {
  return typeof other === 'object' && other !== null ? true : value === other;
}
