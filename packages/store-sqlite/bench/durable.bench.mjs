/**
 * Durable steps in SQLite: a proposal of 468 bytes comes in, `advance` derives what follows, and both records
 * are stored in one transaction, against bare inserts of the same two rows, encoded before, in the same mode
 * (target: at least 0.8 of their rate). Beside it the append alone, of records that were derived before. Then
 * the two forms in which a record could be stored, written and read back: its canonical text, or payload and
 * record hash with the line built again.
 *
 * All are timed in turn within each round, in an order that changes; ratios are medians of the rounds' own
 * ratios. Every database is in one folder, so all meet the same disk. Prints one JSON document.
 *
 *   npm run build && node packages/store-sqlite/bench/durable.bench.mjs [rounds] [groups] [libsql]
 */
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalize, decodeUtf8, encodeLine, orThrow } from '../../kernel/dist/index.js';
import { findDriver, sqliteStore } from '../dist/index.js';
import { libsqlDriver } from '../dist/driver.js';
import {
  A_STEP,
  linesOf,
  OPENING,
  PROPOSAL_BYTES,
  recordsOf,
  Stepping,
  WARM_STEPS,
} from '../../../bench/lib/steps.mjs';
import { atLeast, machine, rounded } from '../../../bench/lib/targets.mjs';

const rounds = Number(process.argv[2] ?? 31);
const groups = Number(process.argv[3] ?? 40);
const driver = process.argv[4] === 'libsql' ? await libsqlDriver() : orThrow(await findDriver());
const WARM_ROUNDS = Math.ceil(WARM_STEPS / groups);
const RUN = 'bench';
const sha256 = (bytes) => hash('sha256', bytes, 'hex');

const total = (rounds + WARM_ROUNDS) * groups;
const records = recordsOf(RUN, total);
const lines = linesOf(records);
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const TEXT =
  'CREATE TABLE records (run INTEGER NOT NULL, seq INTEGER NOT NULL, line TEXT NOT NULL, ' +
  'PRIMARY KEY (run, seq)) STRICT';
const CLUSTERED = `${TEXT}, WITHOUT ROWID`;
const PARTS =
  'CREATE TABLE records (run INTEGER NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, ' +
  'payload TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (run, seq)) STRICT, WITHOUT ROWID';
const insertText = (db, at) => db.rows('INSERT INTO records VALUES (?, ?, ?)', 1, at, lines[at]);

const writers = {
  bare: bare('bare', TEXT, insertText),
  append: await appending(),
  step: await stepping(),
  text: bare('text', TEXT, (db, at) =>
    db.rows('INSERT INTO records VALUES (?, ?, ?)', 1, at, encodeLine(records[at])),
  ),
  text_without_row_ids: bare('clustered', CLUSTERED, insertText),
  parts: bare('parts', PARTS, (db, at) => {
    const { kind, payload, record_hash: digest } = records[at];
    db.rows(
      'INSERT INTO records VALUES (?, ?, ?, ?, ?)',
      1,
      at,
      kind,
      orThrow(decodeUtf8(orThrow(canonicalize(payload)))),
      digest,
    );
  }),
};

const spent = await timed(writers, rounds, async ({ append }, round) => {
  for (let group = round * groups; group < (round + 1) * groups; group += 1)
    await append(OPENING + group * A_STEP);
});
const reading = await timed({ text: { read: readText }, parts: { read: readParts } }, 15, ({ read }) =>
  read(),
);
const writing = figures(spent, 'bare', groups);
const targets = [
  atLeast(
    'durable-sqlite',
    'a durable step (`advance` and an append to SQLite) against bare inserts of the same two rows',
    ratioOf(spent, 'bare', 'step'),
    0.8,
    'of their rate',
  ),
  atLeast(
    'durable-sqlite-append',
    'the append alone',
    ratioOf(spent, 'bare', 'append'),
    0.8,
    'of their rate',
  ),
];
console.log(
  JSON.stringify(
    {
      bench: 'durable-sqlite',
      node: process.version,
      driver: driver.name,
      sqlite: driver.version,
      machine: machine(),
      synchronous: 'FULL',
      rounds,
      groups_a_round: groups,
      proposal_bytes: PROPOSAL_BYTES,
      bytes_a_record: mean(lines.map((line) => line.length)),
      writing,
      reading: figures(reading, 'text', records.length),
      bytes_a_stored_record: Object.fromEntries(
        ['text', 'text_without_row_ids', 'parts'].map((name) => [
          name,
          Math.round(writers[name].size() / records.length),
        ]),
      ),
      targets,
    },
    null,
    2,
  ),
);
for (const { close } of Object.values(writers)) await close();

function bare(name, table, insert) {
  const path = join(folder, `${name}.db`);
  const db = driver.open(path);
  db.rows('PRAGMA journal_mode = WAL');
  db.exec('PRAGMA synchronous = FULL');
  db.exec(table);
  for (let at = 0; at < OPENING; at += 1) insert(db, at);
  return {
    db,
    append(at) {
      db.exec('BEGIN IMMEDIATE');
      insert(db, at);
      insert(db, at + 1);
      db.exec('COMMIT');
    },
    size: () => {
      db.rows('PRAGMA wal_checkpoint(TRUNCATE)');
      return statSync(path).size;
    },
    close: () => db.close(),
  };
}

async function appending() {
  const opened = sqliteStore(join(folder, 'append.db'), driver);
  let head = orThrow(await opened.append(RUN, null, records.slice(0, OPENING)));
  return {
    async append(at) {
      head = orThrow(await opened.append(RUN, head, records.slice(at, at + A_STEP)));
    },
    close: () => opened.close(),
  };
}

async function stepping() {
  const opened = sqliteStore(join(folder, 'step.db'), driver);
  const run = new Stepping(RUN, total);
  await run.begin(opened);
  return { append: () => run.step(opened), close: () => opened.close() };
}

function readText() {
  let bytes = 0;
  for (const { line } of pages(writers.text.db, 'CAST(line AS BLOB) AS line')) bytes += line.byteLength;
  return bytes;
}

function readParts() {
  let bytes = 0;
  let parent = 'null';
  for (const { seq, kind, payload, hash: digest } of pages(writers.parts.db, 'kind, payload, hash')) {
    const line =
      `{"kind":${JSON.stringify(kind)},"parent":${parent},"payload":${payload},` +
      `"payload_hash":"${sha256(payload)}","record_hash":"${digest}","ts":"t0#${String(seq).padStart(12, '0')}","v":1}`;
    bytes += Buffer.from(line).length;
    parent = `"${digest}"`;
  }
  return bytes;
}

function* pages(db, columns) {
  for (let from = 0; ; from += 256) {
    const rows = db.rows(
      `SELECT seq, ${columns} FROM records WHERE run = 1 AND seq BETWEEN ? AND ? ORDER BY seq`,
      from,
      from + 255,
    );
    yield* rows;
    if (rows.length < 256) return;
  }
}

async function timed(contenders, counted, work) {
  const names = Object.keys(contenders);
  const nanoseconds = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < counted + WARM_ROUNDS; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round) % names.length];
      const start = process.hrtime.bigint();
      await work(contenders[name], round);
      if (round >= WARM_ROUNDS) nanoseconds[name].push(Number(process.hrtime.bigint() - start));
    }
  }
  return nanoseconds;
}

function figures(nanoseconds, floor, count) {
  return Object.fromEntries(
    Object.entries(nanoseconds).map(([name, values]) => [
      name,
      {
        per_second: Math.round((count * 1e9) / median(values)),
        best_per_second: Math.round((count * 1e9) / Math.min(...values)),
        [`ratio_to_${floor}`]: rounded(ratioOf(nanoseconds, floor, name), 3),
      },
    ]),
  );
}

function ratioOf(nanoseconds, floor, name) {
  return median(nanoseconds[name].map((value, round) => nanoseconds[floor][round] / value));
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function mean(values) {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}
