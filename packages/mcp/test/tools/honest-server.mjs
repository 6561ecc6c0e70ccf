/**
 * An honest server on the official SDK: `node honest-server.mjs` on stdio. Tools `lookup`, `env`; a resource.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import * as z from 'zod';

export function honest() {
  const server = new McpServer({ name: 'honest', version: '1.2.3' });
  server.registerTool(
    'lookup',
    { description: 'answers', inputSchema: { question: z.string() }, outputSchema: { text: z.string() } },
    ({ question }, { _meta }) => {
      const text = question === 'key?' ? String(_meta?.['assay/idempotency-key']) : `re: ${question}`;
      return { content: [{ type: 'text', text }], structuredContent: { text } };
    },
  );
  server.registerTool('fails', { inputSchema: { question: z.string() } }, () => ({
    content: [{ type: 'text', text: 'out of order' }],
    isError: true,
  }));
  server.registerTool('env', { inputSchema: { question: z.string() } }, ({ question }) => ({
    content: [{ type: 'text', text: question === 'name?' ? 'nothing' : String(process.env[question]) }],
  }));
  server.registerTool('json', { inputSchema: { question: z.string() } }, () => ({
    content: [{ type: 'text', text: '{"celsius":21}' }],
  }));
  server.registerResource('notes', 'notes://all', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, text: 'a note' }],
  }));
  return server;
}

if (process.argv[1]?.endsWith('honest-server.mjs')) await honest().connect(new StdioServerTransport());
