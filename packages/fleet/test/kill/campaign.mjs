/** The campaign: runs are driven by four processes while what can go wrong does, and then each run is judged. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { drive, loadRun, memoryStore } from '@assay/host';
import { orThrow } from '@assay/kernel';
import { openUrl } from '@assay/store-postgres';
import { memoryEngine, openFleet } from '../../dist/index.js';
import { listRuns, makePorts } from './runs.mjs';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));
const WORKERS = 4;
const CONCURRENCY = 8;
const LEASE_MS = 3_000;
/** Where nothing is done to a worker, not even a busy machine may cost it its lease. */
const QUIET_LEASE_MS = 30_000;
const TOOL_MS = 10;
/** When those that wait for a clock may go on. */
const CLOCK_MS = 5_000;
/** The share of all runs that is there beyond the next fault. */
const PLAN_AHEAD = 0.15;
/** So long after a fault ended a call that was under way may still be given up for it. */
const AFTER_MS = 2_000;

/**
 * Drives `runs` runs with an engine (`dbos`, `bullmq`), and gives what happened. `faults` false: without faults.
 * `problems`: what does not hold. `unexplained`: calls given up by a worker that no fault touched.
 */
export async function campaign({ kind, runs: count, faults, servers, endMs = 600_000 }) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fleet-kill-'));
  mkdirSync(join(folder, 'effects'));
  const stamp = Date.now().toString(36);
  const schema = `kill_${stamp}`;
  const storeUrl = `${servers.postgres.url}?schema=${schema}`;
  const store = orThrow(openUrl(storeUrl));
  const fleet = orThrow(await openFleet({ store, engine: memoryEngine() }));
  const runs = listRuns(count, stamp);
  const startedAt = Date.now();
  const clockUntil = (startedAt + CLOCK_MS) * 1_000;
  const leaseMs = faults ? LEASE_MS : QUIET_LEASE_MS;
  const crew = new Crew({ folder, storeUrl, schema, servers, clockUntil, leaseMs });
  let submitted = 0;
  // In parts, so that no campaign is over before all that can go wrong has.
  const submit = async (share) => {
    const part = runs.slice(submitted, Math.ceil(share * count));
    submitted += part.length;
    for (const machine of new Set(part.map((run) => run.machine)))
      orThrow(
        await fleet.submit(
          machine,
          part.filter((run) => run.machine === machine).map(({ genesis }) => genesis),
        ),
      );
  };
  const driver = new Faults(crew, { store, schema, servers, submit });
  try {
    await submit(faults ? PLAN_AHEAD : 1);
    crew.engine = kind;
    await crew.fill();
    const totals = await until(fleet, count, {
      endMs,
      step: async (closed) => {
        if (!faults) return;
        const up = await fleet.workers();
        await driver.step(closed / count, up._tag === 'Left' ? [] : up.right.map(({ pid }) => pid));
      },
    });
    await driver.settle();
    await crew.end('SIGTERM');
    const seconds = (Date.now() - startedAt) / 1_000;
    return {
      kind,
      runs: count,
      seconds,
      totals,
      ...driver.counts,
      ...(await judge({ runs, store, folder, crew })),
    };
  } finally {
    await crew.end('SIGKILL');
    await store.ask(
      `SET client_min_messages = warning; ${[schema, `${schema}_fleet`, `${schema}_dbos`]
        .map((each) => `DROP SCHEMA IF EXISTS "${each}" CASCADE`)
        .join('; ')}`,
    );
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Answers whoever waits for a person, until all runs are closed. */
async function until(fleet, count, { endMs, step }) {
  const answered = new Set();
  const end = Date.now() + endMs;
  for (;;) {
    const page = await fleet.runs({ state: 'waiting', limit: 1_000 });
    // The server is being restarted.
    if (page._tag === 'Right') {
      const { runs, totals } = page.right;
      for (const { run_id, waiting } of runs)
        for (const { request, kind, until: time } of waiting)
          if (kind === 'ballot' && time === null && !answered.has(run_id)) {
            const given = await fleet.answer(run_id, request, { value: { option: 'soup' }, by: 'a person' });
            if (given._tag === 'Right') answered.add(run_id);
          }
      if (totals.closed + totals.failed === count || Date.now() > end) return totals;
      await step(totals.closed);
    }
    await sleep(50);
  }
}

/** The worker processes: four, of one engine. `faults`: what was done to which, from when until when. */
class Crew {
  constructor(given) {
    this.given = given;
    this.engine = 'dbos';
    this.workers = new Map();
    this.faults = [];
    this.made = 0;
    this.isOver = false;
  }

  async fill() {
    while (this.workers.size < WORKERS) this.start();
  }

  start() {
    const { folder, storeUrl, schema, servers, clockUntil, leaseMs } = this.given;
    this.made += 1;
    const name = `w${this.made}`;
    const engineUrl = this.engine === 'dbos' ? storeUrl : servers.redis.url;
    const own = { storeUrl, kind: this.engine, engineUrl, schema, folder, name, clockUntil };
    const given = { ...own, concurrency: CONCURRENCY, leaseMs, toolMs: TOOL_MS };
    const child = spawn(process.execPath, ['--no-warnings', WORKER, JSON.stringify(given)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.workers.set(name, child);
    child.once('exit', () => {
      this.workers.delete(name);
      if (!this.isOver && !this.isChanging) this.start();
    });
  }

  /** Does a fault to one of them. */
  hit(signal) {
    const all = [...this.workers];
    const [name, child] = all[Math.floor(Math.random() * all.length)];
    const fault = { worker: name, from: Date.now(), to: Date.now() };
    this.faults.push(fault);
    child.kill(signal);
    return { child, fault };
  }

  async change(engine) {
    this.isChanging = true;
    const fault = { worker: null, from: Date.now(), to: 0 };
    this.faults.push(fault);
    for (const child of this.workers.values()) child.kill('SIGTERM');
    while (this.workers.size > 0) await sleep(20);
    fault.to = Date.now();
    this.engine = engine;
    this.isChanging = false;
    await this.fill();
  }

  async end(signal) {
    this.isOver = true;
    for (const child of this.workers.values()) {
      child.kill('SIGCONT');
      child.kill(signal);
    }
    while (this.workers.size > 0) await sleep(20);
  }
}

/** What goes wrong: a kill each second, and at shares of the campaign the rest. */
class Faults {
  constructor(crew, place) {
    this.crew = crew;
    this.place = place;
    this.counts = { kills: 0, pauses: 0, restarts: 0, wipes: 0, changes: 0 };
    this.killedAt = Date.now();
    this.pending = [];
    const other = () => (crew.engine === 'dbos' ? 'bullmq' : 'dbos');
    this.plan = [
      [0.05, () => this.pause()],
      [0.2, () => this.restart()],
      [0.35, () => this.wipe()],
      [0.5, () => this.change(other())],
      [0.6, () => this.pause()],
      [0.75, () => this.change(other())],
    ];
  }

  /** `up`: processes that take runs. Where fewer than three of four do, they are left to come up. */
  async step(share, up) {
    const isUp = [...this.crew.workers.values()].filter(({ pid }) => up.includes(pid)).length >= WORKERS - 1;
    if (!isUp) return;
    if (this.plan.length > 0 && share >= this.plan[0][0]) {
      await this.plan.shift()[1]();
      await this.place.submit(this.plan.length === 0 ? 1 : this.plan[0][0] + PLAN_AHEAD);
    }
    if (Date.now() - this.killedAt < 1_000) return;
    this.killedAt = Date.now();
    this.counts.kills += 1;
    this.crew.hit('SIGKILL');
  }

  /** Stopped for three leases, while the others go on. */
  pause() {
    this.counts.pauses += 1;
    const { child, fault } = this.crew.hit('SIGSTOP');
    const over = async () => {
      await sleep(3 * LEASE_MS);
      child?.kill('SIGCONT');
      fault.to = Date.now();
    };
    fault.to = Infinity;
    this.pending.push(over());
  }

  async restart() {
    this.counts.restarts += 1;
    const fault = { worker: null, from: Date.now(), to: Infinity };
    this.crew.faults.push(fault);
    await this.place.servers.postgres.restart(1_000);
    fault.to = Date.now() + LEASE_MS;
  }

  async wipe() {
    this.counts.wipes += 1;
    const { store, schema, servers } = this.place;
    if (this.crew.engine === 'dbos')
      await store.ask(`SET client_min_messages = warning; DROP SCHEMA "${schema}_dbos" CASCADE`);
    else {
      const redis = new Redis(servers.redis.url);
      await redis.flushall();
      redis.disconnect();
    }
  }

  async change(engine) {
    this.counts.changes += 1;
    await this.crew.change(engine);
  }

  async settle() {
    await Promise.all(this.pending);
  }
}

/** What the runs came to, against what they must. */
async function judge({ runs, store, folder, crew }) {
  const problems = [];
  const wrong = (what) => void (problems.length < 20 && problems.push(what));
  const [expected, runOf] = [new Set(), new Map()];
  let same = 0;
  for (const { machine, genesis } of runs) {
    const { run_id } = genesis;
    const loaded = await loadRun(machine, run_id, store);
    if (loaded._tag === 'Left') {
      wrong(`${run_id}: not derived again: ${JSON.stringify(loaded.left)}`);
      continue;
    }
    if (loaded.right.run.outcome === null || loaded.right.due.length > 0) wrong(`${run_id}: not closed`);
    const { bytes, keys } = await undisturbed(machine, genesis);
    for (const key of keys) {
      expected.add(key);
      runOf.set(key.split('/')[0], run_id);
    }
    if (run_id.startsWith('h')) continue;
    if (bytes.equals(await readBytes(store, run_id))) same += 1;
    else wrong(`${run_id}: other bytes than undisturbed`);
  }
  const calls = readCalls(folder, runOf);
  const byKey = new Map();
  for (const { key } of calls.begun) byKey.set(key, (byKey.get(key) ?? 0) + 1);
  for (const key of expected) if (!byKey.has(key)) wrong(`${key}: never called`);
  for (const key of byKey.keys()) if (!expected.has(key)) wrong(`${key}: not asked for`);
  // A file for each key that was applied: a second time is none.
  for (const key of byKey.keys()) if (!calls.applied.has(key)) wrong(`${key}: never applied`);
  const cut = calls.begun.filter(({ isRecorded }) => !isRecorded);
  // A busy machine too may cost a worker its lease.
  const unexplained = cut.filter((call) => !crew.faults.some((fault) => explains(fault, call))).length;
  const repeats = calls.begun.length - byKey.size;
  // Of one that was cut off, the answer may have been recorded all the same.
  if (repeats > cut.length) wrong(`${repeats} repeats, and ${cut.length} calls were cut off`);
  for (const fault of calls.faults) wrong(`a run failed: ${fault}`);
  const most = Math.max(...byKey.values());
  return {
    same: `${same} of ${runs.filter(({ genesis }) => !genesis.run_id.startsWith('h')).length}`,
    ...{
      keys: byKey.size,
      calls: calls.begun.length,
      repeats,
      cut: cut.length,
      unexplained,
      most,
      applied: calls.applied.size,
    },
    problems,
  };
}

/** A fault of the worker, or of all, from before the call was given up. */
function explains({ worker, from, to }, call) {
  return (
    (worker === null || worker === call.worker) && from <= call.until + AFTER_MS && to + AFTER_MS >= call.at
  );
}

/**
 * The calls of all workers, in order of their files. `isRecorded`: an append of the run followed in the same process;
 * `until`: when the call ended. `runOf`: run ids by the hash that begins the keys of the run.
 */
function readCalls(folder, runOf) {
  const applied = new Set(readdirSync(join(folder, 'effects')).map((name) => name.replaceAll('_', '/')));
  const [begun, faults] = [[], []];
  for (const file of readdirSync(folder).filter((name) => name.startsWith('calls-'))) {
    const worker = file.slice('calls-'.length);
    const open = new Map();
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const [what, time, ...rest] = line.split(' ');
      const [text, at] = [rest.join(' '), Number(time)];
      if (what === 'begin') {
        const call = { key: text, worker, at, until: Infinity, isRecorded: false };
        begun.push(call);
        open.set(text, call);
      } else if (what === 'end' && open.has(text)) open.get(text).until = at;
      else if (what === 'record') {
        // One call of a run is under way at a time.
        for (const [key, call] of open)
          if (call.until !== Infinity && runOf.get(key.split('/')[0]) === text) {
            call.isRecorded = true;
            open.delete(key);
          }
      } else if (what === 'fault') faults.push(text);
    }
  }
  return { begun, applied, faults };
}

/** The ledger, and the keys of the calls, of a drive to which nothing happens. */
async function undisturbed(machine, genesis) {
  const [store, keys] = [memoryStore(), []];
  const call = async (key, answer) => {
    keys.push(key);
    return answer();
  };
  const inbox = { source: 'human', proposer: 'inbox', perform: async () => ({ value: { option: 'soup' } }) };
  const clock = { now: () => 1, until: 0 };
  orThrow(await drive(machine, genesis, { store, ports: makePorts(genesis.run_id, { call, clock, inbox }) }));
  return { bytes: await readBytes(store, genesis.run_id), keys };
}

async function readBytes(store, runId) {
  const lines = [];
  for await (const line of store.read(runId)) lines.push(line);
  return Buffer.concat(lines);
}
