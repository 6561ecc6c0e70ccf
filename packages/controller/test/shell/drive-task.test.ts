/** A task done by the library alone, and gone on with. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { err, ok, orThrow, type GenesisInput, type Json, type Request } from '@assay/kernel';
import { controller } from '@assay/controller';
import { memoryOutputs, drive, memoryStore, type Store } from '@assay/host';
import {
  driveTask,
  namedPlayer,
  choosePlayers,
  type RoleContext,
  type Task,
  type TaskTool,
} from '@assay/controller/shell';
import { rulesPlayer } from '@assay/proposers/task-rules';
import { callsIn, subTaskIn } from '@assay/controller/evidence';
import { castPolicy } from '../../src/shell/roles/players.js';
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
  input: { text: 'find * largest | names -> A; write A to r.md', session: [], deadline_us: null },
};

const outputs = memoryOutputs();
const taskOver = (store: Store, from: GenesisInput | string): Task<string> => ({
  start: from,
  runId: 'task',
  store,
  tools: world.tools,
  portsOf: () => rulesPlayer.ports,
  person: null,
  confirmed: [],
  recall: null,
  outputs,
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

test("a host's own tool is called by whoever plays R3, once it was confirmed; one player plays every role", async () => {
  const written: Json[] = [];
  const post: TaskTool = {
    name: 'board_post',
    class: 'app',
    reversible: false,
    holds: false,
    again: false,
    schema: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
    run: (input) => Promise.resolve({ output: `posted ${written.push(input)}` }),
  };
  const criteria = [{ text: 'it is posted', mode: 'verifiable', hard: true, check: null }];
  const plan = { label: 'post', sequence: 1, intent: 'post it', context: '', success_criteria: criteria };
  const answers = ({ kind, body }: Request, context: RoleContext): Json => {
    const { criteria: asked } = body as { criteria: readonly { id: string }[] };
    const met = (extra: object): Json[] =>
      asked.map(({ id }) => ({
        criterion: id,
        verdict: 'pass',
        failure_class: null,
        evidence: 'x',
        ...extra,
      }));
    switch (kind) {
      case 'perceive':
        return {
          label: 'post',
          intent: 'post it',
          constraints: { scope: null, deadline_us: null },
          refers_to: null,
        };
      case 'plan':
        return {
          follows: [],
          task_criteria: [],
          subtasks: [{ ...plan, tools: ['board_post'], words: false }],
        };
      case 'step': {
        const of = subTaskIn(context.evidence(), '0.0');
        const [call] = of === null ? [] : callsIn(of);
        return call === undefined
          ? { t: 'call', calls: [{ tool: 'board_post', input: { text: 'hello' } }], why: 'it is asked for' }
          : { t: 'done', output: call.output, rests_on: [0] };
      }
      case 'judge':
        return { verdicts: met({ calls: [0] }), what_was_wrong: null, what_to_do: null };
      default:
        return { merged_output: 'posted', summary: 'it is posted', verdicts: met({}) };
    }
  };
  const player = namedPlayer('scripted', (context) => ({
    source: 'live_model',
    proposer: 'scripted',
    perform: (request) => Promise.resolve({ value: answers(request, context) }),
  }));
  const { portsOf } = choosePlayers([], player);
  const tools = [...world.tools, post];
  const begin = { ...start, policy: policyFor(tools) as unknown as Json };
  const confirmed = [{ tool: 'board_post', target: '{"text":"hello"}' }];
  const [waits, store] = [memoryStore(), memoryStore()];
  const task = { tools, portsOf };
  expect(await driveTask({ ...taskOver(waits, begin), ...task })).toEqual(ok({ ended: 'waiting', found: 0 }));
  expect(written).toEqual([]);
  expect(await driveTask({ ...taskOver(store, begin), ...task, confirmed })).toEqual(
    ok({ ended: 'success', found: 0 }),
  );
  expect(written).toEqual([{ text: 'hello' }]);
});
