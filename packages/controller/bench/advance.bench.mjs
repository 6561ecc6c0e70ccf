/**
 * Steps of controller runs under the default policy: four rounds of three sub-tasks in two groups, two
 * criteria each, with corrections and three replans until the task is abandoned; every answer advanced
 * through the kernel with the runtime's digest. The answers are prepared beforehand; what is timed is
 * `advance` alone, over forty such runs. Run after a build:
 *
 *   node packages/controller/bench/advance.bench.mjs [--rounds N]
 *
 * Median over rounds; user CPU time, because other work shares the machine.
 */
import { hash } from 'node:crypto';
import { advance, openRequests, openRun, orThrow } from '@assay/kernel';
import { controller, defaultPolicy } from '@assay/controller';
import { atLeast, machine, shown } from '../../../bench/lib/targets.mjs';

const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1]) || 15;
const RUNS = 40;
const SUBTASKS = 3;
const options = { sha256: (bytes) => hash('sha256', bytes, 'hex') };
const policy = {
  ...defaultPolicy,
  clock: 'stamps',
  tools: ['find_files', 'read_file', 'write_file', 'shell'].map((name, index) => ({
    name,
    class: ['search', 'read', 'write', 'shell'][index],
    reversible: true,
    holds: false,
    again: true,
    schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  })),
};
const SOURCES = { call: 'tool' };

/**
 * What each role says; environmental failures, so that every round ends in another directive and no tool is
 * blocked.
 */
const say = {
  perceive: () => ({
    label: 'bench',
    intent: 'collect the figures of all branches',
    constraints: { scope: null, deadline_us: null },
    refers_to: null,
  }),
  plan: () => ({
    follows: [],
    task_criteria: [criterion('the table has every branch')],
    subtasks: Array.from({ length: SUBTASKS }, (_, index) => ({
      label: `part ${index}`,
      sequence: 1 + (index >> 1),
      intent: `collect part ${index}`,
      context: 'one line per branch',
      success_criteria: [criterion('the part is written'), criterion('its sums agree')],
      tools: ['write_file', 'read_file'],
      words: false,
    })),
  }),
  step: ({ subtask, attempt, seen }) =>
    seen.calls <= attempt
      ? {
          t: 'call',
          calls: [{ tool: 'write_file', input: { path: `part-${subtask.replace('.', '-')}.csv` } }],
          why: 'the part is to be written',
        }
      : { t: 'done', output: 'written', rests_on: [seen.calls - 1] },
  call: ({ input, n }) => made(input.path, `wrote 120 lines, call ${n}`),
  judge: ({ subtask, criteria, attempt }) => ({
    verdicts: criteria.map(({ id }, index) => ({
      ...verdict(
        id,
        index === 1 && subtask.endsWith('.2')
          ? 'fail'
          : index === 1 && attempt === 0 && subtask.endsWith('.2')
            ? 'fail'
            : 'pass',
      ),
      calls: [0],
    })),
    what_was_wrong: 'the sums differ',
    what_to_do: 'add again',
  }),
};

/** R4b, where a task gets so far. */
const merge = ({ criteria }) => ({
  merged_output: 'read',
  summary: 'read',
  verdicts: criteria.map(({ id }) => verdict(id, 'pass')),
});

/** What a call left behind. */
function made(target, output) {
  return {
    status: 'ok',
    code: null,
    why: null,
    output,
    output_bytes: output.length,
    digest: null,
    target,
    irreversible: false,
    loses: null,
  };
}

function criterion(text) {
  return { text, mode: 'verifiable', hard: true, check: null };
}

function verdict(id, word) {
  return {
    criterion: id,
    verdict: word,
    failure_class: word === 'fail' ? 'environmental' : null,
    evidence: 'line 3 of the file',
  };
}

function proposal(request, roles) {
  return {
    request_id: request.id,
    source: SOURCES[request.kind] ?? 'rule',
    proposer: 'bench',
    confidence: null,
    value: roles[request.kind](request.body),
    failure: null,
    at_us: null,
    spent: { tokens: 12 },
    cites: [],
    provenance: {},
  };
}

/** The answers of one whole run, in order. */
function script() {
  return scriptOf(begin, say);
}

function scriptOf(start, roles) {
  const answers = [];
  let { run } = start();
  while (run.outcome === null) {
    const [request] = openRequests(run);
    const answer = proposal(request, roles);
    answers.push(answer);
    run = orThrow(advance(run, answer)).run;
  }
  return answers;
}

function begin() {
  return orThrow(
    openRun(
      controller,
      {
        run_id: 'bench',
        ts_base: 'T',
        policy,
        input: { text: 'collect the figures of all branches', session: [], deadline_us: null },
      },
      options,
    ),
  );
}

/** Answers a second over so many runs of a script, each round. */
function ratesOf(begin, answers, runs) {
  const found = [];
  for (let round = 0; round < rounds + 3; round += 1) {
    const begun = Array.from({ length: runs }, () => begin().run);
    const start = process.cpuUsage().user;
    for (let run of begun) for (const answer of answers) run = orThrow(advance(run, answer)).run;
    const spent = process.cpuUsage().user - start;
    if (round >= 3) found.push((answers.length * runs * 1_000_000) / spent);
  }
  return found.sort((a, b) => a - b);
}

/** One sub-task that reads so many files, each another one, call by call. */
function reading(count) {
  const input = { text: 'read them all', session: [], deadline_us: null };
  const limits = { ...policy.limits, calls: 256, task_calls: 256 };
  const opening = { run_id: 'calls', ts_base: 'T', policy: { ...policy, limits }, input };
  const roles = {
    ...say,
    merge,
    plan: () => {
      const plan = say.plan();
      return { ...plan, subtasks: plan.subtasks.slice(0, 1) };
    },
    step: ({ seen }) =>
      seen.calls < count
        ? {
            t: 'call',
            calls: [{ tool: 'read_file', input: { path: `notes/${seen.calls}.md` } }],
            why: 'the next',
          }
        : { t: 'done', output: 'read', rests_on: [0] },
  };
  const start = () => orThrow(openRun(controller, opening, options));
  return { start, answers: scriptOf(start, roles) };
}

const { median, least, most, steps } = summary(ratesOf(begin, script(), RUNS), script().length);
const calls = new Map(
  [64, 256].map((count) => {
    const { start, answers } = reading(count);
    return [count, summary(ratesOf(start, answers, 4), answers.length)];
  }),
);

function summary(found, steps) {
  return { median: found[found.length >> 1], least: found[0], most: found.at(-1), steps };
}

const targets = [
  atLeast(
    'controller-advance',
    'steps of a controller run: answers advanced a second',
    median,
    8_000,
    'steps/s',
  ),
  atLeast(
    'controller-calls-64',
    'a sub-task of 64 calls: answers advanced a second',
    calls.get(64).median,
    8_000,
    'steps/s',
  ),
  atLeast(
    'controller-calls-256',
    'a sub-task of 256 calls: its rate to that of 64',
    calls.get(256).median / calls.get(64).median,
    0.9,
    '',
  ),
];
console.log(
  JSON.stringify(
    shown(
      {
        bench: 'controller-advance',
        machine: machine(),
        node: process.version,
        steps,
        rounds,
        steps_per_s: { median, least, most },
        calls: Object.fromEntries(calls),
        targets,
      },
      2,
    ),
  ),
);
