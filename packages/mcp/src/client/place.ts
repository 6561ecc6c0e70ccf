/**
 * Where an MCP server is: a command to start, or an address.
 *
 * @module
 */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ChildTransport, type McpCommand } from './child.js';
import { watchedFetch, type Watch } from './watched-fetch.js';

/** A server over streamable HTTP. `headers`: sent with each request. Redirects are not followed. */
type McpAddress = { readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/**
 * Where a server is. Every value of `env` and `headers` of at least 8 characters counts as a secret: an
 * answer that holds one is not recorded, and in an address it reads `***`.
 */
export type McpPlace = McpCommand | McpAddress;

/** Bytes of one message of a server. */
const SERVER_MESSAGE_BYTES_MAX = 8_388_608;

/**
 * The transport to a place: the SDK's own over HTTP. Throws a TypeError where a url is none of http or https,
 * or holds a name or a password.
 */
export function transportTo(place: McpPlace, watch: Watch): ChildTransport | StreamableHTTPClientTransport {
  if ('url' in place) {
    const url = addressOf(place.url);
    return new StreamableHTTPClientTransport(url, {
      fetch: watchedFetch(SERVER_MESSAGE_BYTES_MAX, watch),
      requestInit: { headers: { ...place.headers } },
    });
  }
  return new ChildTransport(place, SERVER_MESSAGE_BYTES_MAX, watch);
}

/**
 * The address of a server as it stands in a record: without parameters; null for a command, whose words may
 * hold a secret or a path.
 */
export function endpointOf(place: McpPlace): string | null {
  if (!('url' in place)) return null;
  const { origin, pathname } = addressOf(place.url);
  return `${origin}${pathname}`;
}

/** What must not get into a record: values of the environment and of headers, and the words of the latter. */
export function secretsOf(place: McpPlace): readonly string[] {
  if (!('url' in place)) return Object.values(place.env ?? {});
  const values = Object.values(place.headers ?? {});
  const { search } = addressOf(place.url);
  return [...values, ...values.flatMap((value) => value.split(' ')), ...new URLSearchParams(search).values()];
}

function addressOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new TypeError(
      'mcp: expected an address like http://127.0.0.1:3000/mcp without a name or a password; secrets go into headers',
    );
  return url;
}
