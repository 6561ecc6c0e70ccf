/**
 * Tools offered over HTTP to callers that are known by their tokens: what each call comes to is said by whoever offers
 * them.
 *
 * @module
 */
import type { Json, JsonObject, Result } from '@assay/kernel';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { unusedValidator, VERSION } from '../sdk.js';
import { MESSAGE_BYTES_MAX } from '../server/desk.js';
import { connect } from '../server/server.js';
import type { Listening, ListenError } from '../server/http.js';
import { serveCallers, type Place } from './callers.js';

/** Tools and who answers their calls. `isError`: the caller is told that it was refused. */
export type OfferedTools = {
  readonly name: string;
  readonly instructions: string;
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: JsonObject;
  }[];
  readonly call: (
    principal: string,
    tool: string,
    args: JsonObject,
  ) => Promise<{ readonly result: Json; readonly isError: boolean }>;
  readonly onError: (error: unknown) => void;
};

const PATH = '/mcp';

/** Serves tools until it is closed: one answer for each request, without sessions. Errors: `token`, `listen`. */
export function serveTools(
  { name, instructions, tools, call, onError }: OfferedTools,
  place: Place,
): Promise<Result<ListenError, Listening>> {
  const listed = tools.map(({ inputSchema, ...tool }) => ({
    ...tool,
    inputSchema: { ...inputSchema, type: 'object' as const },
  }));
  const underWay = new Set<Promise<unknown>>();
  return serveCallers(place, {
    path: PATH,
    routes: { [PATH]: ['POST'] },
    answer: async (request, response, principal) => {
      const transport = new StreamableHTTPServerTransport({
        enableJsonResponse: true,
        maxRequestBodySize: MESSAGE_BYTES_MAX,
      });
      const server = new Server(
        { name, version: VERSION },
        { capabilities: { tools: {} }, instructions, jsonSchemaValidator: unusedValidator },
      );
      server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
      server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
        const called = call(principal, params.name, (params.arguments ?? {}) as JsonObject);
        underWay.add(called);
        const { result, isError } = await called.finally(() => underWay.delete(called));
        return { content: [{ type: 'text' as const, text: JSON.stringify(result) }], isError };
      });
      response.once('close', () => void transport.close());
      await connect(server, transport);
      await transport.handleRequest(request, response);
    },
    settle: () => Promise.allSettled([...underWay]),
    onError,
  });
}
