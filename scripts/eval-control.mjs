/**
 * `npm run eval:control -- --proposer P [--tasks FILE]… [--details]`: how many tasks the roles do, as one JSON
 * line {asked, done, wrong, asked_person, not_done, calls, tokens}, judged by the real files. P:
 * `llm:PROVIDER/MODEL[@URL]`, with the key in the environment; `scripted`, a server that plays the tasks that
 * need reading. Rules read plans alone: `npm run eval:language`.
 * `--tasks`: relative to the caller; examples/tasks/ where none is named. `--details` says on
 * stderr what came of each. Exit 1 where an outcome is wrong.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from './lib/prepare.mjs';
import { root as repository } from './lib/run.mjs';

prepare();
const { orThrow } = await import('@assay/kernel');
const { llmPort, openModel, parseModelName } = await import('@assay/models');
const { controlTasks } = await import('@assay/controller/prompts');
const { forTerminal } = await import('@assay/views');
const { playing } = await import('./control/player.mjs');
const { runTask } = await import('./control/run.mjs');
const { SCRIPTS } = await import('./control/scripts.mjs');
const { scripted } = await import('./control/server.mjs');
const { tasksIn } = await import('./control/tasks.mjs');

/** Milliseconds that one answer of a model may take. */
const ANSWER_MS = 300_000;
const OUTCOMES = ['done', 'wrong', 'asked_person', 'not_done'];

const values = given();
const files =
  values.tasks?.map((path) => resolve(process.env.INIT_CWD ?? process.cwd(), path)) ??
  ['tasks', 'held-back'].map((name) => join(repository, 'examples', 'tasks', `${name}.jsonl`));
const tasks = files.flatMap(tasksIn);
const { name, close } =
  values.proposer === 'scripted' ? await serving() : { name: values.proposer, close: async () => {} };
const asked =
  values.proposer === 'scripted' ? tasks.filter((task) => Object.hasOwn(SCRIPTS, task.name)) : tasks;
const ports = await portsFor(name);
const base = mkdtempSync(join(tmpdir(), 'assay-control-'));
const figures = {
  asked: asked.length,
  ...Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])),
  calls: 0,
  tokens: 0,
};
try {
  for (const task of asked) {
    const { outcome, calls, tokens, why } = await runTask(task, join(base, task.name), ports, {
      deadlines: { call: ANSWER_MS },
    });
    figures[outcome] += 1;
    figures.calls += calls;
    figures.tokens += tokens;
    if (values.details) console.error(forTerminal(`${outcome} ${task.name}: ${why}`));
  }
} finally {
  rmSync(base, { recursive: true, force: true });
  await close();
}
console.log(JSON.stringify(figures));
process.exitCode = figures.wrong > 0 ? 1 : 0;

/** The options; wrong ones end the process with 2. */
function given() {
  try {
    const { values } = parseArgs({
      options: {
        proposer: { type: 'string' },
        tasks: { type: 'string', multiple: true },
        details: { type: 'boolean', default: false },
      },
    });
    if (/^(?:scripted$|llm:)/.test(values.proposer ?? '')) return values;
    throw new Error('--proposer is scripted or llm:PROVIDER/MODEL');
  } catch (error) {
    console.error(`eval:control: ${error.message}`);
    console.error('npm run eval:control -- --proposer P [--tasks FILE]… [--details]');
    process.exit(2);
  }
}

/** A server that plays the tasks, and the name of its model. */
async function serving() {
  const scripts = new Map(tasks.map((task) => [task.text, SCRIPTS[task.name]]));
  const server = await scripted('compatible', playing(scripts));
  return { name: `llm:compatible/scripted@${server.url}`, close: server.close };
}

/** Who answers for every role. */
async function portsFor(proposer) {
  const opened = await openModel(orThrow(parseModelName(proposer.slice('llm:'.length))), process.env);
  if (opened._tag === 'Left') throw new Error(`the model cannot be opened: ${JSON.stringify(opened.left)}`);
  const { model, name: named, endpoint, secrets } = opened.right;
  const told = { model, provider: named.provider, name: named.model, endpoint, secrets };
  return (context) => always(llmPort({ ...told, tasks: controlTasks(context) }));
}

function always(port) {
  return () => port;
}
