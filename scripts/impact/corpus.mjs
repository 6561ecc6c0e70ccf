/**
 * A corpus of recorded runs, and the impact of changes on it held against each run made anew by a slow driver
 * of its own.
 *
 *   npm run build && node scripts/impact/corpus.mjs [runs] [--keep FOLDER]
 *
 * Each run is a golden one under another name, with one number of its policy moved and some answers left out,
 * so that many stay open. Classes are compared for six changes, each of the runs that have the setting; the
 * first difference is printed, exit 1.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeLine, hashCanonical, isObject, orThrow } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { controller } from '@assay/controller';
import { memory } from '@assay/controller/memory';
import { tally } from '@assay/testing';
import { impact, NO_CHANGE, redecider } from '@assay/verifier/impact';
import { classAnew, madeAnew, recordsIn, sha256 } from './anew.mjs';

const GOLDEN = fileURLToPath(new URL('../../golden-fixtures', import.meta.url));
/** They take seconds, or a tenth of one, to decide: a corpus of them would measure nothing else. */
const SLOW = ['intent-limit-bytes', 'intent-large', 'tally-growing'];
const MACHINES = [intent, controller, memory, tally];
const CHANGES = [
  ['weights.order', 60_000],
  ['min_score', 900_000],
  ['quorum', 1],
  ['voters', 2],
  ['ggs.theta', 990_000],
  ['limits.steps', 1],
];

/** Runs of the corpus, one after the other: name and records. `named`: whose goldens are taken. */
export function* corpusOf(count, named = /^(?:intent|controller|tally)-/) {
  const goldens = readdirSync(GOLDEN)
    .filter((name) => named.test(name) && !SLOW.includes(name))
    .filter((name) => existsSync(join(GOLDEN, name, 'ledger.jsonl')))
    .map((name) => ({ name, records: recordsIn(readFileSync(join(GOLDEN, name, 'ledger.jsonl'), 'utf8')) }))
    .filter(({ records }) => records[0].payload.base === null);
  for (let index = 0; index < count; index += 1) {
    const { name, records } = goldens[index % goldens.length];
    const run_id = `${name}-${index}`;
    yield { name: run_id, records: variedRun(records, run_id, index) };
  }
}

/** A whole number below a bound, of a seed: the corpus is the same every time. */
function drawn(seed, bound) {
  return Number.parseInt(orThrow(hashCanonical(seed, sha256)).slice(0, 8), 16) % bound;
}

function variedRun([genesis, ...rest], run_id, index) {
  const recorded = [{ ...genesis, payload: { ...genesis.payload, run_id } }, ...rest];
  const machine = machineOf(recorded);
  const { policy } = genesis.payload;
  const numbers = numbersIn(policy, []);
  const [path, value] = numbers[drawn([index, 'which'], numbers.length)];
  const moved = changed(policy, path, value + drawn([index, 'far'], 3) * Math.max(1, Math.floor(value / 4)));
  let at = 0;
  const isOut = () => {
    at += 1;
    return drawn([index, 'out', at], 12) === 0;
  };
  try {
    return madeAnew(machine, recorded, moved, isOut).records;
  } catch {
    // The machine does not take this policy.
    return madeAnew(machine, recorded, policy, isOut).records;
  }
}

function numbersIn(value, path) {
  if (typeof value === 'number') return [[path, value]];
  return isObject(value)
    ? Object.entries(value).flatMap(([key, inner]) => numbersIn(inner, [...path, key]))
    : [];
}

function changed(value, [key, ...rest], to) {
  return key === undefined ? to : { ...value, [key]: changed(value[key], rest, to) };
}

function machineOf(records) {
  return MACHINES.find(({ name }) => name === records[0].payload.machine.name);
}

function main(count, keep) {
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'assay-corpus-'));
  const machines = MACHINES.map((machine) => redecider(machine, { sha256 }));
  const counted = {};
  let differences = 0;
  let made = 0;
  for (const { name, records } of corpusOf(count)) {
    const bytes = Buffer.from(records.map((record) => `${encodeLine(record)}\n`).join(''));
    if (keep !== undefined) {
      const inner = join(folder, String(Math.floor(made / 1_000)));
      mkdirSync(inner, { recursive: true });
      writeFileSync(join(inner, `${name}.ledger.jsonl`), bytes);
    }
    made += 1;
    const machine = machineOf(records);
    const own = madeAnew(machine, records, records[0].payload.policy);
    for (const [path, value] of CHANGES) {
      const given = impact([bytes], {
        machines,
        change: { ...NO_CHANGE, overrides: [{ path: `policy.${path}`, value }] },
        sha256,
      });
      const got = given._tag === 'Right' ? given.right.class : given.left.code;
      if (got === 'unknown_setting') continue;
      const anew = classOf(machine, records, path, value, own);
      const key = `${machine.name} ${path}=${value} ${got}`;
      counted[key] = (counted[key] ?? 0) + 1;
      if (got === anew || (given._tag === 'Left' && anew === 'refused')) continue;
      differences += 1;
      console.log(`${name} under ${path}=${value}: impact says ${got}, made anew ${anew}`);
    }
    if (made % 1_000 === 0) console.error(`${made} runs`);
  }
  if (keep === undefined) rmSync(folder, { recursive: true });
  for (const [key, runs] of Object.entries(counted).sort())
    console.log(`${String(runs).padStart(7)}  ${key}`);
  console.log(`${made} runs, ${differences} differences`);
  process.exitCode = differences === 0 ? 0 : 1;
}

function classOf(machine, records, path, value, own) {
  try {
    const policy = changed(records[0].payload.policy, path.split('.'), value);
    return classAnew(records, madeAnew(machine, records, policy), own);
  } catch {
    return 'refused';
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [count] = process.argv.slice(2);
  const at = process.argv.indexOf('--keep');
  main(Number(count ?? 10_000), at === -1 ? undefined : process.argv[at + 1]);
}
