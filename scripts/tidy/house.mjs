/**
 * House rules for every file, pure or not: size, left-over marks, exports, switched-off tests.
 *
 * @module
 */
import { lineAt, walk } from './syntax.mjs';

const LINES_MAX = 400;
/** Lists of cases. */
const LONG = [
  [/\/test\/|^scripts\/(?:fixtures|forgeries)\//, 950],
  [/^packages\/(?:kernel\/src\/intent\/quantity|cli\/src\/program|cli\/src\/commands\/memory)\.ts$/, 600],
];
const DOCSTRING_WORDS_MAX = 120;
const MARKS = /\b(?:TODO|FIXME|XXX|HACK)\b/;
const RUNNERS = ['it', 'test', 'describe', 'suite', 'bench'];

/** True for the files whose business is to re-export: a package's entries. */
function isEntry(path) {
  return path.endsWith('/index.ts') || /^packages\/(?:testing|attest)\/src\/node\.ts$/.test(path);
}

/** Faults of one source or test file: [{ path, line, rule, message }]. */
export function houseFaults(source) {
  const { path, text, program } = source;
  const faults = [];
  const report = (start, rule, message) => faults.push({ path, line: lineAt(text, start), rule, message });
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  const most = LONG.find(([pattern]) => pattern.test(path))?.[1] ?? LINES_MAX;
  if (lines > most) report(text.length, 'file-size', `${lines} lines: split it by concept (at most ${most})`);
  for (const comment of source.comments) {
    if (MARKS.test(comment.value))
      report(comment.start, 'no-marks', 'a left-over mark: do it, or write it into an issue');
  }
  if (/^packages\/[^/]+\/src\//.test(path)) {
    checkExports(path, program, report);
    checkDocstrings(source, report);
  }
  walk(program, (node) => checkSwitchedOff(node, report));
  return faults;
}

/** The docstrings of a file: [{ start, words }]. */
export function docstringsOf({ comments }) {
  return comments
    .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ start, value }) => ({ start, words: value.match(/[^\s*]\S*/g)?.length ?? 0 }));
}

function checkDocstrings(source, report) {
  const long = docstringsOf(source).filter(({ words }) => words > DOCSTRING_WORDS_MAX);
  for (const { start, words } of long)
    report(
      start,
      'docstring-size',
      `${words} words: at most ${DOCSTRING_WORDS_MAX}; what needs more goes to docs/guides or docs/formats`,
    );
}

function checkExports(path, program, report) {
  for (const node of program.body) {
    if (
      node.type === 'ExportDefaultDeclaration' ||
      (node.type === 'ExportNamedDeclaration' &&
        node.specifiers.some(({ exported }) => exported.name === 'default'))
    ) {
      report(node.start, 'no-default-export', 'default export: export it by name');
    }
    const isReExport =
      node.type === 'ExportAllDeclaration' ||
      (node.type === 'ExportNamedDeclaration' && node.source !== null);
    if (isReExport && !isEntry(path))
      report(node.start, 'no-re-export', 're-export outside an entry: only index.ts re-exports');
    if (node.type === 'ExportAllDeclaration')
      report(node.start, 'no-export-star', 'export *: write every public name down');
  }
}

/**
 * `it.skip`, `describe.only`, `test.todo` and chains of them; `skipIf` asks the environment and is judged by
 * CI, which forbids skips.
 */
function checkSwitchedOff(node, report) {
  if (
    node.type !== 'MemberExpression' ||
    node.computed ||
    !['skip', 'only', 'todo', 'fails'].includes(node.property.name)
  )
    return;
  let owner = node.object;
  while (owner.type === 'MemberExpression' || owner.type === 'CallExpression')
    owner = owner.type === 'CallExpression' ? owner.callee : owner.object;
  if (owner.type === 'Identifier' && RUNNERS.includes(owner.name)) {
    report(
      node.start,
      'no-switched-off-tests',
      `${owner.name}.${node.property.name}: run the test or remove it`,
    );
  }
}
