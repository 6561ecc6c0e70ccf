/**
 * One durable step, ours against LangGraph's on its SqliteSaver: an answer of 468 bytes comes in, a state of
 * bounded size goes on, and both are on disk before the next step (write-ahead log, synchronous=FULL; the
 * rival's is read back here, that of our store in its own tests).
 *
 * LangGraph: a graph of one node that takes the answer and gives the next state, `durability: 'sync'`, called
 * once for each slice and going round for its steps, which costs it least; it keeps states, not answers.
 * Ours: one `advance` and one append to the SQLite store, which keeps answer, decision and their hashes;
 * beside it the same by `drive`, a run for each slice. Slices take turns in one process, in an order that
 * changes, each after a collection; the target is the median of the rounds' own ratios.
 *
 *   node bench/rivals/run.mjs [--rounds N] [--steps N]     installs first
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import Database from 'better-sqlite3';
import { advance, openRequests, openRun, orThrow } from '../../packages/kernel/dist/index.js';
import { drive, nativeSha256 } from '../../packages/host/dist/index.js';
import { findDriver, sqliteStore } from '../../packages/store-sqlite/dist/index.js';
import { atLeast, machine, median, option, rounded } from '../lib/targets.mjs';

const ANSWER_BYTES = 468;
const WINDOW = 8;
const WARM_ROUNDS = 2;
const rounds = option('--rounds', 15);
const slice = option('--steps', 300);
const folder = mkdtempSync(join(tmpdir(), 'assay-rivals-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const driver = orThrow(await findDriver());

const contenders = { rival: langgraph(), ours: await advancing(), driven: driving() };
const nanoseconds = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
for (let round = -WARM_ROUNDS; round < rounds; round += 1) {
  // Backwards in every second round: each side follows each other one as often, and so meets what that one
  // left in the caches.
  const names = round % 2 === 0 ? Object.keys(contenders) : Object.keys(contenders).reverse();
  for (let turn = 0; turn < names.length; turn += 1) {
    const name = names[(turn + Math.floor((round + WARM_ROUNDS) / 2)) % names.length];
    // Nobody pays for what another one left behind.
    globalThis.gc?.();
    const start = process.hrtime.bigint();
    await contenders[name].slice();
    if (round >= 0) nanoseconds[name].push(Number(process.hrtime.bigint() - start));
  }
}
const steps = (rounds + WARM_ROUNDS) * slice;
for (const [name, { check }] of Object.entries(contenders)) await check(steps, name);
const figures = Object.fromEntries(
  Object.entries(contenders).map(([name, { bytes }]) => [name, figuresOf(name, bytes())]),
);

console.log(
  JSON.stringify({
    bench: 'sqlite-saver',
    installed: true,
    node: process.version,
    machine: machine(),
    versions: versions(),
    mode: { journal_mode: 'wal', synchronous: 'FULL' },
    rounds,
    steps_a_round: slice,
    answer_bytes: ANSWER_BYTES,
    ...figures,
    targets: [
      atLeast(
        'sqlite-saver',
        'a durable step (`advance` and an append to SQLite) against one of LangGraph on SqliteSaver at FULL',
        ratioOf('ours'),
        4,
        'times its rate',
      ),
      atLeast('sqlite-saver-driven', 'the same by `drive`', ratioOf('driven'), 4, 'times its rate'),
    ],
  }),
);

/** The n-th answer, as text: what a model would send. */
function answer(n) {
  const frame = JSON.stringify({ n, words: '' }).length;
  return JSON.stringify({
    n,
    words: 'an answer of the length that models give '.repeat(12).slice(0, ANSWER_BYTES - frame),
  });
}

/** The bounded state of both: how many, their sum, and the last few. */
function next(state, { n }) {
  return { count: state.count + 1, sum: state.sum + n, last: [...state.last, n].slice(-WINDOW) };
}

function langgraph() {
  const path = join(folder, 'rival.db');
  const db = new Database(path);
  const saver = new SqliteSaver(db);
  saver.setup();
  db.pragma('synchronous = FULL');
  const mode = [db.pragma('journal_mode', { simple: true }), db.pragma('synchronous', { simple: true })];
  if (String(mode) !== 'wal,2') throw new Error(`the rival's database is in mode ${mode}`);
  const State = Annotation.Root({ count: Annotation(), sum: Annotation(), last: Annotation() });
  const graph = new StateGraph(State)
    .addNode('step', (state) => next(state, JSON.parse(answer(state.count))))
    .addEdge(START, 'step')
    .addConditionalEdges('step', ({ count }) => (count % slice === 0 ? END : 'step'))
    .compile({ checkpointer: saver });
  const config = { configurable: { thread_id: 'bench' }, recursionLimit: slice + 5, durability: 'sync' };
  let state = { count: 0, sum: 0, last: [] };
  return {
    slice: async () => {
      state = await graph.invoke(state, config);
    },
    check: async (count) => {
      const { values } = await graph.getState(config);
      if (values.count !== count) throw new Error(`the rival is at ${values.count}, not at ${count}`);
    },
    bytes: () => {
      db.pragma('wal_checkpoint(TRUNCATE)');
      const { size } = statSync(path);
      db.close();
      return size;
    },
  };
}

/** The machine that does as much: asks for a number, and tells of it. */
function machineTo(end) {
  const ask = { kind: 'number', body: null, accepts: ['synthetic'], attempts: 0 };
  const ok = (right) => ({ _tag: 'Right', right });
  return {
    name: 'summing',
    version: 1,
    open: () => ok({ state: { count: 0, sum: 0, last: [] }, decision: { events: [], asks: [ask] } }),
    parse: (value) => ok(value),
    decide: (state, { input }) =>
      ok({
        events: [{ n: orThrow(input).n }],
        ...(state.count + 1 === end ? { outcome: { status: 'success', reasons: [] } } : { asks: [ask] }),
      }),
    evolve: next,
    encode: (state) => state,
    decode: (json) => ok(json),
  };
}

function genesisOf(run_id) {
  return { run_id, ts_base: 't', policy: {}, input: {} };
}

async function advancing() {
  const path = join(folder, 'ours', 'runs.db');
  const store = sqliteStore(path, driver);
  const opened = orThrow(openRun(machineTo(Infinity), genesisOf('bench'), { sha256: nativeSha256 }));
  let run = opened.run;
  let head = orThrow(await store.append('bench', null, opened.records));
  let lines = opened.records.length;
  expectFull(path);
  return {
    slice: async () => {
      for (let step = 0; step < slice; step += 1) {
        const [request] = openRequests(run);
        const value = JSON.parse(answer(run.state.count));
        const advanced = orThrow(
          advance(run, {
            request_id: request.id,
            source: 'synthetic',
            proposer: 'bench',
            confidence: null,
            value,
            failure: null,
            at_us: null,
            spent: {},
            cites: [],
            provenance: {},
          }),
        );
        head = orThrow(await store.append('bench', head, advanced.records));
        lines += advanced.records.length;
        run = advanced.run;
      }
    },
    check: async (count) => {
      const stored = orThrow(await store.head('bench'));
      if (run.state.count !== count || stored.count !== lines || stored.hash !== run.hash)
        throw new Error(`ours is at ${run.state.count}, ${stored.count} records stored of ${lines}`);
      await store.close();
    },
    bytes: () => statSync(path).size,
  };
}

function driving() {
  const path = join(folder, 'driven', 'runs.db');
  const store = sqliteStore(path, driver);
  let runs = 0;
  return {
    slice: async () => {
      runs += 1;
      let n = 0;
      const port = {
        source: 'synthetic',
        proposer: 'bench',
        perform: async () => ({ value: JSON.parse(answer(n++)), spent: {} }),
      };
      const driven = orThrow(
        await drive(machineTo(slice), genesisOf(`bench-${runs}`), {
          store,
          ports: () => port,
          steps: slice + 1,
        }),
      );
      if (driven.end !== 'success') throw new Error(driven.end);
    },
    check: async (count) => {
      if (runs * slice !== count) throw new Error(`driven ${runs * slice} steps, not ${count}`);
      await store.close();
    },
    bytes: () => statSync(path).size,
  };
}

/**
 * Throws where what the store wrote is not in the write-ahead log's mode; its own test reads synchronous
 * back.
 */
function expectFull(path) {
  const db = driver.open(path);
  const [row] = db.rows('PRAGMA journal_mode');
  db.close();
  if (row?.journal_mode !== 'wal') throw new Error(`the store's database is in mode ${row?.journal_mode}`);
}

function figuresOf(name, size) {
  const taken = nanoseconds[name];
  return {
    steps_per_second: Math.round((slice * 1e9) / median(taken)),
    best_per_second: Math.round((slice * 1e9) / Math.min(...taken)),
    ratio_to_rival: rounded(ratioOf(name)),
    bytes_a_step: Math.round(size / steps),
  };
}

function ratioOf(name) {
  return median(nanoseconds[name].map((value, round) => nanoseconds.rival[round] / value));
}

function versions() {
  const require = createRequire(import.meta.url);
  const { dependencies } = require('./package.json');
  const sqlite = new Database(':memory:').prepare('SELECT sqlite_version() AS version').get().version;
  return {
    ...dependencies,
    'better-sqlite3 (its SQLite)': sqlite,
    'ours (driver, its SQLite)': `${driver.name} ${driver.version}`,
  };
}
