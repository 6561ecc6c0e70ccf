/**
 * Scripted minds with views and a file store against the physics alone, the same actions in the same turns; a view
 * among 10,000 things; a thousand agents with a thousand actions each. After a build:
 *
 *   node packages/ecology/bench/driver.bench.mjs [--json] [--turns N]
 *
 * CPU time, user and system, because other work shares the machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ecology, findLive, makeView, resolveConfig } from '@assay/ecology';
import { makeDraw, playScripted, readMinds, ResponseLog, WorldRun } from '@assay/ecology/shell';
import { fileStore } from '@assay/host/store-file';
import { orThrow } from '@assay/kernel';
import { atLeast, atMost, machine, option, shown } from '../../../bench/lib/targets.mjs';

const AGENTS = 1_000;
const TURNS = option('--turns', 100);
const initial = Array.from({ length: AGENTS }, (_, at) => `a${at}`);
const NEVER = { until_us: null, end_us: null, records: null, steps: null };

function cpu(from) {
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1e6;
}

/** Half transfers, a quarter reads, the rest noops. */
function act(draw) {
  const kind = draw(4);
  if (kind === 0) return { op: 'read', id: `a${draw(AGENTS)}` };
  if (kind === 1) return { op: 'noop' };
  const args = { to: `a${draw(AGENTS)}`, amount: 1 + draw(5) };
  return { op: 'invoke', id: 'genesis_ledger_api', method: 'transfer', args };
}

async function open(store, artifacts = [], told) {
  const policy = orThrow(resolveConfig({ agents: { initial } }));
  const start = { run_id: 'bench', ts_base: 'T', policy, input: { artifacts }, engine: null };
  return orThrow(await WorldRun.open({ machine: ecology, start, store, ...(told && { told }) }));
}

/** The physics alone: turns that are given, nothing is shown and nothing is kept. */
async function alone(turns) {
  const world = await open(null);
  const given = Array.from({ length: turns }, (_, turn) => ({
    actions: initial.map((id) => [id, findLive(world.state, id).config_hash, act(makeDraw(7, id, turn))]),
  }));
  const from = process.cpuUsage();
  for (const [turn, value] of given.entries())
    world.give('turn', { source: 'rule', value, at_us: (turn + 1) * 1_000_000 });
  return cpu(from);
}

/** The same with minds: each is shown its view, its draws are made, and all is written to files. */
async function driven(turns) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const store = fileStore(folder);
  const log = new ResponseLog();
  const world = await open(store, [], log.hear);
  const minds = readMinds({ mind: (_, draw) => [act(draw)] });
  const from = process.cpuUsage();
  orThrow(
    await playScripted(world, {
      ...NEVER,
      minds,
      seed: 7,
      mind: 'bench',
      shown: log,
      until_us: turns * 1_000_000,
    }),
  );
  const s = cpu(from);
  await store.close();
  rmSync(folder, { recursive: true });
  return s;
}

await alone(10);
await driven(10);
const pairs = [];
for (let round = 0; round < 3; round += 1) pairs.push((await alone(TURNS)) / (await driven(TURNS)));
pairs.sort((one, other) => one - other);

const things = Array.from({ length: 7_000 }, (_, at) => ({
  ...{ id: `doc${at}`, content: at, owner: `a${at % AGENTS}`, interface: null },
  ...{ has_standing: false, can_execute: false, access_contract_id: null },
}));
const { state } = await open(null, things);
const one = () => makeView(state, 'a7', { responses: [{ success: true, result: null, price_paid: 0 }] });
for (let n = 0; n < 20_000; n += 1) one();
const before = process.cpuUsage();
for (let n = 0; n < 20_000; n += 1) one();
const view = (cpu(before) / 20_000) * 1e6;

const million = await driven(option('--million', 1_000));
const rss = process.memoryUsage().rss / 2 ** 20;

const report = {
  bench: 'ecology-driver',
  node: process.version,
  machine: machine(),
  targets: [
    atLeast(
      'ecology-scripted',
      'scripted minds, views and files against the physics alone',
      pairs[1],
      0.8,
      'times',
    ),
    atMost('ecology-view', `a view of an agent among ${state.things.size} things`, view, 20, 'µs'),
    atMost('ecology-scripted-1000', '1,000 agents with 1,000 actions each', million, 60, 's of CPU'),
    atMost('ecology-scripted-memory', 'resident memory after these', rss, 512, 'MiB'),
  ],
};
process.stdout.write(`${JSON.stringify(shown(report), null, process.argv.includes('--json') ? 0 : 2)}\n`);
