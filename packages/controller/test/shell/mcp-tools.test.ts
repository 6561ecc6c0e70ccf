import { expect, test } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ok, orThrow } from '@assay/kernel';
import { defaultPolicy, parsePolicy } from '@assay/controller';
import { mcpTools } from '@assay/controller/shell';
import { declared } from '../../src/shell/executor/mcp-tools.js';
import * as z from 'zod';

async function connected(): Promise<Client> {
  const server = new McpServer({ name: 'notes', version: '1' });
  server.registerTool(
    'read',
    { description: 'Reads a note.', inputSchema: { name: z.string() } },
    ({ name }) => ({ content: [{ type: 'text', text: `the note ${name}` }] }),
  );
  server.registerTool('fail', {}, () => ({ isError: true, content: [{ type: 'text', text: 'no' }] }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}
const options = { signal: new AbortController().signal, confirmed: null, not: [] };

test('tools of a server are the task’s under its name, irreversible unless the user says otherwise', async () => {
  const client = await connected();
  const tools = orThrow(
    await mcpTools('notes', client, (tool) => (tool === 'read' ? { class: 'read', reversible: true } : {})),
  );
  expect(
    tools.map(({ name, class: of, reversible, again, holds }) => [name, of, reversible, again, holds]),
  ).toEqual([
    ['notes_read', 'read', true, false, false],
    ['notes_fail', 'app', false, false, false],
  ]);
  expect(tools[0]?.schema).toMatchObject({ description: 'Reads a note.', required: ['name'] });
  expect(await tools[0]?.run({ name: 'a' }, options)).toEqual({ output: 'the note a' });
  expect(await tools[1]?.run({}, options)).toMatchObject({
    status: 'error',
    code: 'tool_error',
    output: 'no',
  });
});

test('a name that no catalogue takes is refused, unless the user leaves the tool out', async () => {
  const client = { listTools: async () => ({ tools: [{ name: 'Read.File', inputSchema: {} }] }) };
  expect(await mcpTools('notes', client as never)).toMatchObject({
    left: { code: 'name', tool: 'Read.File' },
  });
  expect(await mcpTools('notes', client as never, () => null)).toEqual(ok([]));
});

test('a description is cut where its letters end', async () => {
  const client = {
    listTools: async () => ({
      tools: [{ name: 'read', description: `x${'😀'.repeat(300)}`, inputSchema: {} }],
    }),
  };
  const tools = orThrow(await mcpTools('notes', client as never));
  expect(parsePolicy({ ...defaultPolicy, tools: tools.map(declared) } as never)._tag).toBe('Right');
});
