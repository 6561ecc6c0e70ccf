/**
 * An MCP resource as a port of the host: what stands under an address is read, and proposed as source `tool`.
 *
 * @module
 */
import { ReadResourceResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Port } from '@assay/host';
import type { Json, Request } from '@assay/kernel';
import { portOf, type Came, type McpPortOptions } from './asker.js';
import { declaredResource } from './declared.js';
import type { Session } from './session.js';

/** How a resource is read. `uri`: which, for a request; null where none answers it. */
type McpResourceOptions = McpPortOptions & { readonly uri: (request: Request) => string | null };

/**
 * The port. Its proposer is `mcp:LABEL`; the address stands in the provenance. Value: what `read` makes of
 * the text, by default the text itself. Declared and pinned is the resource's entry in the server's list, or
 * that it has none. Failures as of `mcpToolPort`; `malformed` {blob} where a resource is no text, {several}
 * where it is not one.
 */
export function mcpResourcePort(options: McpResourceOptions): Port {
  return portOf(`mcp:${options.label}`, options, (request) => {
    const uri = options.uri(request);
    return uri === null
      ? null
      : {
          subject: { resource: uri },
          sent: uri,
          declare: (session) => declaredResource(session, uri),
          ask: (session) => ask(session, uri),
        };
  });
}

async function ask({ client, options }: Session, uri: string): Promise<Came> {
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
