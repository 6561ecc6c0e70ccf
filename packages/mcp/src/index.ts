/**
 * The Model Context Protocol both ways: a store of runs offered as a server's tools and resources, and any
 * server's tools and resources as ports of the host. They only propose: what they say is recorded with its
 * source, and the kernel decides.
 *
 * @packageDocumentation
 */
export { type Desk, MESSAGE_BYTES_MAX, type ToolProblem } from './server/desk.js';
export { callApart } from './server/server.js';
export { serveStdio } from './server/stdio.js';
export { type ListenError, serveHttp } from './server/http.js';
export { mcpResourcePort, mcpToolPort, recordedPin } from './client/tool-port.js';
export { relayHttp, relayStdio } from './relay/doors.js';
export { serveTools } from './relay/tools.js';
export { serveModels } from './relay/models.js';
