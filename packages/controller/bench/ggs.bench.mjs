/**
 * One evaluation of the goal gradient over ten criteria, in a task of four rounds whose stamps are to the
 * microsecond, by the default and by the literal policy. Run after a build:
 *
 *   node packages/controller/bench/ggs.bench.mjs [--json] [--rounds N]
 *
 * Medians over rounds; user CPU time, because other work shares the machine.
 */
import { literalGgsPolicy } from '@assay/controller';
import { evaluateGgs } from '../dist/ggs/evaluate.js';
import { initialGgsHistory } from '../dist/ggs/input.js';
import { defaultGgsPolicy } from '../dist/ggs/policy.js';
import { atMost, machine, shown } from '../../../bench/lib/targets.mjs';

const TASKS = 10_000;
const isJson = process.argv.includes('--json');
const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1]) || 5;

/**
 * Ten criteria of two sub-tasks, of which `unmet` fail, every second of these logically and one plausibly.
 */
function criteria(unmet) {
  return Array.from({ length: 10 }, (_, index) => {
    const isMet = index >= unmet;
    const base = {
      id: `c${index}`,
      text: `criterion ${index}`,
      scope: 'subtask',
      subtask: index < 5 ? 's1' : 's2',
      mode: index === 1 ? 'plausible' : 'verifiable',
      hard: index === 9,
      attempts: 3,
      failed_attempts: isMet ? 0 : 2,
    };
    return isMet
      ? { ...base, verdict: 'pass', failure_class: null }
      : { ...base, verdict: 'fail', failure_class: index % 2 === 0 ? 'logical' : 'environmental' };
  });
}

const tools = ['find', 'grep', 'cat', 'write', 'shell'].map((tool) => ({
  tool,
  class: tool === 'grep' ? 'find' : tool,
}));
const inputs = [10, 8, 7, 5].map((unmet, index) => ({
  criteria: criteria(unmet),
  failed_subtasks: ['s1'],
  r4b_rejected: false,
  all_matched: false,
  replan_count: index,
  elapsed_us: 37_345_679 * (index + 1),
  deadline_us: null,
  failing_tools: [tools[index]],
  failing_targets: [{ tool: 'find', target: `/srv/data/${index}` }],
  tools,
  guard: null,
  abandon_now: null,
}));

/** Microseconds of CPU for one evaluation. */
function measure(policy) {
  const start = process.cpuUsage().user;
  for (let task = 0; task < TASKS; task += 1) {
    let history = initialGgsHistory;
    for (const input of inputs) history = evaluateGgs(policy, { ...input, history }).history;
  }
  return (process.cpuUsage().user - start) / (TASKS * inputs.length);
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

function measured(policy) {
  measure(policy);
  return median(Array.from({ length: rounds }, () => measure(policy)));
}

const report = {
  bench: 'ggs',
  node: process.version,
  machine: machine(),
  rounds,
  criteria: 10,
  default_us: measured(defaultGgsPolicy),
  literal_us: measured(literalGgsPolicy),
};
report.targets = [
  atMost(
    'ggs-default',
    'one evaluation of the goal gradient over ten criteria, default policy',
    report.default_us,
    20,
    'µs of CPU',
  ),
  atMost('ggs-literal', 'the same, literal policy', report.literal_us, 20, 'µs of CPU'),
];
const printed = shown(report);
const text = [
  `default: ${printed.default_us} µs of CPU an evaluation (target 20)`,
  `literal: ${printed.literal_us} µs of CPU an evaluation (target 20)`,
].join('\n');
process.stdout.write(isJson ? `${JSON.stringify(printed)}\n` : `${text}\n`);
