/** A task done by the library alone, and gone on with. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { err, ok, orThrow, type GenesisInput, type Json } from '@assay/kernel';
import { controller } from '@assay/controller';
import { drive, memoryStore, type Store } from '@assay/host';
import { controlRulesPort, driveTask, type Task } from '@assay/agent';
import { castPolicy } from '../src/roles/casting.js';
import { makeWorld, policyFor } from './tools/world.ts';

const world = await makeWorld([
  { path: 'a.txt', content: 'alpha\n' },
  { path: 'b.txt', content: 'alpha beta\n' },
]);
afterAll(world.remove);
const start: GenesisInput = {
  run_id: 'task',
  ts_base: 'T',
  policy: policyFor(world.tools) as unknown as Json,
  input: { text: 'find the largest file and write its name to r.md', session: [] },
};

const taskOver = (store: Store, from: GenesisInput | string): Task<string> => ({
  start: from,
  runId: 'task',
  store,
  tools: world.tools,
  portsOf: (role) => (role === 'R3' ? null : (): typeof controlRulesPort => controlRulesPort),
  person: null,
  confirmed: [],
  recall: null,
  done: null,
  onAppend: () => undefined,
  drive: async (_machine, driving) => orThrow(await drive(controller, from, { ...driving, store })).end,
});

test('is driven to its end by tools and rules, and finds its records when it is gone on with', async () => {
  const store = memoryStore();
  expect(await driveTask(taskOver(store, start))).toEqual(ok({ ended: 'success', found: 0 }));
  expect(readFileSync(join(world.root, 'r.md'), 'utf8')).toBe('b.txt\n');
  const count = orThrow(await store.head('task'))?.count;
  expect(await driveTask(taskOver(store, 'task'))).toEqual(ok({ ended: 'success', found: count }));
});

test('is not begun where the store cannot be read', async () => {
  const fault = { code: 'unavailable', detail: 'gone' } as never;
  const store = { ...memoryStore(), head: () => Promise.resolve(err(fault)) };
  expect(await driveTask(taskOver(store, start))).toEqual(err(fault));
});

test('a policy that binds a role to somebody else than plays it is refused, and models are bound', () => {
  const policy = policyFor(world.tools);
  const casting = { R1: 'llm:x', R2: 'rules', R3: null, R4a: 'rules', R4b: 'rules' } as never;
  const bound = (roles: object): Json =>
    ({ ...policy, roles: { ...policy.roles, ...roles } }) as unknown as Json;
  expect(castPolicy(bound({ R2: 'llm:y' }), casting, true)).toEqual(
    err({ code: 'cast', role: 'R2', bound: 'llm:y', plays: 'rules' }),
  );
  expect(castPolicy(bound({}), casting, false)).toEqual(ok(bound({})));
  expect(castPolicy(bound({}), casting, true)).toMatchObject({
    right: { roles: { R1: 'llm:x', R2: 'rules' } },
  });
});
