/** Tasks, audits and memories for clients: what is done in a folder, and what nobody here may allow. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openTaskTools, choosePlayers, playedPolicy, policyOver } from '@assay/controller/shell';
import { rulesPlayer } from '@assay/proposers/task-rules';
import { createMemory, handOn, writesIn } from '@assay/controller/memory-shell';
import { orThrow, type EvidenceRecord } from '@assay/kernel';
import { memoryStore, soundRecord } from '@assay/host';
import type { Desk } from '../src/index.ts';
import { beside, desk } from './tools/desk.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-mcp-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
async function recordsOf({ store }: Desk, runId: string): Promise<readonly EvidenceRecord[]> {
  const records: EvidenceRecord[] = [];
  for await (const line of store.read(runId)) {
    const record = soundRecord(line);
    if (record !== null) records.push(record);
  }
  return records;
}

describe('a task', async () => {
  const tools = orThrow(await openTaskTools(root, {}));
  const { portsOf, casting } = choosePlayers([], rulesPlayer);
  const policy = policyOver({ tools: tools.listed, memory: false, clock: 'asked' });
  const own = desk({
    store: memoryStore(),
    task: { tools, portsOf, policy: orThrow(playedPolicy(policy, casting, false)), journal: null },
  });
  const ask = await beside(own);

  test('is done in the folder, recorded, explained and audited; the same words are the same run', async () => {
    writeFileSync(join(root, 'a.txt'), 'one');
    const first = await ask.call('task', { task: 'copy a.txt to b.txt', run_id: 'copied' });
    expect(first.json).toMatchObject({ status: 'success', waits_for: [], result: { directive: 'accept' } });
    expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('one');
    rmSync(join(root, 'b.txt'));
    expect((await ask.call('task', { task: 'copy a.txt to b.txt', run_id: 'copied' })).json).toEqual(
      first.json,
    );
    expect(existsSync(join(root, 'b.txt'))).toBe(false);
    expect((await ask.call('show', { run_id: 'copied' })).text).toContain('write_file');
    expect((await ask.call('audit', { run_ids: ['copied'] })).json).toMatchObject({ alerts: 0 });
  });

  test('that would lose something waits for a person, whom no client plays', async () => {
    const { json } = await ask.call('task', { task: 'delete a.txt' });
    expect(json).toMatchObject({
      status: 'waiting',
      waits_for: [{ tool: 'remove_file', target: 'a.txt' }],
      result: null,
    });
    expect(existsSync(join(root, 'a.txt'))).toBe(true);
    expect(
      (await ask.call('answer', { run_id: json['run_id'], request_id: '1.0', answer: {} })).error?.code,
    ).toBe('unknown_tool');
  });

  test('leaves a memory that can be looked into', async () => {
    expect((await ask.call('show', { run_id: 'memory' })).error?.code).toBe('no_run');
    orThrow(await createMemory(own.store, 'memory'));
    orThrow(await handOn(own.store, 'memory', writesIn('copied', await recordsOf(own, 'copied'))));
    expect((await ask.call('show', { run_id: 'memory' })).text).toContain('intent:copy_a_txt');
  });
});
