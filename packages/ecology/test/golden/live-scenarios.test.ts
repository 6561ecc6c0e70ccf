/** Scenarios of C2 that are about two runs: a snapshot while an action waits, two hosts, one bid replaced. */
import { memoryStore, nativeSha256 } from '@assay/host';
import { advance, orThrow, resumeRun, snapshot, type GenesisInput, type Json } from '@assay/kernel';
import { diffLedgers } from '@assay/verifier';
import { expect, it } from 'vitest';
import { ecology, findLive, resolveConfig } from '../../src/index.js';
import { WorldRun } from '../../src/shell/index.js';
import { World, type Act } from '../../tools/world.js';

const TRIO = { agents: { initial: ['ann', 'bob', 'cid'], scrip: 1_000 } };
const HOUR = 3_600_000_000;

it('27: a snapshot taken while an action waits for a model goes on to the same head', () => {
  const world = new World(null, TRIO);
  const ask = { prompt: 'rain?', max_tokens: 10 };
  expect(world.invoke('ann', 'genesis_llm', 'complete', ask)).toBe('waits');
  world.invoke('bob', 'genesis_agents_api', 'sleep', { for_us: HOUR });
  let saved = snapshot(world.run);
  for (let n = 0; n < 50 && saved === null; n += 1) {
    world.turn(...Array.from({ length: 100 }, (): Act => ['cid', { op: 'noop' }]));
    saved = snapshot(world.run);
  }
  if (saved === null) throw new Error('no snapshot');
  const resumed = orThrow(resumeRun(world.machine, saved, { sha256: nativeSha256 }));
  const proposal = {
    request_id: world.state.open.get('effect ann') ?? '',
    source: 'tool',
    proposer: 'test',
    confidence: null,
    value: { result: 'yes' },
    failure: null,
    at_us: world.now + HOUR,
    spent: { input_tokens: 5 },
    cites: [],
    provenance: {},
  } as const;
  const [straight, again] = [world.run, resumed].map((run) => orThrow(advance(run, proposal)).run);
  expect(again?.hash).toBe(straight?.hash);
  expect([again?.state.waiting.size, again?.state.timers]).toEqual([0, null]);
});

it('28: of two hosts on one store the later one is told that its head is stale, and nothing of it is kept', async () => {
  const store = memoryStore();
  const start = {
    run_id: 'world',
    ts_base: 'T',
    policy: orThrow(resolveConfig(TRIO)),
    input: { artifacts: [] },
    engine: null,
  } as unknown as GenesisInput;
  const open = async (): Promise<WorldRun> =>
    orThrow(await WorldRun.open({ machine: ecology, start, store }));
  const hosts = [await open(), await open()] as const;
  const pay = (host: WorldRun, amount: number): void => {
    const args = { to: 'bob', amount };
    const action = { op: 'invoke', id: 'genesis_ledger_api', method: 'transfer', args };
    const ann = findLive(host.state, 'ann')?.config_hash ?? '';
    host.give('turn', { source: 'rule', value: { actions: [['ann', ann, action]] } });
  };
  pay(hosts[0], 7);
  pay(hosts[1], 400);
  const written = [await hosts[0].write(), await hosts[1].write()];
  expect(written).toMatchObject([{ _tag: 'Right' }, { left: { code: 'stale_head' } }]);
  const survivor = await open();
  expect(survivor.state.accounts.get('bob')?.amounts.scrip).toBe(1_007);
});

it('29: of two worlds with one bid replaced, the bid is the cause of the first difference', () => {
  const bidding = (amount: number): World => {
    const world = new World(null, TRIO);
    const bid = (agent: string, of: number): Json =>
      world.invoke(agent, 'genesis_mint_api', 'bid', { artifact_id: agent, amount: of });
    bid('ann', 300);
    bid('bob', amount);
    world.wait(HOUR);
    const [name = ''] = [...world.state.open]
      .map(([open]) => open)
      .filter((open) => open.startsWith('score'));
    world.answer(name, { score: 40 });
    return world;
  };
  const [one, two] = [bidding(200), bidding(350)];
  expect([one.scrip('ann'), two.scrip('bob')]).toEqual([4_800, 4_700]);
  expect(diffLedgers(one.records, two.records)).toMatchObject({
    kind: 'differs',
    causes: ['proposal'],
    proposal: { field: '/value/actions/0/2/args/amount', left: 200, right: 350 },
  });
});
