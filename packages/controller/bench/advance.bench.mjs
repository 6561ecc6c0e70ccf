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
    available: true,
  })),
};
const SOURCES = { execute: 'tool' };

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
  plan: ({ round }) => ({
    task_criteria: [criterion('the table has every branch')],
    subtasks: Array.from({ length: SUBTASKS }, (_, index) => ({
      label: `part ${index}`,
      sequence: 1 + (index >> 1),
      intent: `collect part ${index}`,
      context: 'one line per branch',
      success_criteria: [criterion('the part is written'), criterion('its sums agree')],
      uses: [{ tool: 'write_file', target: `part-${round}-${index}.csv` }],
    })),
  }),
  execute: ({ subtask, attempt }) => ({
    status: 'completed',
    output: 'written',
    tool_calls: [
      {
        tool: 'write_file',
        input: `part-${subtask.replace('.', '-')}.csv`,
        output: `wrote 120 lines, attempt ${attempt}`,
        status: 'ok',
        output_bytes: 30,
        digest: null,
        irreversible: false,
      },
    ],
  }),
  judge: ({ subtask, criteria, attempt }) => ({
    verdicts: criteria.map(({ id }, index) =>
      verdict(
        id,
        index === 1 && subtask.endsWith('.2')
          ? 'fail'
          : index === 1 && attempt === 0 && subtask.endsWith('.2')
            ? 'fail'
            : 'pass',
      ),
    ),
    what_was_wrong: 'the sums differ',
    what_to_do: 'add again',
  }),
};

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

function proposal(request) {
  return {
    request_id: request.id,
    source: SOURCES[request.kind] ?? 'rule',
    proposer: 'bench',
    confidence: null,
    value: say[request.kind](request.body),
    failure: null,
    at_us: null,
    spent: { tokens: 12 },
    cites: [],
    provenance: {},
  };
}

/** The answers of one whole run, in order. */
function script() {
  const answers = [];
  let { run } = begin();
  while (run.outcome === null) {
    const [request] = openRequests(run);
    const answer = proposal(request);
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
        input: { text: 'collect the figures of all branches', session: [] },
      },
      options,
    ),
  );
}

const answers = script();
const rates = [];
for (let round = 0; round < rounds + 3; round += 1) {
  const begun = Array.from({ length: RUNS }, () => begin().run);
  const start = process.cpuUsage().user;
  for (let run of begun) for (const answer of answers) run = orThrow(advance(run, answer)).run;
  const spent = process.cpuUsage().user - start;
  if (round >= 3) rates.push((answers.length * RUNS * 1_000_000) / spent);
}
rates.sort((a, b) => a - b);
const median = rates[rates.length >> 1];
const target = atLeast(
  'controller-advance',
  'steps of a controller run: answers advanced a second',
  median,
  20_000,
  'steps/s',
);
console.log(
  JSON.stringify(
    shown(
      {
        bench: 'controller-advance',
        machine: machine(),
        node: process.version,
        steps: answers.length,
        rounds: rates.length,
        steps_per_s: { median, least: rates[0], most: rates.at(-1) },
        targets: [target],
      },
      0,
    ),
  ),
);
