/**
 * Others' data: every `.sm` and `.mm` file below a folder, against the critical path in its header and the
 * results tables (`;`-separated `.csv`) below the same folder. Run after a build:
 *
 *   node packages/planner/bench/psplib.bench.mjs DIR [--out FILE]
 *
 * Prints one JSON line; without data `{"skipped":true}`. `--out` writes one line an instance. The objective in
 * a table is overrun · 1000 + makespan, so that below 1000 means that some choice fits.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  checkCertificate,
  coreBest,
  coreBestQuestion,
  findFit,
  leastRaise,
  namedChoice,
  parsePlan,
  questionOf,
  readPsplib,
  schedule,
} from '@assay/planner/schedule';

const [folder, flag, out] = process.argv.slice(2);
const paths =
  folder === undefined ? [] : readdirSync(folder, { recursive: true }).map((path) => join(folder, path));
const files = paths.filter((path) => /\.[sm]m$/.test(path)).toSorted();
const published = new Map(paths.filter((path) => path.endsWith('.csv')).flatMap(objectives));
if (files.length === 0) {
  console.log(JSON.stringify({ skipped: true }));
  process.exit(0);
}

const counts = {
  instances: 0,
  cpm_checked: 0,
  cpm_equal: 0,
  verdicts: 0,
  verdict_equal: 0,
  sat: 0,
  unsat: 0,
  bounded: 0,
  overflow_checked: 0,
  overflow_equal: 0,
  raises_proven: 0,
  cores_minimal: 0,
  core_elements: 0,
};
const started = process.cpuUsage();
let worstCore = 0;
const lines = files.map(judge);
const { user, system } = process.cpuUsage(started);
console.log(
  JSON.stringify({ ...counts, seconds: Math.round((user + system) / 1e4) / 100, worst_core_ms: worstCore }),
);
if (flag === '--out') writeFileSync(out, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);

/** [instance, objective] of a results table; of several tables the best known value counts. */
function objectives(path) {
  const [head = '', ...rows] = readFileSync(path, 'utf8').split(/\r?\n/);
  const names = head.split(';');
  const [name, value] = [names.indexOf('Model name'), names.indexOf('Objective')];
  return rows
    .map((row) => row.split(';'))
    .filter((cells) => name >= 0 && value >= 0 && /^\d+$/.test(cells[value] ?? ''))
    .map((cells) => [/^mmrcpsp_PSPLIB_(.+)$/.exec(cells[name])?.[1], Number(cells[value])])
    .filter(([instance]) => instance !== undefined);
}

function judge(path) {
  const read = readPsplib(readFileSync(path, 'utf8'));
  const parsed = read._tag === 'Left' ? read : parsePlan(read.right.plan);
  if (parsed._tag === 'Left') throw new Error(`${path}: ${JSON.stringify(parsed.left)}`);
  const plan = parsed.right;
  const instance = basename(path);
  counts.instances += 1;
  const shortest = plan.tasks.map(({ approaches }) =>
    Math.min(...approaches.map(({ minutes }) => minutes[1])),
  );
  const cpm = schedule(plan.tasks, shortest, null).length;
  const { criticalPath } = read.right;
  if (criticalPath !== null) {
    counts.cpm_checked += 1;
    if (cpm === criticalPath) counts.cpm_equal += 1;
  }
  const nothing = { verdict: null, choice: null, certificate: null, raise: null, core: null };
  return { instance, cpm, ...nothing, ...(path.endsWith('.mm') ? fits(plan, instance) : {}) };
}

function fits(plan, instance) {
  const found = findFit(plan);
  const objective = published.get(instance.replace(/\.mm$/, '')) ?? published.get(instance);
  const verdict = found.verdict === 'UNKNOWN' ? null : found.verdict;
  if (verdict === null) counts.bounded += 1;
  else counts[verdict.toLowerCase()] += 1;
  if (objective !== undefined) {
    counts.verdicts += 1;
    if (verdict === (objective < 1_000 ? 'SAT' : 'UNSAT')) counts.verdict_equal += 1;
  }
  const isThirty = instance.startsWith('j30') && objective !== undefined;
  if (isThirty) counts.overflow_checked += 1;
  if (verdict !== 'UNSAT') {
    if (isThirty && verdict === 'SAT' && objective < 1_000) counts.overflow_equal += 1;
    return { verdict, choice: verdict === 'SAT' ? namedChoice(plan, found.choice) : null };
  }
  const { certificate } = found;
  if (!checkCertificate(questionOf(plan, null), { kind: 'unsat' }, certificate))
    throw new Error(`${instance}: bad certificate`);
  const raise = leastRaise(plan, 20_000);
  if (isThirty && raise.total === Math.floor(objective / 1_000)) counts.overflow_equal += 1;
  const least = { kind: 'raise', value: raise.total };
  if (raise.isProven && checkCertificate(questionOf(plan, null), least, raise.certificate))
    counts.raises_proven += 1;
  const start = process.cpuUsage().user;
  const core = coreBest(plan, 20_000);
  worstCore = Math.max(worstCore, (process.cpuUsage().user - start) / 1_000);
  const isProven = checkCertificate(coreBestQuestion(plan, core), { kind: 'unsat' }, core.certificate);
  const elements = core.constraints.length + core.tasks.length;
  if (isProven && core.isMinimal && core.witnesses.length === elements) counts.cores_minimal += 1;
  counts.core_elements += elements;
  return {
    verdict,
    certificate,
    raise: { total: raise.total, choice: namedChoice(plan, raise.choice), certificate: raise.certificate },
    core: {
      rows: core.constraints,
      tasks: core.tasks,
      certificate: core.certificate,
      witnesses: core.witnesses,
    },
  };
}
