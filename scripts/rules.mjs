/**
 * `node scripts/rules.mjs`: takes each rule of the controller out of the code, one after another, and runs the test that holds it. Exit 1
 * where a test passes without its rule, and where no rule begins so. The sources are put back each time, also where the run is stopped; a word limits it to the
 * rules that begin with it.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install } from './lib/prepare.mjs';
import { root } from './lib/run.mjs';
import { REMOVED } from './rules/removed.mjs';

const VITEST = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const wanted = process.argv[2] ?? '';
const green = new Map();
let broken = null;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop());
process.on('exit', () => restore());

install();
let kept = 0;
const limited = REMOVED.filter(({ rule }) => rule.startsWith(wanted));
for (const removal of limited) {
  const said = await tried(removal);
  if (said !== 'fails') kept += 1;
  console.log(`rules: ${said === 'fails' ? 'fails without it' : said.toUpperCase()}  ${removal.rule}  ${removal.path}  ${removal.test}${removal.only === undefined ? '' : ` (${removal.only})`}`);
}
console.log(`rules: ${kept} of ${limited.length} not noticed`);
process.exitCode = kept === 0 && limited.length > 0 ? 0 : 1;

/** `fails` where the test passes with the rule and fails without it. */
async function tried(removal) {
  const path = join(root, removal.path);
  const text = readFileSync(path, 'utf8');
  if (text.split(removal.from).length !== 2) return 'not found';
  if (!(await isGreen(removal))) return 'fails already';
  broken = { path, text };
  writeFileSync(path, text.replace(removal.from, () => removal.to));
  const code = await runs(removal);
  restore();
  return code === 0 ? 'passes without it' : code === 2 ? 'does not load' : 'fails';
}

async function isGreen({ test, only = '' }) {
  const key = `${test} ${only}`;
  if (!green.has(key)) green.set(key, (await runs({ test, only })) === 0);
  return green.get(key);
}

/** The exit code of a run of the test; 2 where no test was run. A child of its own, so that a signal is heard meanwhile. */
function runs({ test, only }) {
  const child = spawn(process.execPath, [VITEST, 'run', '--maxWorkers=1', test, ...(only === undefined || only === '' ? [] : ['-t', only])], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve(/Tests.*(?:passed|failed)/.test(said) ? code : 2)));
}

function restore() {
  if (broken !== null) writeFileSync(broken.path, broken.text);
  broken = null;
}

function stop() {
  restore();
  process.exit(130);
}
