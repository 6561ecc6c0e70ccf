/**
 * Actions in turns and one by one, bytes of a ledger for each, a thousand agents with a thousand actions each,
 * ten thousand with a hundred, verdicts of a custom contract, and verification of what was run. After a build:
 *
 *   node packages/ecology/bench/actions.bench.mjs [--json] [--actions N]
 *
 * CPU time, user and system, because other work shares the machine; evidence on, in memory.
 */
import { createHash } from 'node:crypto';
import { ecology, ecologyMachine, resolveConfig } from '@assay/ecology';
import { advance, encodeLine, openRun, orThrow, replayable } from '@assay/kernel';
import { nodeEngine } from '@assay/ecology/sandbox/node';
import { verify } from '@assay/verifier';
import { atLeast, atMost, machine, option, shown } from '../../../bench/lib/targets.mjs';

const options = { sha256: (bytes) => createHash('sha256').update(bytes).digest('hex') };
const total = option('--actions', 200_000);
const START = 1_000_000_000_000_000;

function cpu(work) {
  const start = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(start);
  return { result, s: (user + system) / 1e6 };
}

function world(agents, { asked = 0, on = ecology, artifacts = [] } = {}) {
  const initial = Array.from({ length: agents }, (_, at) => `a${at}`);
  const policy = orThrow(resolveConfig({ agents: { initial, asked: initial.slice(0, asked) } }));
  const { run, records } = orThrow(
    openRun(on, { run_id: 'bench', ts_base: 'T', policy, input: { artifacts }, engine: on.engine }, options),
  );
  return { run, records: [...records], initial, at: START };
}

function put(seen, name, value) {
  const step = orThrow(
    advance(seen.run, {
      request_id: seen.run.state.open.get(name),
      source: 'rule',
      proposer: 'scripted',
      confidence: null,
      value,
      failure: null,
      at_us: (seen.at += 1_000_000),
      spent: {},
      cites: [],
      provenance: {},
    }),
  );
  seen.run = step.run;
  return step.records;
}

/** Half transfers, a quarter reads, writes and noops each an eighth. */
function action(n, agents) {
  switch (n % 8) {
    case 0:
      return { op: 'noop' };
    case 1:
      return { op: 'write', id: `a${n % agents}`, content: n };
    case 2:
    case 3:
      return { op: 'read', id: `a${(n * 7) % agents}` };
    default: {
      const to = `a${(n * 31 + 1) % agents}`;
      return { op: 'invoke', id: 'genesis_ledger_api', method: 'transfer', args: { to, amount: 1 } };
    }
  }
}

function turns(agents, count, size, keep) {
  const seen = world(agents);
  for (let n = 0; n < count; n += size) {
    // A write to oneself is a new config, so an agent acts once in a turn.
    const actions = Array.from({ length: size }, (_, at) => {
      const id = (n + at) % agents;
      const what = action(n + at + Math.floor(n / agents), agents);
      const own = what.op === 'write' ? { ...what, id: `a${id}` } : what;
      return [`a${id}`, seen.run.state.things.get(`a${id}`).config_hash, own];
    });
    const records = put(seen, 'turn', { actions });
    if (keep) seen.records.push(...records);
  }
  return seen;
}

function singles(count) {
  const agents = 100;
  const seen = world(agents, { asked: agents });
  const marks = [];
  let last = process.cpuUsage();
  for (let n = 0; n < count; n += 1) {
    put(seen, `act a${n % agents}`, {
      actions: [{ ...action(n, agents), ...(n % 8 === 1 ? { id: `a${n % agents}` } : {}) }],
    });
    if ((n + 1) % (count / 4) === 0) {
      const { user, system } = process.cpuUsage(last);
      marks.push((user + system) / 1e6);
      last = process.cpuUsage();
    }
  }
  return marks;
}

const warm = cpu(() => turns(1_000, 20_000, 1_000, false));
const inTurns = cpu(() => turns(1_000, total, 1_000, true));
const perTurn = total / inTurns.s;
const { records } = inTurns.result;
const bytes = records.reduce((sum, record) => sum + encodeLine(record).length, 0) / total;
const file = Buffer.from(records.map((record) => `${encodeLine(record)}\n`).join(''));
const machines = [replayable(ecology, options)];
const verified = cpu(() => verify('bench', file, { machines, sha256: options.sha256 }));
if (verified.result.document.checks.rederivation.verdict !== 'held')
  throw new Error('the run does not verify');
const count = Math.min(total, 200_000) / 5;
const single = singles(count);
const perAct = count / single.reduce((sum, s) => sum + s, 0);
const flat = Math.max(...single.slice(1)) / Math.min(...single.slice(1));
const thousand = cpu(() => turns(1_000, 1_000_000, 1_000, false));
const rss = process.memoryUsage().rss / 2 ** 20;
const tenThousand = cpu(() => turns(10_000, 1_000_000, 4_000, false));

const engine = await nodeEngine();
const CODE = `function check_permission(q) { return { allowed: q.action === 'read' || q.requester_id === q.context.owner }; }`;
const gate = {
  id: 'gate',
  content: { code: CODE },
  interface: { tools: [{ name: 'check_permission' }] },
  owner: null,
  has_standing: false,
  can_execute: true,
  access_contract_id: null,
};
const good = {
  ...gate,
  id: 'good',
  content: 1,
  can_execute: false,
  interface: null,
  access_contract_id: 'gate',
};
function verdicts(reads, distinct) {
  const seen = world(1_000, { on: ecologyMachine(engine), artifacts: [gate, ...distinct] });
  for (let n = 0; n < reads; n += 1_000) {
    seen.at += 60_000_000;
    const actions = Array.from({ length: 1_000 }, (_, at) => {
      const id = distinct[(n + at) % distinct.length].id;
      return [`a${at}`, seen.run.state.things.get(`a${at}`).config_hash, { op: 'read', id }];
    });
    put(seen, 'turn', { actions });
  }
}
const many = Array.from({ length: 50 }, (_, at) => ({ ...good, id: `good${at}` }));
const uncached = cpu(() => verdicts(20_000, many));

const report = {
  bench: 'ecology-actions',
  node: process.version,
  machine: machine(),
  actions: total,
  warm_up_s: warm.s,
  targets: [
    atLeast('ecology-turns', 'actions a second in turns of 1,000', perTurn, 40_000, 'actions/s'),
    atLeast('ecology-acts', 'actions a second as act steps', perAct, 8_000, 'actions/s'),
    atMost('ecology-acts-flat', 'the slowest quarter of act steps against the fastest', flat, 1.2, 'times'),
    atMost('ecology-bytes', 'ledger of an action in turns', bytes, 300, 'bytes'),
    atMost('ecology-1000', '1,000 agents with 1,000 actions each', thousand.s, 60, 's of CPU'),
    atMost('ecology-memory', 'resident memory after these', rss, 512, 'MiB'),
    atMost('ecology-10000', '10,000 agents with 100 actions each', tenThousand.s, 60, 's of CPU'),
    atMost('ecology-verify', 'verification against the run', verified.s / inTurns.s, 1, 'times'),
    atLeast(
      'ecology-verdicts',
      'reads under a custom contract, uncached',
      20_000 / uncached.s,
      8_000,
      'reads/s',
    ),
  ],
};
const printed = shown(report);
process.stdout.write(`${JSON.stringify(printed, null, process.argv.includes('--json') ? 0 : 2)}\n`);
