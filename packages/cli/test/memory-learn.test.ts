/**
 * A controller's run and a memory: what the solver told is remembered once, and the next run is told of it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  makeContinuation,
  encodeLine,
  orThrow,
  snapshot,
  type EvidenceRecord,
  type Genesis,
  type Json,
  type Request,
} from '@assay/kernel';
import { controller, type JudgeBody, type PlanBody } from '@assay/controller';
import { forkRun } from '@assay/kernel/fork';
import type { RecallQuery } from '@assay/controller/memory';
import {
  called as toolCall,
  criterion,
  planOf,
  play,
  policyWith,
  willing,
  type Cast,
} from '../../controller/test/lib/playing.js';
import { createMemory, handOn, recallPort, writesIn } from '@assay/controller/memory-shell';
import { inStore, memoryAt, memoryTold } from './lib/memory.ts';
import { temporaryFolder, type Ended } from './lib/assay.ts';
import { called } from './lib/called.ts';

const folder = temporaryFolder();
let made = 0;

/** A run whose writer hangs for logical reasons each time: it changes its approach, or gives up. */
const hanging: Cast = {
  ...willing,
  judge: ({ criteria }: JudgeBody) => ({
    value: {
      verdicts: criteria.map(({ id }) => ({
        criterion: id,
        verdict: 'fail',
        failure_class: 'logical',
        evidence: 'it hung',
      })),
      what_was_wrong: 'it hung',
      what_to_do: null,
    },
  }),
};

/** A run in a store of its own, by its address. */
function kept({ records }: { readonly records: readonly EvidenceRecord[] }): string {
  const { run_id } = records[0]?.payload as unknown as Genesis;
  const runs = join(folder, `runs-${(made += 1)}`);
  mkdirSync(runs);
  const text = records.map((record) => `${encodeLine(record)}\n`).join('');
  writeFileSync(join(runs, `${run_id}.ledger.jsonl`), text);
  return `file:${runs}#${run_id}`;
}

/** A run that is over is gone on with: its memory is told what it has for it. */
async function learn(memory: string, run: string): Promise<Ended> {
  return called('resume', run, '--memory', memory);
}

async function knownIn(memory: string): Promise<number> {
  return (await memoryAt(memory, 'memory')).run.state.cited.size;
}

/** A fork of a whole run, under the same policy. */
function forkOf(parent: readonly EvidenceRecord[], run_id: string): readonly EvidenceRecord[] {
  const genesis = parent[0]?.payload as unknown as Genesis;
  const { policy, input, ts_base } = genesis;
  const head = parent.at(-1) as EvidenceRecord;
  const base = { run_id: genesis.run_id, count: parent.length, hash: head.record_hash, snapshot: null };
  return orThrow(forkRun(controller, { run_id, ts_base, policy, input, base }, parent)).records;
}

describe('learn from a run that stands on another', () => {
  test('a fork teaches nothing: its rounds were never lived, and those of its parent are known already', async () => {
    const [played, url] = [play(policyWith(), hanging), `file:${join(folder, 'of-forks')}`];
    await learn(url, kept(played));
    const before = await memoryAt(url, 'memory');
    for (const fork of ['what-if', 'what-if-2']) {
      const records = forkOf(played.records, fork);
      expect(writesIn(fork, records).length).toBeGreaterThan(0);
      expect((await learn(url, kept({ records }))).stderr).toContain(
        'this run is a what-if of played, so its memory learns nothing from it',
      );
    }
    expect((await memoryAt(url, 'memory')).head).toEqual(before.head);
  });

  test('a continuation teaches what was lived in it, each once', async () => {
    const whole = writesIn('played', play(policyWith(), hanging).records).length;
    // Not every group ends with a state hash, which a continuation needs: the last that does.
    const begun = Array.from({ length: 40 }, (_, turns) =>
      play(policyWith(), hanging, { max: turns + 1 }),
    ).findLast(({ run }) => snapshot(run) !== null);
    const carried = begun === undefined ? null : snapshot(begun.run);
    if (begun === undefined || carried === null) throw new Error('no place to go on from');
    const { records } = play(policyWith(), hanging, {
      begun: { run_id: 'continued', base: makeContinuation(carried) },
    });
    const [first, rest] = [writesIn('played', begun.records), writesIn('continued', records)];
    expect([rest.length > 0, first.length + rest.length]).toEqual([true, whole]);
    const url = `file:${join(folder, 'of-parts')}`;
    await inStore(url, async ({ store }) => {
      orThrow(await createMemory(store, 'memory'));
      expect(orThrow(await handOn(store, 'memory', first)).taken).toBe(first.length);
    });
    for (const _ of [1, 2]) {
      await learn(url, kept({ records }));
      expect(await knownIn(url)).toBe(whole);
    }
  });
});

describe('learn', () => {
  test('remembers each message of R7 once, cited, however often it is handed on', async () => {
    const played = play(policyWith(), hanging);
    const writes = writesIn('played', played.records);
    expect(writes.length).toBeGreaterThan(0);
    for (const { head } of writes) expect(played.records[head.count - 1]?.record_hash).toBe(head.hash);
    const [run, url] = [kept(played), `file:${join(folder, 'learned')}`];
    for (const _ of [1, 2]) {
      expect((await learn(url, run)).stderr).toBe('');
      expect(await knownIn(url)).toBe(writes.length);
    }
    expect((await called('show', url, 'tags')).stdout).toMatch(/"intent:write_the_report" .*avoid/);
    expect((await called('verify', join(folder, 'learned', 'memory.ledger.jsonl'))).stdout).toContain(
      'rederivation  held',
    );
  });

  test('eight at once all get in, and the same run from all of them is remembered once', async () => {
    const writes = writesIn('played', play(policyWith(), hanging).records);
    const url = `file:${join(folder, 'crowded')}`;
    await inStore(url, async ({ store }) => orThrow(await createMemory(store, 'memory')));
    const told = Array.from({ length: 8 }, () =>
      inStore(url, async ({ store }) => orThrow(await handOn(store, 'memory', writes)).rejected),
    );
    expect(await Promise.all(told)).toEqual(Array.from({ length: 8 }, () => []));
    expect(await knownIn(url)).toBe(writes.length);
  });

  test('a run that does not replay teaches nothing', async () => {
    const [url, forged] = [`file:${join(folder, 'untaught')}`, kept(play(policyWith(), hanging))];
    const path = join(forged.slice('file:'.length).replace('#played', ''), 'played.ledger.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"it hung"', '"it sang"'));
    expect((await learn(url, forged)).code).toBe(3);
    expect((await called('show', url)).code).toBe(5);
  });
});

test(
  'the next run is told of it: an avoided intent hands over what failed, and the recall ' +
    "cites the memory's head",
  async () => {
    const url = `file:${join(folder, 'shared')}`;
    await learn(url, kept(play(policyWith(), hanging)));
    const before = await memoryAt(url, 'memory');
    const asking = { run_id: 'asking', count: 1, hash: before.head.hash };
    const port = recallPort(
      (telling) => inStore(url, (opened) => memoryTold(opened, 'memory', telling)),
      () => Promise.resolve(asking),
    );
    const body: RecallQuery = { intent: 'intent:write_the_report', tools: ['write_file', 'shell'] };
    const answer = await port.perform(
      { id: '1.0', kind: 'recall', body, accepts: ['run'], attempts: 1 } as unknown as Request,
      { key: 'k', signal: new AbortController().signal },
    );
    const { head } = await memoryAt(url, 'memory');
    expect([answer.cites, head.count > before.head.count]).toEqual([[head], true]);
    const plans: PlanBody[] = [];
    const played = play(policyWith({ memory: true }), {
      ...willing,
      recall: () => ({ value: answer.value as Json }),
      plan: (asked: PlanBody) => {
        plans.push(asked);
        return { value: planOf([{ criteria: [criterion('the report is there')] }]) };
      },
      execute: () => ({
        value: {
          status: 'completed',
          output: 'written',
          tool_calls: [toolCall('write_file', 'report')],
        } as unknown as Json,
      }),
    });
    expect(played.rejections).toEqual([]);
    expect(JSON.stringify(plans[0]?.must_not)).toContain('omega at write_file');
    expect(played.result?.directive).toBe('accept');
  },
);
