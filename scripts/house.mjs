/**
 * `npm run house`: the figures of the house from this checkout, each beside its aim. Not a gate: it is read
 * in reviews, and exits 0.
 *
 * Files entered: a run of the built command under V8's coverage; a file counts where one of its functions
 * ran. Options: those that each command's `--help` lists as its own. Codes: literals that the command's
 * sources give a problem. What needs a build, or a report of `npm test`, is else "not measured".
 *
 * `npm run house -- --rooms`: the packages and their folders with what they import, inner ones first.
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
import { dirname, join } from 'node:path';
import { capture, root } from './lib/run.mjs';
import { roomLines } from './house/rooms.mjs';
import { docstringsOf } from './tidy/house.mjs';
import { importsOf } from './tidy/imports.mjs';
import { readSource } from './tidy/syntax.mjs';
import { codeFiles, judgeTree } from './tidy/tree.mjs';

const MAIN = join(root, 'packages', 'cli', 'dist', 'main.js');
const NONE = 'not measured';
const REQUEST = 'Plan a ride. It must be under 60 km. No ferries.';

const judged = judgeTree(root);
const sources = codeFiles(root, 'packages')
  .filter((path) => /^packages\/[^/]+\/src\//.test(path))
  .map((path) => readSource(path, read(path)));
if (process.argv.includes('--rooms')) {
  const describe = (name) => JSON.parse(read(`packages/${name}/package.json`)).description;
  for (const line of roomLines(sources, describe)) console.log(line);
  process.exit();
}
const tracked = capture('git', ['ls-files'])
  .stdout.split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));

const table = [
  ['npm test, seconds', '<= 240', testSeconds()],
  ['command: files, lines, folders', '<= 100, 7000, 5', command()],
  ['files entered by run, verify, control', '<= 100, 85, 130', existsSync(MAIN) ? entered() : NONE],
  ['rooms that know the controller', '4', rooms()],
  [
    'circles of files; packages with circles of folders',
    '0; 0',
    `${judged.circles.file.length}; ${new Set(judged.circles.folder.map(([path]) => path.split('/')[1])).size}`,
  ],
  ['public names', '<= 750', String(judged.names.split('\n').filter((line) => line.startsWith(' ')).length)],
  [
    'commands, options, problem codes',
    '<= 28, 80, 90',
    `${existsSync(MAIN) ? helped() : NONE}, ${codes().size}`,
  ],
  ['lines over 120 characters', '0', String(longLines())],
  [
    'longest docstring, words',
    '<= 120',
    String(Math.max(...sources.flatMap(docstringsOf).map(({ words }) => words))),
  ],
  ['tracked files', '<= 1900', String(tracked.length)],
  ['kB of CHANGELOG, README, docs/mutation.md', '<= 4, 8, 6', sizes()],
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

function command() {
  const own = sources.filter(({ path }) => path.startsWith('packages/cli/src/'));
  const lines = own.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
  const folders = new Set(own.map(({ path }) => path.split('/')[3]).filter((name) => !name.endsWith('.ts')));
  return `${own.length}, ${lines}, ${folders.size}`;
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
      ['control', 'Find the largest file.', '--workspace', space, '--output', done],
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

/**
 * Where one must go to change the controller: its package, its shell as one room, folders of other packages,
 * files of the command. The row in the table of machines is not counted.
 */
function rooms() {
  const found = sources.filter((source) =>
    importsOf(source).some(({ specifier }) => /^@assay\/controller(?:\/|$)/.test(specifier)),
  );
  const names = new Set(
    found.map(({ path }) => {
      const [, name] = path.split('/');
      if (name === 'agent') return name;
      return (name === 'cli' ? path : dirname(path)).replace('packages/', '').replace('/src', '');
    }),
  );
  names.delete('views/machines');
  return [names.size + 1, ['controller', ...[...names].sort()].join(', ')].join(': ');
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

function codes() {
  const given = /\b(?:misuse|unreachable)\(\s*'([a-z_]+)'|\bcode:\s*'([a-z_]+)'/g;
  const own = sources.filter(({ path }) => path.startsWith('packages/cli/src/'));
  return new Set(own.flatMap(({ text }) => [...text.matchAll(given)].map(([, one, other]) => one ?? other)));
}

function longLines() {
  return tracked
    .filter((path) => /\.(?:ts|mts|mjs|js)$/.test(path))
    .flatMap((path) => read(path).split('\n'))
    .filter((line) => line.length > 120).length;
}

function sizes() {
  return ['CHANGELOG.md', 'README.md', 'docs/mutation.md']
    .map((path) => (Buffer.byteLength(read(path)) / 1_000).toFixed(0))
    .join(', ');
}
