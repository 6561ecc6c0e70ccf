/**
 * `node slow-server.mjs LOG`: answers at once, but the second call of all that LOG knows is never answered.
 * Notes the key of each call.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import * as z from 'zod';

const log = process.argv[2];
const server = new McpServer({ name: 'slow', version: '1' });
server.registerTool(
  'lookup',
  { inputSchema: { question: z.string() }, outputSchema: { text: z.string() } },
  async ({ question }, { _meta }) => {
    const call = (existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0) + 1;
    appendFileSync(log, `${_meta['assay/idempotency-key']}\n`);
    if (call === 2) await new Promise(() => undefined);
    const text = `${question}, call ${call}`;
    return { content: [], structuredContent: { text } };
  },
);
await server.connect(new StdioServerTransport());
