/**
 * `npm run nightly`: the checks that take too long for each change, one after the other. It writes what each said last
 * to `docs/nightly.md`. `-- NAME…` runs these alone. Exit 1 where one fails.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { capture, npm, root } from './lib/run.mjs';

const PAGE = join(root, 'docs', 'nightly.md');

/** What is run: a name, what it shows, the arguments of `npm run`. */
const CHECKS = [
  ['long', 'every long test, every guide, and every law at 1,000 draws', ['test:long', '--', '--nightly']],
  [
    'consumers',
    'the packed packages on Node 20, Node 24, in a bare context and in Chromium',
    ['check:consumers'],
  ],
  ['engines', 'the same bytes on Node 20, Node 24 and Bun; SQLite on Node 24', ['check:engines']],
  [
    'examples',
    'programs in LangGraph, AI SDK, DBOS, Temporal, XState, PostgreSQL, Chromium',
    ['check:examples'],
  ],
  ['llama', 'language models against a real inference runtime', ['check:llama']],
  ['mutation', 'the short sample of mutants', ['mutation', '--', '--short']],
  ['ecology', 'auctions and offers, each sequence of four acts', ['campaign:ecology']],
  ['crash', '100 kills for each store and 10,000 seeds', ['crash']],
];

const named = process.argv.slice(2);
const unknown = named.filter((name) => !CHECKS.some(([known]) => known === name));
if (unknown.length > 0) {
  console.error(
    `nightly: there is no check ${unknown.join(', ')}; there are ${CHECKS.map(([name]) => name).join(', ')}`,
  );
  process.exit(2);
}
const old = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
const rows = new Map(rowsIn(old));
const commit = capture('git', ['rev-parse', '--short=8', 'HEAD']).stdout.trim();
for (const [name, what, args] of CHECKS) {
  if (named.length > 0 && !named.includes(name)) continue;
  const started = Date.now();
  const code = npm(['run', '--silent', ...args]);
  const seconds = Math.round((Date.now() - started) / 1_000);
  if (code !== 0) process.exitCode = 1;
  console.log(`nightly: ${name} ${code === 0 ? 'passed' : `failed (exit ${code})`}, ${seconds} s`);
  const load = loadavg()[1].toFixed(1);
  const said = code === 0 ? 'passed' : `failed, exit ${code}`;
  const day = new Date().toISOString().slice(0, 10);
  rows.set(
    name,
    `| ${name} | ${what} | ${said} | ${seconds} s, load ${load} on ${cpus().length} cores | ${commit}, ${day} |`,
  );
  writeFileSync(PAGE, pageOf());
}

/** Rows of a page by name. */
function rowsIn(page) {
  return page.split('\n').flatMap((line) => {
    const name = /^\| ([a-z]+) \|/.exec(line)?.[1];
    return name === undefined || !CHECKS.some(([known]) => known === name) ? [] : [[name, line]];
  });
}

/** The page: the rows, and what stands below its first heading of the second rank. */
function pageOf() {
  return [
    '# What `npm run nightly` last said',
    '',
    'These checks take too long for each change. `scripts/nightly.mjs` runs them and writes this page.',
    '',
    '| check | shows | result | time | commit, day |',
    '| --- | --- | --- | --- | --- |',
    ...CHECKS.map(([name, what]) => rows.get(name) ?? `| ${name} | ${what} | not run yet | | |`),
    '',
    old.slice(old.indexOf('## ')),
  ].join('\n');
}
