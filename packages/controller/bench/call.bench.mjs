/**
 * What one call of a task costs without its tool's own time: R3 is asked, its move is decided, the call is
 * made and what came of it decided on, which are two groups of two records in a file, each durable before
 * what follows; against bare appends of the same lines, two each, with one write and one sync of the data.
 * Beside it a call that acts, which is noted begun and done. Roles and tools answer at once.
 *
 * Task and bare appends take turns; ratios are medians of the rounds' own ratios. Prints one JSON document.
 *
 *   npm run build && node packages/controller/bench/call.bench.mjs [--rounds N] [--calls N]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { driveTask, namedPlayer, choosePlayers } from '@assay/controller/shell';
import { defaultPolicy } from '@assay/controller';
import { drive, folderDoneCalls, memoryOutputs } from '@assay/host';
import { orThrow } from '@assay/kernel';
import { fileStore } from '@assay/host/store-file';
import { atMost, machine, median, option, rounded } from '../../../bench/lib/targets.mjs';

const rounds = option('--rounds', 21);
const calls = option('--calls', 200);
const WARM_ROUNDS = 3;
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const about = { reversible: true, holds: false, again: true, schema: { type: 'object' } };
const tools = [
  ['look', 'read'],
  ['act', 'write'],
].map(([name, of]) => ({ ...about, name, class: of, run: async () => ({ output: 'x'.repeat(500) }) }));
const listed = tools.map(({ run: _, ...tool }) => tool);
const limits = { ...defaultPolicy.limits, calls: 256, task_calls: 256 };
const criteria = [{ text: 'it is done', mode: 'verifiable', hard: true, check: null }];

const kinds = ['look', 'act'];
const found = Object.fromEntries(kinds.map((kind) => [kind, []]));
for (let round = -WARM_ROUNDS; round < rounds; round += 1)
  for (const kind of kinds) {
    const place = join(folder, `${kind}${round + WARM_ROUNDS}`);
    const { seconds, lines } = await task(kind, place);
    const ratio = seconds / calls / (await bare(`${place}.jsonl`, lines));
    if (round >= 0) found[kind].push(ratio);
  }

const ratios = Object.fromEntries(kinds.map((kind) => [kind, median(found[kind])]));
console.log(
  JSON.stringify({
    bench: 'agent-call',
    node: process.version,
    machine: machine(),
    rounds,
    calls,
    times_a_bare_step: Object.fromEntries(kinds.map((kind) => [kind, rounded(ratios[kind], 3)])),
    targets: [
      atMost(
        'agent-call',
        'a call of a task made durable, without its tool, against a bare write and sync of two records',
        ratios.look,
        6,
        'times its cost',
      ),
    ],
  }),
);

/** Drives a task of one sub-task with so many calls: its seconds, and the lines of its ledger. */
async function task(kind, place) {
  const store = fileStore(place);
  const policy = { ...defaultPolicy, tools: listed, limits, clock: 'stamps' };
  const input = { text: 'do it', session: [], deadline_us: null };
  const start = { run_id: 'bench', ts_base: 'T', policy, input };
  const begun = process.hrtime.bigint();
  const { ended } = orThrow(
    await driveTask({
      start,
      runId: start.run_id,
      store,
      tools,
      portsOf: choosePlayers(
        [],
        namedPlayer('bench', () => playing(kind)),
      ).portsOf,
      person: null,
      confirmed: [],
      recall: null,
      outputs: memoryOutputs(),
      done: folderDoneCalls(`${place}.calls`),
      onAppend: () => undefined,
      drive: async (controller, driving) => orThrow(await drive(controller, start, { ...driving, store })),
    }),
  );
  const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
  if (ended.end !== 'success') throw new Error(ended.end);
  const lines = [];
  for await (const line of store.read(start.run_id)) lines.push(Buffer.concat([line, Buffer.from('\n')]));
  await store.close();
  return { seconds, lines };
}

/** Seconds of one bare step of two lines. */
async function bare(path, lines) {
  const file = await open(path, 'ax');
  const begun = process.hrtime.bigint();
  for (let at = 0; at < lines.length; at += 2) {
    await file.write(Buffer.concat(lines.slice(at, at + 2)));
    await file.datasync();
  }
  const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
  await file.close();
  return seconds / Math.ceil(lines.length / 2);
}

function playing(kind) {
  return {
    source: 'rule',
    proposer: 'bench',
    perform: async ({ kind: asked, body }) => ({ value: say(asked, body, kind) }),
  };
}

function say(asked, { seen, criteria: judged }, tool) {
  const passed = (more) =>
    judged.map(({ id }) => ({ criterion: id, verdict: 'pass', failure_class: null, evidence: '', ...more }));
  switch (asked) {
    case 'perceive':
      return {
        label: 'bench',
        intent: 'do it',
        constraints: { scope: null, deadline_us: null },
        refers_to: null,
      };
    case 'plan': {
      const subtask = { label: '', sequence: 1, intent: 'do it', context: '', words: false };
      return {
        follows: [],
        task_criteria: [],
        subtasks: [{ ...subtask, success_criteria: criteria, tools: [tool] }],
      };
    }
    case 'step':
      return seen.calls < calls
        ? { t: 'call', calls: [{ tool, input: { n: seen.calls } }], why: 'the next' }
        : { t: 'done', output: 'done', rests_on: [0] };
    case 'judge':
      return { verdicts: passed({ calls: [0] }), what_was_wrong: null, what_to_do: null };
    default:
      return { merged_output: 'done', summary: 'done', verdicts: passed({}) };
  }
}
