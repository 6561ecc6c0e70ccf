/**
 * Tasks as data: their workspaces, and what came of them by the files. The format: examples/tasks/README.md.
 *
 * @module
 */
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The tasks of a file, one a line. */
export function tasksIn(file) {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** When every file of a workspace was written, in seconds since 1970: a search shows it. */
const WRITTEN = 1_767_225_600;

/** Makes the workspace of a task in a folder. */
export function makeWorkspace(root, { files }) {
  mkdirSync(root, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), textOf(content));
    utimesSync(join(root, path), WRITTEN, WRITTEN);
  }
}

/**
 * What came of a task. `accepted`: the run ended in success; `output`: what it answered; `asked`: a person was
 * asked and did not agree. `done`: accepted, and the files are as wanted; `wrong`: accepted and they are not,
 * or a file was changed that the task does not name.
 */
export function outcomeOf(root, task, { accepted, output, asked }) {
  const wanted = task.want ?? {};
  const now = filesIn(root);
  const before = new Map(Object.entries(task.files).map(([path, content]) => [path, textOf(content)]));
  const isDamaged = [...new Set([...before.keys(), ...now.keys()])].some(
    (path) => !Object.hasOwn(wanted, path) && before.get(path) !== now.get(path),
  );
  if (isDamaged) return 'wrong';
  if (!accepted) return asked ? 'asked_person' : 'not_done';
  const isAsWanted = Object.entries(wanted).every(([path, want]) => fits(want, now.get(path)));
  return task.want !== null && isAsWanted && hasAnswer(task.answer, output) ? 'done' : 'wrong';
}

/** A text, or parts of one: a text, or a text and how often it stands there. */
function textOf(content) {
  if (typeof content === 'string') return content;
  return content.map((part) => (typeof part === 'string' ? part : part[0].repeat(part[1]))).join('');
}

/** A line feed at the end counts as little as its absence. */
function fits(want, text) {
  if (want === null || text === undefined) return want === null && text === undefined;
  if (typeof want === 'string') return ended(want) === ended(text);
  if ('matches' in want) return new RegExp(want.matches).test(ended(text));
  try {
    return sorted(JSON.parse(text)) === sorted(want.json);
  } catch {
    return false;
  }
}

function ended(text) {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function sorted(object) {
  return JSON.stringify(Object.entries(object).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The answer stands in the output, and not as a part of another word. */
function hasAnswer(answer, output) {
  if (answer === undefined) return true;
  const words = answer.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`(?:^|[^\\w/])${words}(?:$|[^\\w/])`).test(String(output));
}

function filesIn(root) {
  return new Map(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [path.slice(root.length + 1), readFileSync(path, 'utf8')];
      }),
  );
}
