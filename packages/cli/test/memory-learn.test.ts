/**
 * A controller's run and a memory: what the solver told is remembered once, and the next run is told of it.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  continuationOf,
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
import { memoryLearnSchema } from '@assay/controller/schemas';
import {
  called as toolCall,
  criterion,
  planOf,
  play,
  policyWith,
  willing,
  type Cast,
} from '../../controller/test/lib/playing.js';
import { recallPort, writesIn } from '@assay/controller/memory-shell';
import { inStore, memoryAt, memoryTold } from '../src/files/memory-store.js';
import { temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';

const folder = temporaryFolder();
const NOW = 1_795_305_600_000_000;
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

function ledgerOf({ records }: { readonly records: readonly EvidenceRecord[] }): string {
  made += 1;
  const path = join(folder, `run-${made}.jsonl`);
  writeFileSync(path, records.map((record) => `${encodeLine(record)}\n`).join(''));
  return path;
}

/** A fork of a whole run, under the same policy. */
function forkOf(parent: readonly EvidenceRecord[], run_id: string): readonly EvidenceRecord[] {
  const genesis = parent[0]?.payload as unknown as Genesis;
  const { policy, input, ts_base } = genesis;
  const head = parent.at(-1) as EvidenceRecord;
  const base = { run_id: genesis.run_id, count: parent.length, hash: head.record_hash, snapshot: null };
  return orThrow(forkRun(controller, { run_id, ts_base, policy, input, base }, parent)).records;
}

describe('learn at a moment that no memory takes', () => {
  test.each([
    ['at_ahead', '2099-01-01'],
    ['bad_value', 'noon'],
  ])('%s: nothing is made, and a memory that is there is as it was', async (code, moment) => {
    const [name, ledger] = [`of-${code}`, ledgerOf(play(policyWith(), hanging))];
    const url = `file:${join(folder, name)}`;
    const refused = { code: 2, stderr: expect.stringMatching(new RegExp(`^assay: ${code}: `)) };
    expect(await called('memory', 'learn', url, ledger, '--at', moment)).toMatchObject(refused);
    expect(existsSync(join(folder, name))).toBe(false);
    await called('memory', 'learn', url, ledger);
    const before = (await memoryAt(url, 'memory')).head;
    expect(await called('memory', 'learn', url, ledger, '--at', moment)).toMatchObject(refused);
    expect(await called('memory', 'learn', `${url}#other`, ledger, '--at', moment)).toMatchObject(refused);
    expect([
      (await memoryAt(url, 'memory')).head,
      (await called('memory', 'inspect', `${url}#other`)).code,
    ]).toEqual([before, 2]);
  });

  test('a day ahead of a memory whose clock is ahead of this machine is no time ahead', async () => {
    const [url, ledger] = [`file:${join(folder, 'led')}`, ledgerOf(play(policyWith(), hanging))];
    const hours = (count: number): string => String((Date.now() + count * 3_600_000) * 1_000);
    for (const count of [20, 40])
      expect(
        await called(
          'memory',
          'learn',
          url,
          count === 20 ? ledger : ledgerOf(play(policyWith(), hanging, { begun: { run_id: 'later' } })),
          '--at',
          hours(count),
        ),
      ).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('learn from a run that stands on another', () => {
  test('a fork teaches nothing: its rounds were never lived, and those of its parent are known already', async () => {
    const [played, url] = [play(policyWith(), hanging), `file:${join(folder, 'of-forks')}`];
    await called('memory', 'learn', url, ledgerOf(played));
    const before = await memoryAt(url, 'memory');
    for (const fork of ['what-if', 'what-if-2']) {
      const records = forkOf(played.records, fork);
      expect(writesIn(fork, records).length).toBeGreaterThan(0);
      const { code, stderr } = await called('memory', 'learn', url, ledgerOf({ records }));
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/^assay: fork: .+\n.+\n {2}remedy {2}name the ledger of played$/m),
      ]);
    }
    expect((await memoryAt(url, 'memory')).head).toEqual(before.head);
    const unmade = `file:${join(folder, 'of-forks-alone')}`;
    await called('memory', 'learn', unmade, ledgerOf({ records: forkOf(played.records, 'what-if') }));
    expect((await called('memory', 'inspect', unmade)).code).toBe(5);
  });

  test('a continuation teaches what was lived in it, each once', async () => {
    const whole = writesIn('played', play(policyWith(), hanging).records).length;
    // Not every group ends with a state hash, which a continuation needs: the last that does.
    const begun = Array.from({ length: 40 }, (_, turns) =>
      play(policyWith(), hanging, { max: turns + 1 }),
    ).findLast(({ run }) => snapshot(run) !== null);
    const carried = begun === undefined ? null : snapshot(begun.run);
    if (begun === undefined || carried === null) throw new Error('no place to go on from');
    const parts = {
      first: begun.records,
      rest: play(policyWith(), hanging, { begun: { run_id: 'continued', base: continuationOf(carried) } })
        .records,
    };
    const [first, rest] = [writesIn('played', parts.first).length, writesIn('continued', parts.rest).length];
    expect([rest > 0, first + rest]).toEqual([true, whole]);
    const url = `file:${join(folder, 'of-parts')}`;
    const [before, continued] = [ledgerOf({ records: parts.first }), ledgerOf({ records: parts.rest })];
    expect(await calledJson('memory', 'learn', url, before)).toMatchObject({
      taken: first,
      known: 0,
      rejected: [],
    });
    expect(await calledJson('memory', 'learn', url, continued)).toMatchObject({
      taken: rest,
      known: 0,
      rejected: [],
    });
    expect(await calledJson('memory', 'learn', url, continued)).toMatchObject({
      taken: 0,
      known: rest,
      rejected: [],
    });
  });
});

describe('learn', () => {
  test('remembers each message of R7 once, cited, however often it is handed on', async () => {
    const played = play(policyWith(), hanging);
    const writes = writesIn('played', played.records);
    expect(writes.length).toBeGreaterThan(0);
    for (const { head } of writes) expect(played.records[head.count - 1]?.record_hash).toBe(head.hash);
    const path = ledgerOf(played);
    const url = `file:${join(folder, 'learned')}`;
    expect(await calledJson('memory', 'learn', url, path, '--at', String(NOW))).toMatchObject({
      is_new: true,
      taken: writes.length,
      known: 0,
      rejected: [],
    });
    const once = await memoryAt(url, 'memory');
    expect(
      memoryLearnSchema((await calledJson('memory', 'learn', url, path, '--at', String(NOW))) as Json),
    ).toBeNull();
    expect(await calledJson('memory', 'learn', url, path, '--at', String(NOW))).toMatchObject({
      is_new: false,
      taken: 0,
      known: writes.length,
    });
    expect((await memoryAt(url, 'memory')).head).toEqual(once.head);
    expect(await calledJson('memory', 'inspect', url)).toMatchObject({
      tags: expect.arrayContaining([
        expect.objectContaining({ space: 'intent:write_the_report', action: 'avoid' }),
      ]),
    });
    expect((await called('verify', join(folder, 'learned', 'memory.ledger.jsonl'))).stdout).toContain(
      'rederivation  held',
    );
  });

  test('eight at once all get in, and the same ledger from all of them is remembered once', {
    timeout: 60_000,
  }, async () => {
    const played = play(policyWith(), hanging);
    const [path, url] = [ledgerOf(played), `file:${join(folder, 'crowded')}`];
    const ended = await Promise.all(Array.from({ length: 8 }, () => called('memory', 'learn', url, path)));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(Array.from({ length: 8 }, () => [0, '']));
    const { run } = await memoryAt(url, 'memory');
    expect(run.state.cited.size).toBe(writesIn('played', played.records).length);
  });

  test('a ledger of another machine, or one that does not replay, teaches nothing', async () => {
    const url = `file:${join(folder, 'untaught')}`;
    const forged = ledgerOf(play(policyWith(), hanging));
    const { readFileSync } = await import('node:fs');
    writeFileSync(forged, readFileSync(forged, 'utf8').replace('"it hung"', '"it sang"'));
    expect((await called('memory', 'learn', url, forged)).code).toBe(3);
    const golden = join(import.meta.dirname, '../../../golden-fixtures/tally-success/ledger.jsonl');
    expect(await called('memory', 'learn', url, golden)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: other_machine:/),
    });
    expect((await called('memory', 'inspect', url)).code).toBe(5);
  });
});

test(
  'the next run is told of it: an avoided intent hands over what failed, and the recall ' +
    "cites the memory's head",
  async () => {
    const url = `file:${join(folder, 'shared')}`;
    await called('memory', 'learn', url, ledgerOf(play(policyWith(), hanging)), '--at', String(NOW));
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
