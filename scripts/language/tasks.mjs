/**
 * Plans in the notation, done in real folders and judged by the files and the answer. A set is a folder of tasks
 * {asked, files, plan, confirm, after, answer, outcome}, or one file {files, tasks} of tasks over the same files, each
 * with a name, and `after` with what is another file afterwards, null for none. `confirm`: what a person agrees
 * to, as of `--confirm`; `answer`: null for none that counts; `outcome`: `done`, or why not: `refused` (it is no
 * plan) or `ended`; `changed`: days of files that count by their time.
 *
 * @module
 */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultPolicy } from '@assay/controller';
import { driveTask, endedTask, openTaskTools } from '@assay/controller/shell';
import { drive, memoryOutputs, memoryStore } from '@assay/host';
import { orThrow } from '@assay/kernel';
import { rulesPlayer } from '@assay/proposers/task-rules';

const SETS = fileURLToPath(new URL('../../packages/proposers/test/language/sets/', import.meta.url));
/** When files were changed that say no day, in seconds since 1970. */
const CHANGED = 1_767_225_600;

/** The tasks of a set by their names. */
export function tasksIn(name) {
  const place = join(SETS, name);
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
  if (!statSync(place).isDirectory()) {
    const { files, tasks } = read(place);
    const afterwards = (changes) =>
      Object.fromEntries(Object.entries({ ...files, ...changes }).filter(([, text]) => text !== null));
    return tasks.map((task) => ({ ...task, files, after: afterwards(task.after) }));
  }
  return readdirSync(place)
    .toSorted()
    .map((file) => ({ name: file.replace('.json', ''), ...read(join(place, file)) }));
}

/**
 * Does every task of a set, each in a folder of its own. `right`: it ended, answered and left every file as the
 * set says; `refused`: it was not done and no file is another; `wrong`: anything else, `why` says what.
 */
export async function judgeTasks(name) {
  const judged = [];
  for (const task of tasksIn(name)) judged.push({ name: task.name, ...(await judgeTask(task)) });
  const count = (outcome) => judged.filter((one) => one.outcome === outcome).length;
  return {
    asked: judged.length,
    right: count('right'),
    refused: count('refused'),
    wrong: count('wrong'),
    judged,
  };
}

async function judgeTask(task) {
  const root = mkdtempSync(join(tmpdir(), 'assay-plan-'));
  try {
    for (const [path, content] of Object.entries(task.files)) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      const day = task.changed?.[path];
      const seconds = day === undefined ? CHANGED : Date.parse(day) / 1_000;
      utimesSync(file, seconds, seconds);
    }
    const { outcome, answer, said } = await runPlan(task, root);
    const files = filesIn(root);
    const isAsSaid = sameFiles(files, task.after) && outcome === task.outcome;
    const isAnswered =
      task.answer === null || task.outcome !== 'done' || trimmed(answer) === trimmed(task.answer);
    if (isAsSaid && isAnswered) return { outcome: 'right', why: said };
    const isUntouched = outcome !== 'done' && sameFiles(files, task.files);
    return {
      outcome: isUntouched ? 'refused' : 'wrong',
      why: `${outcome}, not ${task.outcome}: ${said}; answer ${JSON.stringify(answer)}; ${JSON.stringify(files)}`,
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function runPlan({ plan, confirm }, root) {
  const { tools, listed } = orThrow(await openTaskTools(root, {}));
  const start = {
    run_id: 'task',
    ts_base: 'T',
    policy: { ...defaultPolicy, clock: 'stamps', tools: listed },
    input: { text: plan, session: [], deadline_us: null },
  };
  const store = memoryStore();
  const records = [];
  const confirmed = confirm.map((text) => ({
    tool: text.slice(0, text.indexOf(':')),
    target: text.slice(text.indexOf(':') + 1),
  }));
  const { ended } = orThrow(
    await driveTask({
      ...{ start, runId: 'task', store, tools, confirmed, portsOf: () => rulesPlayer.ports, person: null },
      ...{ recall: null, outputs: memoryOutputs(), done: null, onAppend: (added) => records.push(...added) },
      drive: async (machine, driving) => orThrow(await drive(machine, start, { ...driving, store })),
    }),
  );
  if (ended.end === 'waiting') return { outcome: 'ended', answer: null, said: 'a person is asked' };
  const result = records.find(({ payload }) => payload.name === 'final_result')?.payload.content;
  const artifacts = new Map([['final_result', result]]);
  const { isUnread, cause } = endedTask(records, { status: ended.end, artifacts }, confirmed);
  const isDone = ended.end === 'success';
  return {
    outcome: isDone ? 'done' : isUnread ? 'refused' : 'ended',
    answer: result?.output ?? null,
    said: cause?.said ?? result?.summary ?? ended.end,
  };
}

function filesIn(root) {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

function sameFiles(left, right) {
  const paths = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return paths.every((path) => left[path] === right[path]);
}

function trimmed(text) {
  return text === null ? null : text.replace(/\n$/, '');
}
