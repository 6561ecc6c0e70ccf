/** The command as it is installed, in front of a server: its errors reach a package of its own as what they are. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from 'vitest';
import { ROOT, temporaryFolder } from './lib/assay.ts';

const SERVER = join(ROOT, 'packages', 'mcp', 'test', 'tools', 'honest-server.mjs');

test('a refusal, a question and a failing tool, each by its code', async () => {
  const policy = join(temporaryFolder(), 'policy.json');
  writeFileSync(policy, JSON.stringify({ gate: 1, allow: ['fails'], ask: ['lookup'], deny: ['env'] }));
  const args = ['gate', '--policy', policy, '--hold', '0', '--', process.execPath, SERVER];
  const client = new Client({ name: 'tester', version: '1' });
  await client.connect(
    new StdioClientTransport({
      ...{ command: process.execPath, args: [join(ROOT, 'packages', 'cli', 'bin', 'assay.mjs'), ...args] },
      stderr: 'ignore',
    }),
  );
  const call = async (name: string): Promise<unknown> =>
    (await client.callTool({ name, arguments: { question: 'q' } }))['_meta'] ?? null;
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['lookup', 'fails']);
  expect(await call('env')).toMatchObject({ 'assay/gate': { code: 'rule', rules: ['deny env'], call: 1 } });
  expect(await call('lookup')).toMatchObject({ 'assay/gate': { code: 'pending', call: 2 } });
  expect(await call('fails')).toBeNull();
  await client.close();
});
