/**
 * Others' data judged: PSPLIB and MMLIB files against the critical path in their headers and the objectives of
 * results tables. An objective is overrun · 1000 + makespan: below 1000 some choice fits.
 *
 * @module
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  checkCertificate,
  checkPlan,
  coreBest,
  coreQuestion,
  findFit,
  leastOverrun,
  namedChoice,
  parsePlan,
  readPsplib,
  schedule,
} from '@assay/planner/schedule';

const NODES = 20_000;

/**
 * Instances below a folder by name, the published objectives, [instance without its ending, objective], and the
 * published makespans.
 */
export function dataIn(folder) {
  const paths = readdirSync(folder, { recursive: true }).map((path) => join(folder, path));
  const published = new Map();
  for (const [instance, objective] of paths.filter((path) => path.endsWith('.csv')).flatMap(objectivesIn))
    published.set(instance, Math.min(objective, published.get(instance) ?? objective));
  const best = new Map(paths.filter((path) => path.endsWith('.csv')).flatMap(makespansIn));
  return { best, files: paths.filter((path) => /\.[sm]m$/.test(path)).toSorted(), published };
}

/** Makespans from a table of `problem,optimum`: [file, makespan]; those that are not known are left out. */
function makespansIn(path) {
  const [head, ...rows] = readFileSync(path, 'utf8').split(/\r?\n/);
  if (head !== 'problem,optimum') return [];
  return rows
    .map((row) => row.split(','))
    .flatMap(([name, value = '']) => (/^\d+$/.test(value) ? [[name, Number(value)]] : []));
}

function objectivesIn(path) {
  const [head = '', ...rows] = readFileSync(path, 'utf8').split(/\r?\n/);
  const names = head.split(';');
  const [name, value] = [names.indexOf('Model name'), names.indexOf('Objective')];
  return rows
    .map((row) => row.split(';'))
    .filter((cells) => name >= 0 && value >= 0 && /^\d+$/.test(cells[value] ?? ''))
    .map((cells) => [/^mmrcpsp_PSPLIB_(.+)$/.exec(cells[name])?.[1], Number(cells[value])])
    .filter(([instance]) => instance !== undefined);
}

/** A plan from a file, with the critical path that its header states. Throws what is wrong with the file. */
function planIn(path) {
  const read = readPsplib(readFileSync(path, 'utf8'));
  const parsed = read._tag === 'Left' ? read : parsePlan(read.right.plan);
  if (parsed._tag === 'Left') throw new Error(`${path}: ${JSON.stringify(parsed.left)}`);
  const { criticalPath, shortest } = read.right;
  return { plan: parsed.right, criticalPath, shortest };
}

/**
 * What is known of one file: its line (docs/formats/plan.md), and its part of the figures.
 *
 * @returns {{ line: any, counts: Record<string, number> }}
 */
export function judgeFile(path, published, best = new Map()) {
  const { plan, criticalPath, shortest } = planIn(path);
  const instance = basename(path);
  const cpm = schedule(plan.tasks, shortest, null).length;
  const line = {
    instance,
    cpm,
    verdict: null,
    choice: null,
    certificate: null,
    raise: null,
    core: null,
  };
  const counts = {
    instances: 1,
    cpm_checked: criticalPath === null ? 0 : 1,
    cpm_equal: cpm === criticalPath ? 1 : 0,
    ...againstBest(plan, best.get(instance)),
  };
  if (!instance.endsWith('.mm')) return { line, counts };
  const found = fits(plan);
  const objective = published.get(instance.replace(/\.mm$/, ''));
  return {
    line: { ...line, ...found.line },
    counts: { ...counts, ...found.counts, ...against(found, instance, objective) },
  };
}

/** The levelled length against the best makespan that is published, in parts per million of it, rounded up. */
function againstBest(plan, makespan) {
  if (makespan === undefined) return {};
  const [, length] = checkPlan(plan).before.length;
  const ratio = Math.ceil((length * 1e6) / makespan);
  return {
    makespans: 1,
    makespan_equal: length === makespan ? 1 : 0,
    makespan_ppm: ratio,
    makespan_worst_ppm: ratio,
  };
}

function fits(plan) {
  const found = findFit(plan, NODES);
  if (found.verdict === 'UNKNOWN') return { line: {}, counts: { bounded: 1 } };
  if (found.verdict === 'SAT')
    return { line: { verdict: 'SAT', choice: namedChoice(plan, found.choice) }, counts: { sat: 1 } };
  const { certificate } = found;
  const raise = provenRaise(plan);
  const core = minimalCore(plan);
  return {
    line: { verdict: 'UNSAT', certificate, raise, core },
    counts: {
      unsat: 1,
      raises_proven: raise === null ? 0 : 1,
      cores_minimal: core === null ? 0 : 1,
      core_elements: core === null ? 0 : core.rows.length + core.tasks.length,
    },
  };
}

/** The least sum of overruns, where it is proven. */
function provenRaise(plan) {
  const raise = leastOverrun(plan, NODES);
  return raise === null ? null : { ...raise, choice: namedChoice(plan, raise.choice) };
}

/** The core, where its certificate proves it and each element has a witness. */
function minimalCore(plan) {
  const core = coreBest(plan, NODES);
  if (core === null || !core.isMinimal) return null;
  const { constraints, tasks, certificate, witnesses } = core;
  const isProof = checkCertificate(coreQuestion(plan, core, false), { kind: 'unsat' }, certificate);
  if (!isProof || witnesses.length !== constraints.length + tasks.length) return null;
  return { rows: constraints, tasks, certificate, witnesses };
}

/** A verdict against a published objective; the overrun is compared for the set j30, where it is known best. */
function against({ line }, instance, objective) {
  if (objective === undefined) return {};
  const isEqual = line.verdict === (objective < 1_000 ? 'SAT' : 'UNSAT');
  const isCompared = instance.startsWith('j30');
  const overrun = line.verdict === 'SAT' ? 0 : line.raise?.total;
  return {
    verdicts: 1,
    verdict_equal: isEqual ? 1 : 0,
    overflow_checked: isCompared ? 1 : 0,
    overflow_equal: isCompared && overrun === Math.floor(objective / 1_000) ? 1 : 0,
  };
}

const FIGURES = [
  'instances',
  'cpm_checked',
  'cpm_equal',
  'verdicts',
  'verdict_equal',
  'sat',
  'unsat',
  'bounded',
  'overflow_checked',
  'overflow_equal',
  'raises_proven',
  'cores_minimal',
  'core_elements',
  'makespans',
  'makespan_equal',
  'makespan_ppm',
  'makespan_worst_ppm',
];

/**
 * Judges files one after the other. `tell` gets each line; `seconds` is CPU time of this process, `makespan_ppm` the
 * mean of the levelled lengths by the published makespans.
 *
 * @param {ReturnType<typeof dataIn>} data
 * @param {(line: any) => unknown} tell
 * @returns {Record<string, number>}
 */
export function judgeAll(data, tell = () => undefined) {
  const started = process.cpuUsage();
  const figures = Object.fromEntries(FIGURES.map((name) => [name, 0]));
  for (const path of data.files) {
    const { line, counts } = judgeFile(path, data.published, data.best);
    const worst = Math.max(figures.makespan_worst_ppm, counts.makespan_worst_ppm ?? 0);
    for (const [name, count] of Object.entries(counts)) figures[name] += count;
    figures.makespan_worst_ppm = worst;
    tell(line);
  }
  figures.makespan_ppm = Math.round(figures.makespan_ppm / Math.max(1, figures.makespans));
  const { user, system } = process.cpuUsage(started);
  return { ...figures, seconds: Math.round((user + system) / 1e4) / 100 };
}
