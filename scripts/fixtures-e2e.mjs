/**
 * `node scripts/fixtures-e2e.mjs`: writes the golden runs of `assay control` anew, one for each directive and
 * one for each way in which words refer to an earlier run. Each is the ledger that the real command
 * leaves in a workspace of its own, with what it takes to do it again: `task.json`, and `recording.json`
 * where roles are played by hand. The turns before are done by the same command, which cites their ledgers with `--after`.
 *
 * `--check` and CI: as `scripts/fixtures.mjs`.
 */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { prepareGoldens, writeGoldens } from './lib/goldens.mjs';
import { capture, root } from './lib/run.mjs';

prepareGoldens();
const { orThrow } = await import('@assay/kernel');
const { controller, defaultPolicy } = await import('@assay/controller');
const { openWorkspace, toolset, TOOL_NAMES } = await import('@assay/effector');
const { drive, memoryStore } = await import('@assay/host');
const { recordingOf } = await import('@assay/proposers');
const { executorPort } = await import('@assay/agent');
const { filesOfRun } = await import('./fixtures/files.mjs');
const { END_TO_END, IN_SESSION, MODIFIED_S } = await import('./fixtures/controller-e2e.mjs');

const BIN = join(root, 'packages', 'cli', 'bin', 'assay.mjs');
const base = mkdtempSync(join(tmpdir(), 'assay-e2e-'));
try {
  const files = new Map();
  const fixtures = [...END_TO_END, ...IN_SESSION];
  for (const fixture of fixtures) files.set(fixture.name, await filesOf(fixture));
  writeGoldens('controller runs end to end', fixtures, ({ name }) => files.get(name));
} finally {
  rmSync(base, { recursive: true, force: true });
}

async function filesOf({ name, directive, about, task, files, args, cast, before }) {
  const recording = cast === null ? null : await recordingFor(name, task, files, args, cast);
  const roles = recording === null ? [] : ['R1', 'R2', 'R4a', 'R4b'];
  const given = [...args, '--no-clock', '--run-id', name, '--ts-base', '2026-01-01T00:00:00Z'];
  const told = {
    task,
    directive,
    roles,
    args: given,
    modified_s: MODIFIED_S,
    files,
    ...(before.length === 0 ? {} : { before }),
  };
  const path = join(base, `${name}.json`);
  if (recording !== null) writeFileSync(path, recording);
  const out = join(base, `${name}.out`);
  const folder = workspace(`${name}-command`, files);
  const after = ledgersBefore(name, before, folder).flatMap((ledger) => ['--after', ledger]);
  const called = capture(process.execPath, [
    BIN,
    'control',
    task,
    '--workspace',
    folder,
    ...after,
    ...given,
    ...roles.flatMap((role) => ['--proposer', `${role}=recorded:${path}`]),
    '-o',
    out,
  ]);
  if (called.code > 1) throw new Error(`${name}: exit ${called.code}\n${called.stderr}`);
  const records = readFileSync(join(out, 'run.ledger.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const ended = records.find(({ kind, payload }) => kind === 'artifact' && payload.name === 'final_result')
    .payload.content.directive;
  if (before.length > 0 && ended !== directive)
    throw new Error(`${name}: ended with ${ended}, not with ${directive}`);
  const golden = filesOfRun({ name, about, machine: controller }, records, {
    artifact: 'final_result',
    path: '/reason',
  });
  return {
    ...golden,
    'task.json': `${JSON.stringify(told, null, 2)}\n`,
    ...(recording === null ? {} : { 'recording.json': recording }),
  };
}

/**
 * Does the turns before, and gives their ledgers. What they wrote is given the time of all files, since a
 * search says it.
 */
function ledgersBefore(name, before, folder) {
  return before.map(({ task, after }, index) => {
    const out = join(base, `${name}-before-${index}.out`);
    const called = capture(process.execPath, [
      BIN,
      'control',
      task,
      '--workspace',
      folder,
      '--no-clock',
      '--run-id',
      `${name}-before-${index}`,
      '--ts-base',
      '2026-01-01T00:00:00Z',
      '-o',
      out,
    ]);
    if (called.code !== 0) throw new Error(`${name}, turn ${index}: exit ${called.code}\n${called.stderr}`);
    put(folder, after);
    const written = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const entry of written) utimesSync(join(entry.parentPath, entry.name), MODIFIED_S, MODIFIED_S);
    return join(out, 'run.ledger.jsonl');
  });
}

function workspace(name, files) {
  return put(join(base, name), files);
}

function put(folder, files) {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    utimesSync(file, MODIFIED_S, MODIFIED_S);
  }
  return folder;
}

/**
 * What the roles that are played by hand say, as a recording. A call that is made twice, since a process was
 * killed over it, may say something else the second time: what a judge is asked then is recorded too.
 */
async function recordingFor(name, task, files, args, cast) {
  const proposals = [...(await playedBy(`${name}-once`, 1)), ...(await playedBy(`${name}-twice`, 2))];
  return `${JSON.stringify(orThrow(recordingOf(proposals, ({ source }) => source === 'synthetic')).document, null, 1)}\n`;

  async function playedBy(run_id, times) {
    const tools = orThrow(
      await toolset(orThrow(await openWorkspace(workspace(run_id, files))), {
        allow: { tools: TOOL_NAMES.filter((tool) => tool !== 'shell') },
      }),
    );
    const repeated = {
      run: async (request, options) => {
        for (let time = 1; time < times; time += 1) await tools.run(request, options);
        return tools.run(request, options);
      },
    };
    const hand = (kind) => ({
      source: 'synthetic',
      proposer: 'fixture:hand',
      perform: async (request) => ({ value: cast[kind](request) }),
    });
    const listed = tools.catalogue.map(({ name: tool, class: of, reversible, available }) => ({
      name: tool,
      class: of,
      reversible,
      available,
    }));
    const retries = Number(
      args.find((arg) => arg.startsWith('retries='))?.slice(8) ?? defaultPolicy.limits.retries,
    );
    const policy = {
      ...defaultPolicy,
      clock: 'stamps',
      tools: listed,
      limits: { ...defaultPolicy.limits, retries },
    };
    const records = [];
    const driven = orThrow(
      await drive(
        controller,
        { run_id, ts_base: 'T', policy, input: { text: task, session: [] } },
        {
          store: memoryStore(),
          ports: ({ kind }) => (kind === 'execute' ? executorPort(repeated) : hand(kind)),
          onEvent: (event) => {
            if (event.type === 'append') records.push(...event.records);
          },
        },
      ),
    );
    if (driven.end !== 'success')
      throw new Error(`${run_id}: ${driven.end}: ${JSON.stringify(records.at(-2)?.payload)}`);
    return records;
  }
}
