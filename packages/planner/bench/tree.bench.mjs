/**
 * `node packages/planner/bench/tree.bench.mjs [NODES]`: a goal tree of so many nodes (10,000) carried out to its
 * end, answer by answer, five for each leaf: CPU time of the user, microseconds an answer in the second and in
 * the last fifth, the longest step, memory.
 */
import { hash } from 'node:crypto';
import { advance, openRequests, openRun, orThrow } from '@assay/kernel';
import { defaultPolicy, planner } from '@assay/planner';
import { atMost, machine } from '../../../bench/lib/targets.mjs';

const TARGET = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 10_000);
const BRANCH = 10;
const sha256 = (bytes) => hash('sha256', bytes, 'hex');
const policy = {
  ...defaultPolicy,
  mode: 'solve',
  extract: true,
  budget: { cents: 1_000_000_000 },
  resolvers: [
    ...defaultPolicy.resolvers.map((each) =>
      each.id === 'model-0' ? { ...each, bound: { cents: 10 } } : each,
    ),
    { ...defaultPolicy.resolvers[1], id: 'coder-1', capabilities: ['generate_code'], bound: { cents: 10 } },
  ],
  limits: { ...defaultPolicy.limits, nodes: 50_000, parallel: 8 },
  tau: { local: 700_000, global: 500_000 },
};
const rubric = (id) => ({
  id,
  type: 'semantic',
  domain: 'software',
  title: id,
  scope: 'local',
  hard: true,
  removal: null,
  payload: { t: 'rubric', text: 'it does what it says' },
});
const cap = {
  ...rubric('cost'),
  type: 'logic',
  domain: 'cost',
  scope: 'aggregate',
  payload: { t: 'cap', unit: 'cents', op: '<=', bound: 100_000_000, margin: null, otherwise: null },
};
const input = {
  goal: 'a large goal',
  modality: 'text',
  constraints: [cap, rubric('works')],
  suggestions: [],
  strikes: [],
};

let planned = 1;
function answer({ kind, body }) {
  if (kind === 'extract')
    return { constraints: [{ ...rubric('small'), hard: false }], drop: [], questions: [] };
  if (kind === 'identify') return { apply: body.candidates.map(({ id }) => id), constraints: [] };
  if (kind === 'select') return { selected: [] };
  if (kind === 'route') return { steps: ['coder-1'] };
  if (kind === 'verify')
    return {
      verdict: null,
      checks: body.constraints.map(({ id }) => ({
        constraint: id,
        passed: true,
        sigma_ppm: 990_000,
        detail: '',
        repair: null,
      })),
    };
  if (kind === 'consistency') return { conflicts: [] };
  if (kind === 'assemble') return { artifact: { format: 'text', summary: '', content: 'all' } };
  const depth = body.node.split('/').length;
  if (planned < TARGET && depth < 6) {
    planned += BRANCH;
    const tasks = Array.from({ length: BRANCH }, (_, at) => ({
      id: `t${at}`,
      after: at === BRANCH - 1 ? [0, 1, 2, 3, 4, 5, 6, 7, 8].map((each) => `t${each}`) : [],
      minutes: 10,
      confidence: 900_000,
      amounts: { cost: 1_000 },
    }));
    const carries = tasks.map(({ id }) => [id, ['works']]);
    return { tasks, carries, needs: [], measures: [], couples: [], questions: [] };
  }
  return {
    artifact: { format: 'text', summary: 'done', content: body.node },
    leaf_kind: 'atomic',
    leaf_reason: '',
    manifest: null,
    checks: [],
    figures: [],
  };
}

const cpu = () => process.cpuUsage().user / 1_000;
const start = cpu();
let step = orThrow(openRun(planner, { run_id: 'tree', ts_base: 'T', policy, input }, { sha256 }));
const queue = [...openRequests(step.run)];
const marks = [start];
let [answers, longest] = [0, 0];
while (step.run.outcome === null) {
  const request = queue.shift();
  const before = cpu();
  step = orThrow(
    advance(step.run, {
      request_id: request.id,
      source: 'synthetic',
      proposer: 'bench',
      confidence: null,
      value: answer(request),
      failure: null,
      at_us: null,
      spent: { cents: 3 },
      cites: [],
      provenance: {},
    }),
  );
  longest = Math.max(longest, cpu() - before);
  answers += 1;
  if (answers % 1_000 === 0) marks.push(cpu());
  if (step.rejection !== null) throw new Error(JSON.stringify(step.rejection));
  for (const { kind, payload } of step.records) if (kind === 'decision') queue.push(...payload.requests);
}
const fifth = Math.floor((marks.length - 1) / 5);
const rate = (from) => (marks[from + fifth] - marks[from]) / fifth;
const isWhole = TARGET >= 10_000 && answers >= 50_000 && step.run.outcome === 'success';
const only = (figure) => (isWhole ? figure : null);
const figures = {
  nodes: step.run.state.made,
  answers,
  outcome: step.run.outcome,
  seconds: Math.round((cpu() - start) / 100) / 10,
  us_second_fifth: Math.round(rate(fifth)),
  us_last_fifth: Math.round(rate(marks.length - 1 - fifth)),
  longest_ms: Math.round(longest),
  rss_mib: process.memoryUsage().rss >> 20,
};
const growth = Math.round((100 * figures.us_last_fifth) / figures.us_second_fifth) / 100;
console.log(
  JSON.stringify({
    bench: 'planner-tree',
    node: process.version,
    machine: machine(),
    figures,
    targets: [
      atMost(
        'planner-tree',
        'a goal tree of 10,000 nodes, 50,000 answers, to its end',
        only(figures.seconds),
        25,
        's of CPU',
      ),
      atMost('planner-tree-memory', 'its memory', only(figures.rss_mib), 512, 'MiB'),
      atMost(
        'planner-tree-growth',
        'a step in the last fifth, against one in the second',
        only(growth),
        1.25,
        'times',
      ),
      atMost('planner-tree-longest', 'its longest step', only(figures.longest_ms), 1_000, 'ms'),
    ],
  }),
);
