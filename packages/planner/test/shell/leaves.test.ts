/** Leaves that act: one goal solved for real. Source: specs K82, K83. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  encodeLine,
  field,
  orThrow,
  replayable,
  runView,
  type EvidenceRecord,
  type Json,
} from '@assay/kernel';
import { answersBy, citedLedger, verify, type CitedLedger } from '@assay/verifier';
import { answerDerivers } from '@assay/views/machines';
import { assembleInto } from '@assay/planner/shell';
import { childRunId } from '../../src/shell/agent-leaf.js';
import { controller } from '@assay/controller';
import { drive, folderBlobs, loadRun, memoryStore, nativeSha256, soundRecord, type Store } from '@assay/host';
import { planner, type Policy } from '@assay/planner';
import { afterAll, expect, test } from 'vitest';
import { RIGHT, SOLVING, solvingPorts, TEST } from './tools/solving.mjs';

const beside = realpathSync(mkdtempSync(join(tmpdir(), 'assay-leaves-')));
afterAll(() => rmSync(beside, { recursive: true, force: true }));
const place = (name: string) => {
  const [workspace, folder] = [join(beside, name, 'workspace'), join(beside, name, 'kept')];
  for (const each of [workspace, folder]) mkdirSync(each, { recursive: true });
  return { workspace, folder, store: memoryStore() };
};

async function recordsOf(store: Store, runId: string): Promise<readonly EvidenceRecord[]> {
  const records: EvidenceRecord[] = [];
  for await (const line of store.read(runId)) records.push(soundRecord(line) as EvidenceRecord);
  return records;
}

function artifact(records: readonly EvidenceRecord[], name: string): Json {
  const view = orThrow(runView(records));
  return view.artifacts.get(name)?.value ?? null;
}

test('files are written, a check runs, an agent works in a run of its own, the parts are assembled', async () => {
  const at = place('whole');
  const driven = orThrow(await drive(planner, SOLVING, { store: at.store, ports: await solvingPorts(at) }));
  expect(driven.end).toBe('success');
  expect(readFileSync(join(at.workspace, 'src/add.mjs'), 'utf8')).toBe(RIGHT);
  expect(readFileSync(join(at.workspace, 'note.md'), 'utf8')).toBe('it adds');
  const records = await recordsOf(at.store, 'solved');
  orThrow(await loadRun(planner, 'solved', at.store));
  // The run of the agent is cited by its head, and derives again.
  const cited = [...orThrow(runView(records)).answers.values()]
    .flat()
    .flatMap(({ proposal }) => proposal.cites);
  const [child] = cited;
  expect(cited).toHaveLength(1);
  expect(child?.run_id).toMatch(/^solved~\d+\.\d+~0$/);
  expect(orThrow(await loadRun(controller, child?.run_id ?? '', at.store)).head).toEqual(child);
  // The exit code of the check is what the constraint holds by.
  expect(JSON.stringify(records)).toContain('"detail":"exit 0"');
  const report = artifact(records, 'report');
  expect(field(field(report as never, 'budget') as never, 'spent')).toEqual({ cents: 12 });
  const into = join(beside, 'assembled');
  mkdirSync(into);
  const blobs = folderBlobs(join(at.folder, 'blobs'));
  expect(orThrow(await assembleInto(into, artifact(records, 'assembly'), blobs))).toBe(3);
  expect(readFileSync(join(into, 'src/add.test.mjs'), 'utf8')).toBe(TEST);
  expect(readdirSync(into).toSorted()).toEqual(['note.md', 'src']);
});

test('verify follows the head of the agent, and holds the bytes beside the ledger against their tokens', async () => {
  const at = place('checked');
  orThrow(await drive(planner, SOLVING, { store: at.store, ports: await solvingPorts(at) }));
  const machines = [replayable(planner), replayable(controller)];
  const linesOf = async (runId: string): Promise<Uint8Array> =>
    Buffer.from((await recordsOf(at.store, runId)).map((record) => `${encodeLine(record)}\n`).join(''));
  const children = orThrow(await at.store.list()).filter((id) => id.startsWith('solved~'));
  const cited = new Map<string, CitedLedger>();
  for (const id of children) {
    const bytes = await linesOf(id);
    const ledger = citedLedger(
      verify(id, bytes, { machines, sha256: nativeSha256, keepIndex: true, keepRecords: true }),
    );
    if (ledger !== null) cited.set(ledger.run_id, ledger);
  }
  const folder = join(at.folder, 'blobs');
  const blob = (sha256: string) => {
    const bytes = readFileSync(join(folder, sha256));
    return { bytes: bytes.length, sha256: nativeSha256(bytes) };
  };
  const answers = answersBy(await answerDerivers());
  const completeness = (bytes: Uint8Array) =>
    verify('solved', bytes, { machines, sha256: nativeSha256, cited, answers }).document.checks.completeness;
  const honest = await linesOf('solved');
  expect(JSON.stringify(completeness(honest))).toContain('"contents":{"held":1,"failed":0,"not_compared":0}');
  const judged = async () => {
    const outside = { openings: new Map(), blob };
    return verify('solved', await linesOf('solved'), { machines, sha256: nativeSha256, cited, outside });
  };
  const { checks } = (await judged()).document;
  expect([cited.size, checks.integrity.verdict, checks.rederivation.verdict]).toEqual([1, 'held', 'held']);
  expect(JSON.stringify((await judged()).document)).toContain('"absent_blobs":0');
  const digest = nativeSha256(Buffer.from(RIGHT));
  writeFileSync(join(folder, digest), 'export const add = () => 5;\n');
  expect((await judged()).document.checks.integrity).toMatchObject({ verdict: 'failed' });
});

test('a file that stands in the way is not replaced, and the try fails with its name', async () => {
  const at = place('held');
  mkdirSync(join(at.workspace, 'src'));
  writeFileSync(join(at.workspace, 'src/add.mjs'), 'mine\n');
  const driven = orThrow(
    await drive(planner, SOLVING, { store: at.store, ports: await solvingPorts(at), steps: 12 }),
  );
  expect(readFileSync(join(at.workspace, 'src/add.mjs'), 'utf8')).toBe('mine\n');
  const advice = driven.run.state.nodes.get('goal/apply')?.feedback.map((each) => each.advice) ?? [];
  expect(advice[0]).toBe('not accepted: needs_confirmation src/add.mjs');
});

test('who can cost more than is held back for a call is not asked; a person is', async () => {
  const at = place('dear');
  const { resolvers, ...rest } = SOLVING.policy as unknown as Policy;
  const policy = { ...rest, resolvers: resolvers.map((each) => ({ ...each, bound: { cents: 5 } })) };
  const calls: string[] = [];
  const ports = await solvingPorts(at, (key) => calls.push(key), policy as unknown as Json);
  const start = { ...SOLVING, policy: policy as unknown as Json };
  const driven = orThrow(await drive(planner, start, { store: at.store, ports }));
  expect([calls, driven.end]).toEqual([[], 'refused']);
  const asked = await recordsOf(at.store, SOLVING.run_id);
  const [hire] = [...orThrow(runView(asked)).requests.values()].filter(({ value }) => value.kind === 'hire');
  expect(hire?.value.body).toMatchObject({ reason: 'over_budget', node: 'goal' });
});

test('nothing that is assembled leaves the folder', async () => {
  const blobs = folderBlobs(join(beside, 'hostile'));
  const bytes = Buffer.from('x');
  const sha256 = await blobs.put(bytes);
  const file = { path: '../out.txt', blob: { $blob: { bytes: 1, media: 'text/plain', sha256 } } };
  const output = await blobs.put(Buffer.from(JSON.stringify({ files: [file] })));
  mkdirSync(join(beside, 'inside'));
  const parts = { output, parts: [] };
  expect(await assembleInto(join(beside, 'inside'), parts, blobs)).toMatchObject({
    left: { code: 'parent_segment', path: '../out.txt' },
  });
  expect(readdirSync(beside)).not.toContain('out.txt');
});

test('the id of a child is bounded', () => {
  expect(childRunId('a', '3.1', 0)).toBe('a~3.1~0');
  expect(childRunId('x'.repeat(126), '12.1', 1)).toMatch(/^[0-9a-f]{32}~12\.1~1$/);
});
