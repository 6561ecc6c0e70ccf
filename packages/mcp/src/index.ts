/**
 * The Model Context Protocol both ways: a store of runs offered as a server's tools and resources, and any
 * server's tools and resources as ports of the host. They only propose: what they say is recorded with its
 * source, and the kernel decides.
 *
 * @packageDocumentation
 */
export type { Desk } from './server/desk.js';
export { CLIENT_PROPOSER, CLIENT_SLOT } from './server/desk.js';
export type { ToolProblem } from './server/problem.js';
export {
  ANSWER_BYTES_MAX,
  CALLS_MAX,
  CONNECTIONS_MAX,
  LEDGER_BYTES_MAX,
  MESSAGE_BYTES_MAX,
  PAGE_MAX,
} from './server/limits.js';
export { type StdioEnd, type StdioOptions, serveStdio } from './server/stdio.js';
export {
  HTTP_PATH,
  type HttpOptions,
  type ListenError,
  type Listening,
  TOKEN_UNITS_MIN,
  serveHttp,
} from './server/http.js';
export { type OpenRequest, type RunDocument } from './server/run-document.js';
export type { McpCommand } from './client/child.js';
export { SERVER_MESSAGE_BYTES_MAX, type McpAddress, type McpPlace } from './client/place.js';
export { SERVER_MESSAGES_MAX } from './client/guard.js';
export { CONNECT_MS, type McpServer } from './client/session.js';
export {
  RAW_UNITS_MAX,
  type McpAnswer,
  type McpPin,
  type McpPortOptions,
  type ReadAnswer,
} from './client/asker.js';
export { type McpToolOptions, mcpToolPort } from './client/tool-port.js';
export { type McpResourceOptions, mcpResourcePort } from './client/resource-port.js';
export { recordedPin } from './client/recorded-pin.js';
