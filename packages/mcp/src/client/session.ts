/**
 * One connection for one call: nothing outlives it, neither a process nor what a server remembers. What the
 * server declares of its tools.
 */
import { nativeSha256 } from '@assay/host';
import {
  cutText,
  type Digest,
  err,
  hashCanonical,
  type Json,
  type JsonObject,
  ok,
  type Result,
} from '@assay/kernel';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ListResourcesResultSchema, ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { unusedValidator, VERSION } from '../sdk.js';
import type { Guard } from './guard.js';

/** Milliseconds that a server has to start and to introduce itself. */
const CONNECT_MS = 30_000;

const NAME_UNITS_MAX = 200;

/** What a server says it is. Nobody checks it. */
export type McpServer = { readonly name: string; readonly version: string };

/** A connection that stands. `options`: for its requests. */
export type Session = {
  readonly client: Client;
  readonly server: McpServer;
  readonly options: { readonly timeout: number };
};

/**
 * Connects, does something, and ends the connection; kills the process where that went wrong. Rejects with
 * what went wrong; `guard.fault` says more.
 */
export async function during<A>(
  guard: Guard,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  work: (session: Session) => Promise<A>,
): Promise<A> {
  const abort = (): void => guard.fail('aborted');
  signal.addEventListener('abort', abort, { once: true });
  const client = new Client(
    { name: 'assay', version: VERSION },
    { capabilities: {}, jsonSchemaValidator: unusedValidator },
  );
  try {
    signal.throwIfAborted();
    await client.connect(guard, { timeout: CONNECT_MS });
    const { name = '', version = '' } = client.getServerVersion() ?? {};
    const done = await work({
      client,
      server: { name: cutText(name, NAME_UNITS_MAX), version: cutText(version, NAME_UNITS_MAX) },
      options: { timeout: timeoutMs },
    });
    await guard.close();
    return done;
  } catch (error) {
    guard.fail(null);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * A declaration. `schemaHash`: H({t: "mcp_tool", name, input_schema, output_schema}) or H({t: "mcp_resource",
 * uri, name, mime_type}), with null for what is left out. `outputSchema`: null where a tool has none.
 */
export type Declared = { readonly schemaHash: Digest; readonly outputSchema: JsonObject | null };

/**
 * Why there is none. `no_such_tool`; `tool_twice`: two of one name; `tool_list`: a list that does not end
 * within 20 pages; `schema`: one that the kernel does not admit.
 */
export type DeclaredError = { readonly code: 'no_such_tool' | 'tool_twice' | 'tool_list' | 'schema' };

const PAGES_MAX = 20;

/** Looks a tool up in the server's whole list. Rejects where the server does not give it. */
export async function declaredTool(
  { client, options }: Session,
  name: string,
): Promise<Result<DeclaredError, Declared>> {
  let found: Declared | null = null;
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    // Not by the SDK's own method, which compiles every schema of the list.
    const { tools, nextCursor } = await client.request(
      { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
      ListToolsResultSchema,
      options,
    );
    for (const tool of tools.filter((each) => each.name === name)) {
      if (found !== null) return err({ code: 'tool_twice' });
      const outputSchema = (tool.outputSchema ?? null) as JsonObject | null;
      const hash = hashValue({
        t: 'mcp_tool',
        name,
        input_schema: tool.inputSchema as Json,
        output_schema: outputSchema,
      });
      if (hash === null) return err({ code: 'schema' });
      found = { schemaHash: hash, outputSchema };
    }
    if (nextCursor === undefined) return found === null ? err({ code: 'no_such_tool' }) : ok(found);
    cursor = nextCursor;
  }
  return err({ code: 'tool_list' });
}

/**
 * Looks a resource up in the server's list, where it need not stand. Rejects where the server does not give
 * it.
 */
export async function declaredResource(
  { client, options }: Session,
  uri: string,
): Promise<Result<DeclaredError, Declared>> {
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { resources, nextCursor } = await client.request(
      { method: 'resources/list', params: cursor === undefined ? {} : { cursor } },
      ListResourcesResultSchema,
      options,
    );
    const found = resources.find((each) => each.uri === uri);
    if (found === undefined && nextCursor !== undefined) {
      cursor = nextCursor;
      continue;
    }
    const hash = hashValue({
      t: 'mcp_resource',
      uri,
      name: found?.name ?? null,
      mime_type: found?.mimeType ?? null,
    });
    return hash === null ? err({ code: 'schema' }) : ok({ schemaHash: hash, outputSchema: null });
  }
  return err({ code: 'tool_list' });
}

/** H of what may be no admitted JSON; null where it is none. */
export function hashValue(value: Json): Digest | null {
  const hashed = hashCanonical(value, nativeSha256);
  return hashed._tag === 'Right' ? hashed.right : null;
}
