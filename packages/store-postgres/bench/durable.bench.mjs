/**
 * Durable steps in PostgreSQL: a proposal of 468 bytes comes in, `advance` derives what follows, and both
 * records are stored in one transaction, against bare inserts of the same two rows, encoded before, through
 * the same driver: a prepared statement, one transaction each, waiting for the log, no head compared. Beside
 * it the append alone, of records that were derived before, with and without notifications. In turn, fifty
 * groups each, on tables of the same form; prints one JSON document with medians (aim: at least 0.8 of the
 * bare rate).
 *
 *   npm run build && ASSAY_TEST_POSTGRES=postgres://USER@HOST/DATABASE node
 *   packages/store-postgres/bench/durable.bench.mjs [rounds] [groups]
 */
import { Client, Pool } from 'pg';
import { orThrow } from '../../kernel/dist/index.js';
import { openUrl } from '../dist/index.js';
import {
  A_STEP,
  linesOf,
  OPENING,
  PROPOSAL_BYTES,
  recordsOf,
  Stepping,
  WARM_STEPS,
} from '../../../bench/lib/steps.mjs';
import { atLeast, machine } from '../../../bench/lib/targets.mjs';

const targetsOf = (step, append) => [
  atLeast(
    'durable-postgres',
    'a durable step (`advance` and an append to PostgreSQL) against a bare insert of the same two rows',
    step,
    0.8,
    'of its rate',
  ),
  atLeast('durable-postgres-append', 'the append alone', append, 0.8, 'of its rate'),
];
const server =
  process.env.ASSAY_TEST_POSTGRES ||
  (process.env.CI === 'true' ? 'postgres://postgres@127.0.0.1:5432/test' : null);
if (server === null) {
  console.log(
    JSON.stringify({
      bench: 'durable-postgres',
      not_run: 'set ASSAY_TEST_POSTGRES=postgres://USER@HOST:PORT/DATABASE',
      node: process.version,
      machine: machine(),
      targets: targetsOf(null, null),
    }),
  );
  process.exit(0);
}
const rounds = Number(process.argv[2] ?? 15);
const groups = Number(process.argv[3] ?? 150);
const WARM_ROUNDS = Math.ceil(WARM_STEPS / groups);
const TURN = 50;

const schema = `assay_bench_${process.pid}`;
const url = new URL(server);
url.searchParams.set('schema', schema);

const admin = new Client({ connectionString: server });
await admin.connect();
await admin.query(
  `CREATE SCHEMA "${schema}"; CREATE SCHEMA "${schema}_bare"; CREATE TABLE ` +
    `"${schema}_bare".records (run text COLLATE "C" NOT NULL, seq bigint NOT NULL, text text ` +
    'NOT NULL, PRIMARY KEY (run, seq))',
);
const store = orThrow(openUrl(url.href));
const quiet = orThrow(openUrl(url.href, { notify: false }));
const pool = new Pool({ connectionString: server, max: 4 });

/** Contenders: each gives a function that stores the next ten groups of a run. */
const CONTENDERS = {
  bare,
  step: stepping,
  append: (runId) => appending(store, runId),
  append_without_notify: (runId) => appending(quiet, runId),
};

async function stepping(runId) {
  const run = new Stepping(runId, groups);
  await run.begin(store);
  return async () => {
    for (let group = 0; group < TURN; group += 1) await run.step(store);
  };
}

async function appending(into, runId) {
  const records = recordsOf(runId, groups);
  let head = orThrow(await into.append(runId, null, records.slice(0, OPENING)));
  return async () => {
    for (let group = 0; group < TURN; group += 1)
      head = orThrow(await into.append(runId, head, records.slice(head.count, head.count + A_STEP)));
  };
}

async function bare(runId) {
  const lines = linesOf(recordsOf(runId, groups));
  const text = `INSERT INTO "${schema}_bare".records (run, seq, text) VALUES ($1, $2, $3), ($1, $4, $5)`;
  let at = OPENING;
  return async () => {
    for (let group = 0; group < TURN; group += 1, at += A_STEP)
      await pool.query({ name: 'bare', text, values: [runId, at, lines[at], at + 1, lines[at + 1]] });
  };
}

const names = Object.keys(CONTENDERS);
const spent = Object.fromEntries(names.map((name) => [name, []]));
for (let round = -WARM_ROUNDS; round < rounds; round += 1) {
  const turns = {};
  for (const name of names)
    turns[name] = await CONTENDERS[name](`${name.replaceAll('_', '-')}-${round + WARM_ROUNDS}`);
  const total = Object.fromEntries(names.map((name) => [name, 0]));
  for (let turn = 0; turn < groups / TURN; turn += 1) {
    for (let index = 0; index < names.length; index += 1) {
      const name = names[(index + turn) % names.length];
      const start = process.hrtime.bigint();
      await turns[name]();
      total[name] += Number(process.hrtime.bigint() - start) / 1e3 / groups;
    }
  }
  if (round >= 0) for (const name of names) spent[name].push(total[name]);
}

const {
  rows: [settings],
} = await admin.query(
  `SELECT current_setting('server_version') AS version, ` +
    `current_setting('synchronous_commit') AS synchronous_commit, current_setting('fsync') ` +
    'AS fsync',
);
await store.close();
await quiet.close();
await pool.end();
await admin.query(`DROP SCHEMA "${schema}" CASCADE; DROP SCHEMA "${schema}_bare" CASCADE`);
await admin.end();

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const ratioOf = (name) => median(spent[name].map((us, round) => spent.bare[round] / us));
const result = Object.fromEntries(
  Object.entries(spent).map(([name, values]) => [
    name,
    {
      us_per_group: Number(median(values).toFixed(0)),
      best_us: Number(Math.min(...values).toFixed(0)),
      groups_per_second: Math.round(1e6 / median(values)),
      // Ratios of the same round: what slows one slows the other.
      rate_against_bare: Number(ratioOf(name).toFixed(3)),
    },
  ]),
);
console.log(
  JSON.stringify(
    {
      bench: 'durable-postgres',
      node: process.version,
      machine: machine(),
      driver: 'pg',
      postgres: settings,
      rounds,
      groups,
      proposal_bytes: PROPOSAL_BYTES,
      ...result,
      targets: targetsOf(ratioOf('step'), ratioOf('append')),
    },
    null,
    2,
  ),
);
