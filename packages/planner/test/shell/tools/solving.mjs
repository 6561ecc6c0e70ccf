/** A goal that is solved for real: files are written, a check runs, an agent works, the parts are assembled. */
import { controller } from '@assay/controller';
import { orThrow } from '@assay/kernel';
import { openTaskTools, choosePlayers, policyOver } from '@assay/controller/shell';
import { rulesPlayer } from '@assay/proposers/task-rules';
import { AGENT_RESOLVER, leafPorts } from '@assay/planner/shell';
import { folderBlobs, folderDoneCalls, folderOutputs } from '@assay/host';
import { defaultPolicy } from '@assay/planner';
import { join } from 'node:path';
const check = (id) => ({
  id,
  type: 'logic',
  domain: 'software',
  title: 'the tests pass',
  scope: 'local',
  hard: true,
  removal: null,
  payload: {
    t: 'check',
    name: 'unit',
  },
});
const cap = {
  ...check('cost'),
  domain: 'cost',
  title: 'at most five dollars',
  scope: 'aggregate',
  payload: {
    t: 'cap',
    unit: 'cents',
    op: '<=',
    bound: 500,
    margin: null,
    otherwise: null,
  },
};
/** The goal, as a planner's run begins with it. */
export const SOLVING = {
  run_id: 'solved',
  ts_base: 'T',
  policy: {
    ...defaultPolicy,
    mode: 'solve',
    extract: false,
    checks: [{ name: 'unit', command: [process.execPath, 'src/add.test.mjs'] }],
    budget: { cents: 1e3 },
    resolvers: [
      ...defaultPolicy.resolvers.map((each) =>
        each.id === 'model-0'
          ? {
              ...each,
              bound: { cents: 20 },
            }
          : each,
      ),
      AGENT_RESOLVER,
    ],
  },
  input: {
    goal: 'a function that adds, with a test and a note',
    modality: 'text',
    constraints: [cap, check('unit')],
    suggestions: [],
    strikes: [],
  },
};
export const RIGHT = 'export const add = (a, b) => a + b;\n';
export const TEST =
  'import assert from "node:assert";\nimport { add } from "./add.mjs";\nassert.equal(add(2, 3), 5);\n';

/** What a model says: a plan, code that is wrong at first, its test. Every answer costs three cents. */
function modelSays({ kind, body }) {
  const asked = body;
  if (kind === 'consistency') return { conflicts: [] };
  if (kind === 'verify') throw new Error('nobody judges here');
  if (asked.node === 'goal') {
    const task = (id, title, after) => ({
      id,
      title,
      after,
      minutes: 5,
      confidence: 9e5,
      amounts: { cost: 10 },
    });
    return {
      tasks: [
        task('code', 'write the function', []),
        task('tests', 'write the test', []),
        task('apply', 'put both into the folder', ['code', 'tests']),
        task('note', 'write "it adds" to note.md', ['apply']),
      ],
      carries: [['apply', ['unit']]],
      needs: [
        ['apply', 'file_ops'],
        ['note', 'agent_work'],
      ],
      measures: [],
      couples: [],
      questions: [],
    };
  }
  const isCode = asked.node.endsWith('code');
  const files = isCode
    ? [
        {
          path: 'src/add.mjs',
          text: RIGHT,
        },
      ]
    : [
        {
          path: 'src/add.test.mjs',
          text: TEST,
        },
      ];
  return {
    artifact: {
      format: 'files',
      summary: asked.goal,
      content: { files },
    },
    leaf_kind: 'atomic',
    leaf_reason: 'one file',
    manifest: null,
    checks: [],
    figures: [],
  };
}
/** The ports of that goal. `folder`: for blobs, outputs and the journal; `calls`: told of each of the model's. */
export async function solvingPorts(
  { workspace, folder, store },
  calls = () => undefined,
  policy = SOLVING.policy,
) {
  const tools = orThrow(
    await openTaskTools(workspace, {
      checks: Object.fromEntries(policy.checks.map(({ name, command }) => [name, command])),
    }),
  );
  const model = {
    source: 'synthetic',
    proposer: 'fixture:hand',
    bound: () => ({ cents: 20 }),
    perform: (request, { key }) => {
      calls(key);
      return Promise.resolve({
        value: modelSays(request),
        spent: { cents: 3 },
      });
    },
  };
  const blobs = folderBlobs(join(folder, 'blobs'));
  const rules = policyOver({
    tools: tools.listed,
    memory: false,
    clock: 'stamps',
  });
  const agent = {
    runId: SOLVING.run_id,
    store,
    policy: rules,
    task: {
      tools: tools.tools,
      portsOf: choosePlayers([], rulesPlayer).portsOf,
      person: null,
      confirmed: [],
      recall: null,
      outputs: folderOutputs(join(folder, 'outputs')),
      done: folderDoneCalls(join(folder, 'done'), {}),
    },
    toolset: tools.toolset,
    blobs,
    machine: controller,
    isModel: true,
  };
  return leafPorts({
    policy,
    tools: tools.toolset,
    blobs,
    agent,
    commands: null,
    others: ({ kind }) => (kind === 'hire' ? null : model),
  });
}
