/**
 * A thousand agents that are asked, each shown its view, by `drive` with 512 calls under way: CPU of a step. The minds
 * answer by themselves after some milliseconds. After a build:
 *
 *   node packages/ecology/bench/minds.bench.mjs [--json] [--steps N]
 */
import { drive, memoryStore } from '@assay/host';
import { ecology, resolveConfig } from '@assay/ecology';
import { openPorts, watchWorld } from '@assay/ecology/shell';
import { orThrow } from '@assay/kernel';
import { atMost, machine, option, shown } from '../../../bench/lib/targets.mjs';

const steps = option('--steps', 20_000);
const initial = Array.from({ length: 1_000 }, (_, at) => `a${at}`);
/** Nobody runs out of anything. */
const RESOURCES = { llm_budget_uusd: 1e13, llm_rate_per_min: 1e9, provider_tpm: 1e12 };
const policy = orThrow(resolveConfig({ agents: { initial, asked: initial }, resources: RESOURCES }));

/** CPU of a step in milliseconds, each mind shown its view. */
async function measure(count) {
  const waiting = [];
  let seen = 0;
  const mind = {
    source: 'live_model',
    proposer: 'llm:none/none',
    perform: ({ body }) => {
      seen += body.shown.handbook.length;
      return new Promise((resolve) => waiting.push([body.agent, resolve]));
    },
  };
  const watched = watchWorld(ecology);
  const timer = setInterval(() => {
    for (const [agent, resolve] of waiting.splice(0, 200)) {
      const args = { to: agent === 'a0' ? 'a1' : 'a0', amount: 1 };
      const pay = { op: 'invoke', id: 'genesis_ledger_api', method: 'transfer', args };
      resolve({ value: { actions: [pay] }, spent: { input_tokens: 10, output_tokens: 5 } });
    }
  }, 1);
  const genesis = { run_id: 'minds', ts_base: 'T', policy, input: { artifacts: [] }, engine: null };
  const start = process.cpuUsage();
  const ports = openPorts({ watched, mind });
  const options = { store: memoryStore(), ports, concurrency: 512, order: 'arrival', steps: count };
  const { run } = orThrow(await drive(watched.machine, genesis, options));
  clearInterval(timer);
  const { user, system } = process.cpuUsage(start);
  if (seen === 0 || run.count < 2 * count) throw new Error(`${count} steps, and ${run.count} records`);
  return (user + system) / 1e3 / count;
}

await measure(steps / 4);
const whole = await measure(steps);
const report = {
  bench: 'ecology-minds',
  node: process.version,
  machine: machine(),
  steps,
  targets: [
    atMost('ecology-minds', 'CPU of a step of 1,000 agents that are asked, views included', whole, 1, 'ms'),
  ],
};
process.stdout.write(`${JSON.stringify(shown(report), null, process.argv.includes('--json') ? 0 : 2)}\n`);
process.exit(0);
