/** A world whose agent asks its operator for a secret, and uses it with an MCP tool: no file holds the secret (L24). */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { argv, ROOT, temporaryFolder } from './lib/assay.ts';
import { calledWith } from './lib/models.ts';

const folder = join(temporaryFolder(), 'world');
const file = (name: string, json: object): string => {
  writeFileSync(join(folder, name), JSON.stringify(json));
  return join(folder, name);
};
const SECRET = 'swordfish-4711';
const before = { ...process.env };
beforeAll(() => {
  mkdirSync(folder);
  // What an operator keeps outside of the world's folder.
  const own = join(folder, '..');
  const server = join(ROOT, 'packages/mcp/test/tools/honest-server.mjs');
  writeFileSync(
    join(own, 'vault.json'),
    JSON.stringify({ salt: 'pepper-and-salt', secrets: { KEY: SECRET } }),
  );
  const servers = { mcpServers: { honest: { command: process.execPath, args: [server] } } };
  writeFileSync(join(own, 'servers.json'), JSON.stringify(servers));
  process.env['ASSAY_VAULT'] = join(own, 'vault.json');
  process.env['ASSAY_MCP_SERVERS'] = join(own, 'servers.json');
});
afterAll(() => {
  process.env = before;
});

const invoke = (id: string, method: string, args: object): object => ({ op: 'invoke', id, method, args });
const recording = (...lists: readonly (readonly object[])[]): object => ({
  format: 'assay-mind/0',
  by: 'fixture:outside',
  answers: { 'act ann': lists.map((actions) => ({ value: { actions } })) },
});

it('ecology/redaction (L24): from the request to the answer of the tool', { timeout: 30_000 }, async () => {
  const call = (args: readonly string[]) => calledWith({ ...process.env } as Record<string, string>, ...args);
  const world = file('world.json', {
    config: {
      agents: { initial: ['ann'], mind: 'asked', given: [{ id: 'ann', resource: 'disk', amount: 400_000 }] },
    },
    artifacts: [{ id: 'honest', content: { mcp: { server: 'honest', tool: 'lookup' } } }],
  });
  const ask = invoke('genesis_capabilities_api', 'request', { capability: 'lookup', reason: 'to know' });
  const first = file('first.json', recording([ask]));
  const store = `file:${join(folder, 'store')}`;
  const run = `${store}#w`;
  const begun = await call(
    argv`world run ${world} --mind recorded:${first} --store ${store} --set run_id=w --until 1h`,
  );
  expect([begun.code, begun.stderr]).toEqual([0, expect.any(String)]);
  const order = (words: string) => call(['answer', run, 'operator', ...words.split(' ')]);
  expect((await order('grant disk 200000 to ann: too much')).code).toBe(1);
  expect((await order('grant disk 100000 to ann: fair')).code).toBe(0);
  expect((await order('provision ann lookup with secret OTHER: which')).stderr).toContain('has no OTHER');
  expect((await order('provision ann lookup with secret KEY: go on')).code).toBe(0);
  const begin = (question: string): object =>
    invoke('genesis_calls_api', 'begin', { target: 'honest', body: { question } });
  // The server sends back what it is asked: once a secret, once nothing of it.
  const noop = { op: 'noop' };
  const second = file(
    'second.json',
    recording([noop], [begin('of ${secret:KEY}, the length'), begin('why?')]),
  );
  const ended = await call(argv`resume ${run} --mind recorded:${second} --until 2h`);
  expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
  const ledger = readFileSync(join(folder, 'store', 'w.ledger.jsonl'), 'utf8');
  const ends = [...ledger.matchAll(/"how":"([a-z]+)","result":([^,]*)/g)].map(([, how, result]) => [
    how,
    result,
  ]);
  expect(ends.toSorted()).toEqual([
    ['done', '{"text":"re: why?"}'],
    ['failed', 'null'],
  ]);
  expect(ledger).toContain('"secret_withheld":true');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  const said = [begun, ended].flatMap(({ stdout, stderr }) => [stdout, stderr]);
  expect(files.length).toBeGreaterThan(4);
  expect([...texts, ...said].filter((text) => text.toLowerCase().includes(SECRET))).toEqual([]);
});
