/**
 * `npm run probes`: the two probes of docs/explanation/comparison.md, run on each host by `probe.mjs` in its
 * folder of `examples/embeddings`. Rows of the page's tables that differ are printed; `-- --write` puts them
 * into it. `npm run check:examples` runs it too.
 *
 * A host that is not installed, or whose server is not there, is told in one line; with `CI=true` that is a
 * failure.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled } from './lib/prepare.mjs';
import { root } from './lib/run.mjs';

const PAGE = join(root, 'docs', 'explanation', 'comparison.md');
const EMBEDDINGS = join('examples', 'embeddings');
/** Folders with a probe; `database`: it takes one of its own. */
const HOSTS = [
  { folder: 'langgraph', database: true },
  { folder: 'ai-sdk' },
  { folder: 'dbos', database: true },
  { folder: 'temporal' },
  { folder: 'xstate' },
  { folder: 'own-loop', isPlain: true },
  { folder: 'refunds', isPlain: true },
];
/** Rows of the table of verdicts, by what the probe of our own ledger prints. */
const VERDICTS = [
  ['an edited record', 'edited'],
  ['an edited record, every hash computed again', 'rehashed'],
  ['a changed reducer', 'changed'],
  ['an edited answer, everything after it derived again', 'rederived'],
  ['the same, with a head that was kept elsewhere', 'headed'],
];
const PROBE_MS = 180_000;

const rows = [];
for (const host of HOSTS) rows.push(...(await probed(host)));
const page = readFileSync(PAGE, 'utf8');
const fresh = rows.reduce(filled, page);
if (process.argv.includes('--write')) writeFileSync(PAGE, fresh);
else if (fresh !== page) {
  console.log(
    'probes: docs/explanation/comparison.md says something else (npm run probes -- --write puts this into it):',
  );
  for (const line of fresh.split('\n')) if (!page.includes(line)) console.log(line);
}
console.log(`probes: ${rows.length} of ${HOSTS.length} hosts`);

/** The document a host's probe prints, in a list; none where it cannot be run. */
async function probed({ folder, database = false, isPlain = false }) {
  if (!isPlain && !isInstalled(join(EMBEDDINGS, folder)))
    return left(`${folder}: npm run check:examples installs it`);
  const { server } = await import('../examples/embeddings/testing/needs.mjs');
  if (database && server === null) return left(`${folder}: no server (ASSAY_TEST_POSTGRES names one)`);
  if (!database) return [run(folder, [])];
  const { makeDatabase } = await import('../examples/embeddings/testing/database.mjs');
  const { url, drop } = await makeDatabase();
  try {
    return [run(folder, [url])];
  } finally {
    await drop();
  }
}

function left(what) {
  console.log(`${what}; not probed`);
  if (process.env['CI'] === 'true') process.exitCode = 1;
  return [];
}

function run(folder, args) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, EMBEDDINGS, folder, 'probe.mjs'), ...args],
    { encoding: 'utf8', timeout: PROBE_MS },
  );
  const line = stdout.split('\n').findLast((text) => text.startsWith('{'));
  if (status !== 0 || line === undefined)
    throw new Error(`the probe of ${folder} ended with ${status}:\n${stdout}${stderr}`);
  return JSON.parse(line);
}

/** The page with what a probe printed: cells of a host's row, or of the table of verdicts. */
function filled(text, probe) {
  if (probe.host === 'Assay')
    return VERDICTS.reduce((page, [label, key]) => withRow(page, label, () => [label, probe[key]]), text);
  const { host, versions, edited, changed, shape, text: ownText } = probe;
  const steps =
    ownText === undefined
      ? shape
      : `a step of another name: ${shape}; another text of the workflow itself: ${ownText}`;
  return withRow(text, host, ([name, , own, , , , adds]) => [
    name,
    versions.join(', '),
    own,
    edited,
    changed,
    steps,
    adds,
  ]);
}

/** A page with the cells of one row of a table, found by its first cell, replaced. */
function withRow(page, first, change) {
  const lines = page.split('\n');
  const at = lines.findIndex((line) => line.startsWith(`| ${first} |`));
  if (at === -1) throw new Error(`docs/explanation/comparison.md has no row "${first}"`);
  lines[at] = `| ${change(lines[at].slice(2, -2).split(' | ')).join(' | ')} |`;
  return lines.join('\n');
}
