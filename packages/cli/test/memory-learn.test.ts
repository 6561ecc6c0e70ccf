/** A controller's run and a memory: what the solver told is remembered once, and the next run is told of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodeLine, type Json, type Request } from '@assay/kernel';
import type { JudgeBody, PlanBody, RecallBody } from '@assay/controller';
import { memoryLearnSchema } from '@assay/controller/schemas';
import { called as toolCall, criterion, planOf, play, policyWith, willing, type Cast, type Played } from '../../controller/test/lib/playing.js';
import { recallPort, writesIn } from '../src/memory/hand-on.js';
import { readMemory } from '../src/memory/stored-memory.js';
import { temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';

const folder = temporaryFolder();
const NOW = 1_795_305_600_000_000;
let made = 0;

/** A run whose writer hangs for logical reasons each time: it changes its approach, or gives up. */
const hanging: Cast = {
  ...willing,
  judge: ({ criteria }: JudgeBody) => ({ value: { verdicts: criteria.map(({ id }) => ({ criterion: id, verdict: 'fail', failure_class: 'logical', evidence: 'it hung' })), what_was_wrong: 'it hung', what_to_do: null } }),
};

function ledgerOf({ records }: Played): string {
  made += 1;
  const path = join(folder, `run-${made}.jsonl`);
  writeFileSync(path, records.map((record) => `${encodeLine(record)}\n`).join(''));
  return path;
}

describe('learn', () => {
  test('remembers each message of R7 once, cited, however often it is handed on', async () => {
    const played = play(policyWith(), hanging);
    const writes = writesIn('played', played.records);
    expect(writes.length).toBeGreaterThan(0);
    for (const { head } of writes) expect(played.records[head.count - 1]?.record_hash).toBe(head.hash);
    const path = ledgerOf(played);
    const url = `file:${join(folder, 'learned')}`;
    expect(await calledJson('memory', 'learn', url, path, '--at', String(NOW))).toMatchObject({ is_new: true, taken: writes.length, known: 0, rejected: [] });
    const once = await readMemory(url, 'memory');
    expect(memoryLearnSchema.safeParse(await calledJson('memory', 'learn', url, path, '--at', String(NOW)))).toMatchObject({ success: true });
    expect(await calledJson('memory', 'learn', url, path, '--at', String(NOW))).toMatchObject({ is_new: false, taken: 0, known: writes.length });
    expect((await readMemory(url, 'memory')).head).toEqual(once.head);
    expect(await calledJson('memory', 'inspect', url)).toMatchObject({ tags: expect.arrayContaining([expect.objectContaining({ space: 'intent:write_the_report', action: 'avoid' })]) });
    expect((await called('verify', join(folder, 'learned', 'memory.ledger.jsonl'))).stdout).toContain('rederivation  held');
  });

  test('eight at once all get in, and the same ledger from all of them is remembered once', { timeout: 60_000 }, async () => {
    const played = play(policyWith(), hanging);
    const [path, url] = [ledgerOf(played), `file:${join(folder, 'crowded')}`];
    const ended = await Promise.all(Array.from({ length: 8 }, () => called('memory', 'learn', url, path)));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(Array.from({ length: 8 }, () => [0, '']));
    const { run } = await readMemory(url, 'memory');
    expect(run.state.cited.size).toBe(writesIn('played', played.records).length);
  });

  test('a ledger of another machine, or one that does not replay, teaches nothing', async () => {
    const url = `file:${join(folder, 'untaught')}`;
    const forged = ledgerOf(play(policyWith(), hanging));
    const { readFileSync } = await import('node:fs');
    writeFileSync(forged, readFileSync(forged, 'utf8').replace('"it hung"', '"it sang"'));
    expect((await called('memory', 'learn', url, forged)).code).toBe(3);
    const golden = join(import.meta.dirname, '../../../golden-fixtures/tally-success/ledger.jsonl');
    expect(await called('memory', 'learn', url, golden)).toMatchObject({ code: 2, stderr: expect.stringMatching(/^assay: other_machine:/) });
    expect((await called('memory', 'inspect', url)).code).toBe(5);
  });
});

test('the next run is told of it: an avoided intent hands over what failed, and the recall cites the memory\'s head', async () => {
  const url = `file:${join(folder, 'shared')}`;
  await called('memory', 'learn', url, ledgerOf(play(policyWith(), hanging)), '--at', String(NOW));
  const { head } = await readMemory(url, 'memory');
  const port = recallPort(url, 'memory', NOW);
  const body: RecallBody = { intent: 'intent:write_the_report', tools: ['write_file', 'shell'] };
  const answer = await port.perform({ id: '1.0', kind: 'recall', body, accepts: ['run'], attempts: 1 } as unknown as Request, { key: 'k', signal: new AbortController().signal });
  expect(answer.cites).toEqual([head]);
  const plans: PlanBody[] = [];
  const played = play(policyWith({ memory: true }), {
    ...willing,
    recall: () => ({ value: answer.value as Json }),
    plan: (asked: PlanBody) => {
      plans.push(asked);
      return { value: planOf([{ criteria: [criterion('the report is there')] }]) };
    },
    execute: () => ({ value: { status: 'completed', output: 'written', tool_calls: [toolCall('write_file', 'report')] } as unknown as Json }),
  });
  expect(played.rejections).toEqual([]);
  expect(JSON.stringify(plans[0]?.must_not)).toContain('the report');
  expect(played.result?.directive).toBe('accept');
});
