/**
 * Planted changes: one-line mutants of each machine's decider, and how many of them the golden runs notice by
 * `impact` alone, with the mutant in the place of the machine.
 *
 *   npm run build && node scripts/impact/mutants.mjs [mutants of each machine]
 *
 * Lines and operators are drawn by a hash, the same every time. Each mutant runs in a process of its own, a
 * minute at most; one that throws or does not end is noticed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { impact, NO_CHANGE, redecider } from '@assay/verifier/impact';
import { GOLDENS, listGoldens } from '../lib/goldens.mjs';
import { sha256 } from './anew.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SLOW = ['intent-limit-bytes', 'intent-large'];
const TIMEOUT_MS = 60_000;

/** Where each machine is built, what exports it, and what of it decides: not what explains or stores. */
const MACHINES = [
  {
    name: 'intent',
    dist: 'packages/kernel/dist',
    entry: 'intent/index.js',
    decides: /^intent\/(?!explain|flip|pin-flip|weight-flip)/,
  },
  {
    name: 'controller',
    dist: 'packages/controller/dist',
    entry: 'index.js',
    decides: /^(?:loop|ggs|guard|protocol)\//,
  },
  {
    name: 'planner',
    dist: 'packages/planner/dist',
    entry: 'index.js',
    decides: /^(?!(?:picture|psplib|question|schemas|view)\/|index|machine\/codec)/,
  },
  {
    name: 'memory',
    dist: 'packages/controller/dist',
    entry: 'memory/index.js',
    decides: /^memory\/(?!encoding)/,
  },
  {
    name: 'tally',
    dist: 'packages/testing/dist',
    entry: 'machines/tally.js',
    decides: /^machines\/tally(?:-state)?\.js$/,
  },
];

/** What is changed in a line: the first match, once. */
const OPERATORS = [
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/ < /, ' <= '],
  [/ > /, ' >= '],
  [/ <= /, ' < '],
  [/ >= /, ' > '],
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/ \+ 1\b/, ' + 2'],
  [/ - 1\b/, ' - 2'],
  [/\btrue\b/, 'false'],
  [/\bfalse\b/, 'true'],
  [/\.some\(/, '.every('],
  [/\.every\(/, '.some('],
  [/Math\.min/, 'Math.max'],
  [/Math\.max/, 'Math.min'],
  [/\[\.\.\.(\w+), /, '['],
];

function mutantsOf({ name, dist, decides }, count) {
  const files = filesIn(join(ROOT, dist), '').filter((file) => decides.test(file) && file.endsWith('.js'));
  const all = files.flatMap((file) =>
    readFileSync(join(ROOT, dist, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const isCode = !/^\s*(?:\*|\/\/|\/\*|import |export \{)/.test(line);
        const found = isCode ? OPERATORS.filter(([from]) => from.test(line)) : [];
        return found.map(([from, to]) => ({
          file,
          line: index,
          was: line.trim(),
          is: line.replace(from, to),
        }));
      }),
  );
  const key = ({ file, line, is }) =>
    createHash('sha256').update(`${name} ${file} ${line} ${is}`).digest('hex');
  return all.sort((a, b) => (key(a) < key(b) ? -1 : 1)).slice(0, count);
}

function filesIn(folder, inner) {
  return readdirSync(join(folder, inner), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(folder, join(inner, entry.name)) : [join(inner, entry.name)],
  );
}

/** `no run`, or how the first golden run that differs was noticed. */
function noticed(machine, { file, line, is }, work) {
  // Beside the packages, so that what a copy imports is found.
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  cpSync(join(ROOT, machine.dist), work, { recursive: true });
  const lines = readFileSync(join(work, file), 'utf8').split('\n');
  lines[line] = is;
  writeFileSync(join(work, file), lines.join('\n'));
  const { status, stdout, error } = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), '--judge', machine.name, join(work, machine.entry)],
    { encoding: 'utf8', timeout: TIMEOUT_MS },
  );
  if (error?.code === 'ETIMEDOUT') return 'does not end';
  return status === 0 ? stdout.trim() : 'throws';
}

async function judge(name, entry) {
  const exported = await import(pathToFileURL(entry).href);
  const options = {
    machines: [],
    instead: [redecider(exported[name], { sha256 })],
    change: NO_CHANGE,
    sha256,
  };
  for (const run of listGoldens()) {
    if (!run.startsWith(`${name}-`) || SLOW.includes(run)) continue;
    const judged = impact([readFileSync(`${GOLDENS}${run}/ledger.jsonl`)], options);
    const found = judged._tag === 'Right' ? judged.right.class : judged.left.code;
    if (found === 'same') continue;
    console.log(`${found} (${run})`);
    return;
  }
  console.log('no run');
}

function main(count) {
  const work = join(ROOT, 'reports', 'mutant');
  const tables = MACHINES.map((machine) => {
    const mutants = mutantsOf(machine, count).map((mutant) => {
      const by = noticed(machine, mutant, work);
      console.error(`${machine.name} ${mutant.file}:${mutant.line + 1}: ${by}`);
      return { ...mutant, by };
    });
    return { name: machine.name, mutants };
  });
  rmSync(work, { recursive: true, force: true });
  console.log(page(tables));
}

function page(tables) {
  const cell = (code) => `\`${code.trim().replaceAll('|', '\\|').slice(0, 100)}\``;
  const missed = tables.flatMap(({ name, mutants }) =>
    mutants.filter(({ by }) => by === 'no run').map((mutant) => ({ name, ...mutant })),
  );
  return [
    '| machine | planted | noticed |',
    '| --- | --- | --- |',
    ...tables.map(
      ({ name, mutants }) =>
        `| ${name} | ${mutants.length} | ${mutants.filter(({ by }) => by !== 'no run').length} |`,
    ),
    '',
    'Not noticed: each is a line that no golden run needs, or a change without effect.',
    '',
    '| machine | file | was | is |',
    '| --- | --- | --- | --- |',
    ...missed.map(
      ({ name, file, line, was, is }) =>
        `| ${name} | ${relative('.', file)}:${line + 1} | ${cell(was)} | ${cell(is)} |`,
    ),
    '',
  ].join('\n');
}

const [first, ...rest] = process.argv.slice(2);
if (first === '--judge') await judge(rest[0], rest[1]);
else main(Number(first ?? 30));
