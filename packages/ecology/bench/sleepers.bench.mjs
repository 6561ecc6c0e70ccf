/**
 * What 10,000 sleepers beside cost: a turn of 100 actions of 1,000 agents, with them and without, in slices of one
 * run. CPU time. Each sleeper waits for a time, an event with a field of its own and a balance. After a build:
 *
 *   node --expose-gc packages/ecology/bench/sleepers.bench.mjs [--json] [--rounds N]
 */
import { hash } from 'node:crypto';
import { ecology, resolveConfig } from '@assay/ecology';
import { advance, openRun, orThrow } from '@assay/kernel';
import { atMost, machine, option, shown } from '../../../bench/lib/targets.mjs';

const options = { sha256: (bytes) => hash('sha256', bytes, 'hex') };
const rounds = option('--rounds', 150);
const [AGENTS, SLEEPERS, ACTIONS] = [1_000, 10_000, 100];

function open(sleepers) {
  const initial = Array.from({ length: AGENTS + sleepers }, (_, at) => `a${at}`);
  const policy = orThrow(resolveConfig({ agents: { initial } }));
  const start = { run_id: 'bench', ts_base: 'T', policy, input: { artifacts: [] }, engine: null };
  const seen = { run: orThrow(openRun(ecology, start, options)).run, at: 1e15 };
  for (let from = AGENTS; from < initial.length; from += 1_000)
    turn(
      seen,
      initial.slice(from, from + 1_000).map((id) => [id, sleepOf(id)]),
    );
  return seen;
}

function sleepOf(id) {
  const args = {
    until_us: 1e15 + 1e13,
    events: [{ event: 'transfer_completed', where: { to: id } }],
    balances: [{ resource: 'scrip', op: '<', value: 5 }],
  };
  return { op: 'invoke', id: 'genesis_agents_api', method: 'sleep', args };
}

function turn(seen, acts) {
  const actions = acts.map(([id, action]) => [id, seen.run.state.things.get(id).config_hash, action]);
  const proposal = {
    request_id: seen.run.state.open.get('turn'),
    source: 'rule',
    proposer: 'scripted',
    confidence: null,
    value: { actions },
    failure: null,
    at_us: (seen.at += 100_000),
    spent: {},
    cites: [],
    provenance: {},
  };
  seen.run = orThrow(advance(seen.run, proposal)).run;
}

function step(seen, n) {
  const start = process.cpuUsage();
  turn(
    seen,
    Array.from({ length: ACTIONS }, (_, at) => {
      const [from, to] = [(n * ACTIONS + at) % AGENTS, (n * 31 + at * 7 + 1) % AGENTS];
      const args = { to: `a${to === from ? (to + 1) % AGENTS : to}`, amount: 1 };
      return [`a${from}`, { op: 'invoke', id: 'genesis_ledger_api', method: 'transfer', args }];
    }),
  );
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

const used = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
};
const without = open(0);
const before = used();
const beside = open(SLEEPERS);
const memory = used() - before;
const sums = [0, 0];
for (let n = 0; n < rounds + 30; n += 1) {
  const [one, two] = [step(without, n), step(beside, n)];
  if (n >= 30) [sums[0], sums[1]] = [sums[0] + one, sums[1] + two];
}
const report = {
  bench: 'ecology-sleepers',
  node: process.version,
  machine: machine(),
  targets: [
    atMost('ecology-sleepers', `a step beside ${SLEEPERS} sleepers`, sums[1] / sums[0], 1.35, 'times'),
    atMost('ecology-sleepers-memory', 'more heap for them', memory, 200, 'MiB'),
  ],
};
const printed = shown(report);
process.stdout.write(`${JSON.stringify(printed, null, process.argv.includes('--json') ? 0 : 2)}\n`);
