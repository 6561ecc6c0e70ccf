/**
 * `npm run house`: the figures of the house from this checkout, each beside its aim; exit 0. Those that `tidy`
 * holds (`docs/house.json`) may only fall.
 *
 * Files entered: a run of the built command under V8's coverage; a file counts where one of its functions
 * ran. Options: those that each command's `--help` lists as its own. What needs a build, or a report of
 * `npm test`, is else "not measured".
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture, root } from './lib/run.mjs';
import { docstringsOf } from './tidy/house.mjs';
import { readSource } from './tidy/syntax.mjs';
import { codeFiles, judgeTree } from './tidy/tree.mjs';

const MAIN = join(root, 'packages', 'cli', 'dist', 'main.js');
const NONE = 'not measured';
const REQUEST = 'Plan a ride. It must be under 60 km. No ferries.';

const judged = judgeTree(root);
const sources = codeFiles(root, 'packages')
  .filter((path) => /^packages\/[^/]+\/src\//.test(path))
  .map((path) => readSource(path, read(path)));
const tracked = capture('git', ['ls-files'])
  .stdout.split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));

const { figures } = judged;
const linesOf = (folder) =>
  codeFiles(root, folder)
    .filter((path) => folder === 'scripts' || /(?:^|\/)test\//.test(path))
    .reduce((sum, path) => sum + read(path).split('\n').length - 1, 0);
const docs = tracked.filter((path) => /^docs\/.*\.md$/.test(path));
const table = [
  ['source lines; files', '<= 85000; 600', `${figures.lines}; ${figures.files}`],
  ['command: lines; files', '<= 9000; 70', `${figures.command_lines}; ${figures.command_files}`],
  ['verbs, options', '<= 34, 80', existsSync(MAIN) ? helped() : NONE],
  ['files outside its folder that name a machine', '1', String(figures.name_a_machine)],
  ['public names; used nowhere else', '<= 800; 0', `${figures.public_names}; ${figures.unused_names}`],
  ['functions that end in Of', '<= 200', String(endingInOf())],
  [
    'lines over 120; longest docstring, words; circles of files, of folders',
    '0; 120; 0; 0',
    `${figures.long_lines}; ${Math.max(...sources.flatMap(docstringsOf).map(({ words }) => words))}; ` +
      `${judged.circles.file.length}; ${judged.circles.folder.length}`,
  ],
  ['tracked files; pages of docs', '<= 1700; 60', `${tracked.length}; ${docs.length}`],
  [
    'lines of tests; of scripts',
    '<= 65000; 10000',
    `${linesOf('packages') + linesOf('test')}; ${linesOf('scripts')}`,
  ],
  ['npm test, seconds', '<= 240', testSeconds()],
  ['files entered by run, verify, task', '<= 90, 70, 120', existsSync(MAIN) ? entered() : NONE],
];
const width = (column) => Math.max(...table.map((row) => row[column].length));
for (const [what, aim, today] of table)
  console.log(`${what.padEnd(width(0))}  ${aim.padEnd(width(1))}  ${today}`);

function read(path) {
  return readFileSync(join(root, path), 'utf8');
}

function testSeconds() {
  const report = join('reports', 'vitest.json');
  if (!existsSync(join(root, report))) return NONE;
  const { startTime, testResults } = JSON.parse(read(report));
  return ((Math.max(...testResults.map(({ endTime }) => endTime)) - startTime) / 1_000).toFixed(0);
}

function entered() {
  const work = mkdtempSync(join(tmpdir(), 'assay-house-'));
  try {
    const space = join(work, 'space');
    mkdirSync(space);
    writeFileSync(join(space, 'a.txt'), 'a\n');
    const out = join(work, 'out');
    const done = join(work, 'done');
    return [
      ['run', REQUEST, '--output', out],
      ['verify', join(out, 'run.ledger.jsonl')],
      ['task', 'find * largest | names', '--workspace', space, '--output', done],
    ]
      .map((args, index) => filesEntered(args, join(work, `coverage-${index}`)))
      .join(', ');
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function filesEntered(args, folder) {
  capture(process.execPath, [MAIN, ...args], { env: { ...process.env, NODE_V8_COVERAGE: folder } });
  const files = new Set();
  for (const { result } of readdirSync(folder).map((name) =>
    JSON.parse(readFileSync(join(folder, name), 'utf8')),
  ))
    for (const { url, functions } of result)
      if (
        /\/packages\/[^/]+\/dist\//.test(url) &&
        functions.some(({ ranges: [whole] }) => whole.startOffset > 0 && whole.count > 0)
      )
        files.add(url);
  return files.size;
}

function helped() {
  const names = [];
  let options = 0;
  const visit = (words) => {
    const { stdout } = capture(process.execPath, [MAIN, ...words, '--help']);
    const own = /^Options:\n((?: .*\n?)*)/m.exec(stdout)?.[1] ?? '';
    options += [...own.matchAll(/^ {2}(?:-\w, )?--(?!help)[a-z]/gm)].length;
    const list = /^Commands:\n((?: .*\n?)*)/m.exec(stdout)?.[1] ?? '';
    for (const [, name] of list.matchAll(/^ {2}([a-z]\S*)/gm)) {
      if (name === 'help') continue;
      names.push(name);
      visit([...words, name]);
    }
  };
  visit([]);
  return `${names.length}, ${options}`;
}

/** Functions and constants of the sources whose name ends in `Of`. */
function endingInOf() {
  return sources.reduce(
    (sum, { text }) => sum + [...text.matchAll(/\b(?:function|const) \w+Of\b/g)].length,
    0,
  );
}
