/**
 * What the gate costs: a decision, a call in front of a function, durable calls, resuming, the relay of MCP,
 * the door to models, a hook, and past sessions. Run after a build: `node
 * packages/gate/bench/gate.bench.mjs`. Ratios are taken in turns in one run; CPU is user and system time of
 * the process that is named.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { atLeast, atMost, machine, median } from '../../../bench/lib/targets.mjs';
import { counter } from '../../host/bench/counter.mjs';
import { fileStore } from '../../host/dist/store-file/index.js';
import { memoryStore, nativeSha256 } from '../../host/dist/index.js';
import { advance, hashCanonical, openRequests, openRun, orThrow } from '../../kernel/dist/index.js';
import { gate as gateMachine } from '../dist/machine/index.js';
import { openGate } from '../dist/shell/index.js';

const ASSAY = fileURLToPath(new URL('../../cli/dist/bundle/assay.js', import.meta.url));
const SERVER = fileURLToPath(new URL('../../mcp/test/tools/honest-server.mjs', import.meta.url));
const SESSIONS = fileURLToPath(new URL('../../../scripts/impact/sessions.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-gate-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const policy = {
  gate: 1,
  allow: ['read_file(path: reports/**)', 'search', 'write_file(path: reports/**)', 'lookup', 'fetch'],
  ask: ['send_email', 'Bash(command: git push*)', 'delete_*'],
  deny: [
    { tool: '*', when: { '/path': { glob: ['**/.env*', '**/*.pem'] } } },
    { tool: '*', when: { '/command': { command: ['rm -rf', 'dd'] } } },
    { tool: 'fetch', when: { '/url': { not: { host: '*.example.com' } } } },
    { tool: 'send_email', after: 'web' },
  ],
  budgets: [
    { max: 10_000_000 },
    { tool: 'fetch', max: 5, window: '24h' },
    { unit: 'tokens', max: 9_000_000 },
  ],
};
const input = (at) => ({ path: `reports/2026/q${at % 4}/page-${at}.md` });
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};
const rest = { confidence: null, failure: null, spent: {}, cites: [], provenance: {} };

/** Milliseconds a record: decisions of the gate, or steps of a machine that counts, with answers of the same bytes. */
function decide(name, steps) {
  const isGate = name === 'gate';
  const genesis = isGate
    ? { run_id: 'b', ts_base: 't', policy, input: { about: 'bench', from: null } }
    : { run_id: 'b', ts_base: 't', policy: {}, input: { to: steps + 1 } };
  let { run } = orThrow(openRun(isGate ? gateMachine : counter, genesis, { sha256: nativeSha256 }));
  const from = cpu();
  let records = 0;
  for (let at = 0; at < steps; at += 1) {
    const digest = orThrow(hashCanonical(input(at), nativeSha256));
    const open = openRequests(run);
    const perform = open.find(({ kind }) => kind === 'perform');
    const request = perform ?? open.find(({ kind }) => kind === 'call' || kind === 'tick');
    const call = { principal: 'bot', call_id: `call-${at}`, tool: 'read_file', input: input(at), digest };
    const value = perform === undefined ? call : { ok: true, digest, bytes: 20, result: 'text of a page' };
    const source = perform === undefined || !isGate ? 'rule' : 'tool';
    const answer = { ...rest, request_id: request.id, source, proposer: 'bench', value, at_us: at };
    const step = orThrow(advance(run, answer));
    run = step.run;
    records += step.records.length;
  }
  return (cpu() - from) / records;
}

/** Calls through a gate, so many at once; CPU and wall milliseconds a call, bytes a call. */
async function call(store, run, count, parallel) {
  const gate = await openGate({ policy, store, run });
  const { read_file } = gate.wrap({ read_file: async ({ path }) => `text of ${path}` }, { principal: 'bot' });
  const [from, began] = [cpu(), performance.now()];
  let next = 0;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (next < count) await read_file(input(next++));
    }),
  );
  const used = { cpu: (cpu() - from) / count, wall: (performance.now() - began) / count };
  await gate.close();
  return used;
}

const ratios = (name, pairs) => {
  console.error(name, pairs.map((pair) => pair.toFixed(2)).join(' '));
  return median(pairs);
};

const decisions = [];
for (let round = 0; round < 6; round += 1) decisions.push(decide('counter', 8_000) / decide('gate', 8_000));
const wraps = [];
for (let round = 0; round < 4; round += 1) wraps.push((await call(memoryStore(), `m${round}`, 4_000, 1)).cpu);
const speedups = [];
for (let round = 0; round < 3; round += 1) {
  const one = await call(fileStore(join(folder, 'one')), `r${round}`, 1_500, 1);
  const fifty = await call(fileStore(join(folder, 'fifty')), `r${round}`, 6_000, 50);
  speedups.push(one.wall / fifty.wall);
}
const bytes = statSync(join(folder, 'fifty', 'r0.ledger.jsonl')).size / 6_000;
await call(join(folder, 'long'), 'long', 100_000, 200);
const began = performance.now();
const resumed = await openGate({ policy, store: join(folder, 'long'), run: 'long' });
const resume = (performance.now() - began) / 1e3;
await resumed.close();

const policyFile = join(folder, 'policy.json');
writeFileSync(policyFile, JSON.stringify(policy));
/** Milliseconds of CPU that a process on Linux has used. */
const usedBy = (pid) => {
  const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  return (Number(fields.split(' ')[11]) + Number(fields.split(' ')[12])) * 10;
};
/** CPU milliseconds a call of a process, 20 calls at once. */
async function measure(pid, work) {
  const make = async (count) => {
    let next = 0;
    const loop = async () => {
      while (next < count) await work(next++);
    };
    await Promise.all(Array.from({ length: 20 }, loop));
  };
  await make(500);
  const from = usedBy(pid);
  await make(3_000);
  return (usedBy(pid) - from) / 3_000;
}
/** The relay, its server not counted. */
async function relay() {
  if (process.platform !== 'linux') return null;
  const client = new Client({ name: 'bench', version: '1' });
  const args = [ASSAY, 'gate', '--policy', policyFile, '--', process.execPath, SERVER];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' });
  await client.connect(transport);
  const spent = await measure(transport.pid, (at) =>
    client.callTool({ name: 'lookup', arguments: { question: `q${at}` } }),
  );
  await client.close();
  return spent;
}
const relayed = await relay();

/** A server that passes completions on, and does nothing else. */
const PROXY = `
import { createServer } from 'node:http';
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const answer = await fetch(process.argv[1] + '/chat/completions', { method: 'POST', body });
  response.writeHead(answer.status);
  for await (const chunk of answer.body) response.write(chunk);
  response.end();
}).listen(0, '127.0.0.1', () => console.error('http://127.0.0.1:' + server.address().port + '/v1'));`;
/** The door to models, beside a server that only passes on: what reading, deciding and storing cost. */
async function complete() {
  if (process.platform !== 'linux') return null;
  const usage = { prompt_tokens: 40, completion_tokens: 20, total_tokens: 60 };
  const answer = JSON.stringify({ choices: [{ message: { content: 'text '.repeat(50) } }], usage });
  const upstream = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const file = join(folder, 'models.json');
  const [token, tokens] = ['bench-0123456789abcdef', join(folder, 'tokens.json')];
  const bounds = [{ tool: 'model/*', unit: 'tokens', max: 9_000, at: '/bound/tokens' }];
  const budgets = [{ unit: 'tokens', max: 900_000_000 }];
  writeFileSync(file, JSON.stringify({ gate: 1, allow: ['model/*'], bounds, budgets }));
  writeFileSync(tokens, JSON.stringify({ [token]: 'bench' }));
  const url = `http://127.0.0.1:${upstream.address().port}/v1`;
  const args = [ASSAY, 'gate', '--policy', file, '--models', url, '--http', '0', '--tokens', tokens];
  const messages = [{ role: 'user', content: 'a question of some words '.repeat(20) }];
  const body = JSON.stringify({ model: 'small', max_tokens: 100, messages });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ask = async (words) => {
    const server = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
    const [said] = await once(server.stderr, 'data');
    const at = /http:\S+\/v1/.exec(String(said))?.[0];
    const spent = await measure(server.pid, async () => {
      const response = await fetch(`${at}/chat/completions`, { method: 'POST', headers, body });
      if (response.status !== 200) throw new Error(await response.text());
      await response.text();
    });
    server.kill();
    await once(server, 'exit');
    return spent;
  };
  const plain = await ask(['--input-type=module', '-e', PROXY, url]);
  const spent = (await ask(args)) - plain;
  upstream.closeAllConnections();
  upstream.close();
  return spent;
}
const completed = await complete();

const timed = (args, stdin) => {
  const from = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { input: stdin, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${status} ${stderr}`);
  return performance.now() - from;
};
const hook = (at) => {
  const said = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'search', tool_input: { at } };
  return JSON.stringify({ ...said, tool_use_id: `t${at}` });
};
const hooks = [];
for (let round = 0; round < 15; round += 1)
  hooks.push(timed([ASSAY, 'gate', '--policy', policyFile, '--hook'], hook(round)) / timed(['-e', '0'], ''));

/** A session of Claude Code with so many calls. */
function transcript(session, calls) {
  const lines = [];
  for (let at = 0; at < calls; at += 1) {
    const stamp = new Date(1_760_000_000_000 + at * 1_000).toISOString();
    const row = { sessionId: `session-${session}`, timestamp: stamp, cwd: '/home/jo', version: '2.1.0' };
    const use = {
      type: 'tool_use',
      id: `t${at}`,
      name: 'Read',
      input: { file_path: `/home/jo/app/${at}.ts` },
    };
    const message = { id: `m${at}`, role: 'assistant', model: 'm', content: [use] };
    const result = { type: 'tool_result', tool_use_id: `t${at}`, content: 'export {};\n'.repeat(40) };
    lines.push(JSON.stringify({ type: 'assistant', uuid: `${session}-a${at}`, ...row, message }));
    const said = { role: 'user', content: [result] };
    lines.push(JSON.stringify({ type: 'user', uuid: `${session}-u${at}`, ...row, message: said }));
  }
  return `${lines.join('\n')}\n`;
}
mkdirSync(join(folder, 'projects'));
for (let session = 0; session < 300; session += 1)
  writeFileSync(join(folder, 'projects', `${session}.jsonl`), transcript(session, 34));
/** Seconds of CPU of one process, told by itself. */
const cpuOf = (args) => {
  const tell =
    'process.on("exit",()=>{const u=process.cpuUsage();process.stderr.write(`CPU ${(u.user+u.system)/1e6}\\n`)})';
  const url = `data:text/javascript,${encodeURIComponent(tell)}`;
  const { stderr, status } = spawnSync(process.execPath, ['--import', url, ASSAY, ...args], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return Number(/^CPU (.*)$/m.exec(stderr)?.[1]);
};
const imported = cpuOf(['import', join(folder, 'projects'), '-o', join(folder, 'imported'), '-q']);
timed([SESSIONS, join(folder, 'sessions')], '');
const impact = (threads) => {
  const from = performance.now();
  const strict = join(folder, 'strict.json');
  writeFileSync(strict, JSON.stringify({ gate: 1, allow: ['read_*'] }));
  const env = { ...process.env, ASSAY_THREADS: String(threads) };
  const args = [ASSAY, 'impact', join(folder, 'sessions'), '--policy', strict, '-q'];
  spawnSync(process.execPath, args, { env });
  return (performance.now() - from) / 1e3;
};
const [ones, twos] = [[], []];
for (let round = 0; round < 3; round += 1) {
  ones.push(impact(1));
  twos.push(impact(2));
}

const targets = [
  atLeast(
    'gate-decisions',
    'records of a gate with 12 rules and 3 budgets, against a machine that counts, with answers of the same bytes',
    ratios('decisions', decisions),
    0.25,
    'of its rate',
  ),
  atMost(
    'gate-wrap',
    'a wrapped call over the bare function: two decisions, store in memory',
    median(wraps),
    0.3,
    'ms of CPU',
  ),
  atLeast(
    'gate-parallel',
    'calls on the file store, 50 at once against one by one',
    ratios('speedups', speedups),
    3,
    'times as many a second',
  ),
  atMost('gate-bytes', 'bytes of the ledger for an allowed call', bytes, 2_800, 'bytes'),
  atMost('gate-resume', 'opening a gate again after 100,000 calls', resume, 2, 's'),
  atMost(
    'gate-relay',
    'a call through the relay of MCP, 20 at once, its own process',
    relayed,
    2,
    'ms of CPU',
  ),
  atMost(
    'gate-models',
    'a completion through the door to models, 20 at once: over a server that only passes it on',
    completed,
    2,
    'ms of CPU',
  ),
  atMost(
    'gate-hook',
    'a hook of a coding agent, whole process, against the start of bare Node',
    ratios('hooks', hooks),
    1.3,
    'times',
  ),
  atMost(
    'gate-import',
    'import of 300 sessions with 10,200 calls, with ledgers and a starter policy',
    imported,
    5,
    's of CPU',
  ),
  atMost(
    'gate-impact',
    'impact of a stricter policy over 10,000 calls in 100 sessions, one thread',
    median(ones),
    10,
    's',
  ),
  atLeast(
    'gate-impact-threads',
    'the same with two threads, against one',
    median(ones) / median(twos),
    1.7,
    'times as fast',
  ),
];
const report = { bench: 'gate', node: process.version, machine: machine(), targets };
console.log(process.argv.includes('--json') ? JSON.stringify(report) : JSON.stringify(report, null, 2));
