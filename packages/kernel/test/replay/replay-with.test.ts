import { describe, expect, it } from 'vitest';
import {
  begin,
  follow,
  makeHead,
  nobleSha256,
  ok,
  openRun,
  orThrow,
  replayable,
  replayWith,
  snapshot,
  summaryHash,
  type EvidenceRecord,
  type Json,
} from '@assay/kernel';
import { tally } from '@assay/testing';
import { resume } from '../../src/replay/replay.js';
import { erase, hashOf, reforge } from '../../tools/ledger-builder.js';
import { native } from '../machine/native.js';
import { puppet, start } from '../machine/puppet.js';
import { copies, known, smallPoll } from './poll.js';

const { records, run } = smallPoll();

describe('replayWith', () => {
  it('gives graph, artifacts, head, outcome and summary of the run', () => {
    const replayed = replayWith(known, copies(records));
    if (replayed._tag === 'Left') throw new Error(replayed.left.code);
    const { artifacts, dag, due, genesis, head, outcome, summary_hash } = replayed.right;
    expect([head, outcome, due, summary_hash]).toEqual([makeHead(run), 'success', [], summaryHash(run)]);
    expect(dag.root()).toBe(run.graph.root());
    expect(Object.keys(artifacts)).toEqual(['minutes', 'result']);
    expect(Object.entries(artifacts).map(([name, content]) => [name, hashOf(content)])).toEqual(
      run.artifacts.sorted(),
    );
    expect(genesis.machine).toEqual({ name: 'tally', version: 1, engine: null });
  });

  it('picks the machine by name and version among several, whatever their order', () => {
    const opening = start();
    const two = {
      ...puppet,
      version: 2,
      open: () => ok({ state: { log: [] }, decision: { events: ['two'] } }),
    };
    const list = [replayable(two), replayable(tally), replayable(puppet)];
    for (const machines of [list, [...list].reverse()]) {
      expect(replayWith(machines, opening.records)._tag).toBe('Right');
      expect(replayWith(machines, records)._tag).toBe('Right');
      expect(replayWith(machines, start(undefined, two).records)._tag).toBe('Right');
    }
  });

  it('unknown_machine: another name or another version', () => {
    for (const machines of [
      [],
      [replayable(puppet)],
      [replayable({ ...tally, version: 2 })],
      [replayable({ ...tally, name: 'tallies' })],
    ]) {
      expect(replayWith(machines, records)).toEqual({
        _tag: 'Left',
        left: {
          check: 'rederivation',
          code: 'unknown_machine',
          record: 0,
          field: '/payload/machine',
          expected: null,
          got: { name: 'tally', version: 1, engine: null },
        },
      });
    }
  });

  it('unknown_machine: another engine, named by the machine or by its ledger', () => {
    const fuelled = { ...tally, engine: 'fuel#1' };
    const { policy, input } = run.genesis;
    const opened = orThrow(openRun(fuelled, { run_id: 'r', ts_base: 't', policy, input }));
    expect(opened.records[0]?.payload).toMatchObject({ machine: { engine: 'fuel#1' } });
    const at = snapshot(opened.run);
    for (const [machine, isTheirs] of [
      [fuelled, true],
      [tally, true],
      [{ ...tally, engine: 'fuel#2' }, false],
      [{ ...tally, engine: null }, false],
    ] as const) {
      const replays = [replayable({ ...tally, version: 2 }), replayable(machine)];
      const replayed = replayWith(replays, opened.records);
      expect(replayed._tag).toBe(isTheirs ? 'Right' : 'Left');
      expect(resume(replays, at)._tag).toBe(isTheirs ? 'Right' : 'Left');
      if (!isTheirs)
        expect(replayed).toMatchObject({
          left: { code: 'unknown_machine', got: { name: 'tally', version: 1, engine: 'fuel#1' } },
        });
    }
    expect(replayWith([replayable({ ...tally, engine: null })], records)._tag).toBe('Right');
    expect(replayWith([replayable(fuelled)], records)._tag).toBe('Left');
  });

  it('a tampered genesis is a broken link before it is an unknown machine or format', () => {
    for (const change of [{ machine: { name: 'other', version: 1, engine: null } }, { format: 'assay/9' }]) {
      const [first, ...rest] = copies(records);
      const forged = {
        ...(first as EvidenceRecord),
        payload: { ...(first?.payload as object), ...change } as Json,
      };
      expect(replayWith(known, [forged, ...rest])).toMatchObject({
        left: { check: 'integrity', code: 'payload_hash', record: 0 },
      });
    }
  });

  it('a follower is a value: fed twice from one place it goes on the same both times', () => {
    const started = follow(tally, records[0] as EvidenceRecord);
    if (started._tag === 'Left') throw new Error(started.left.code);
    let kept = started.right;
    for (const record of records.slice(1, 8)) {
      const fed = kept.feed(record);
      if (fed._tag === 'Left') throw new Error(fed.left.code);
      kept = fed.right;
    }
    const heads = [1, 2].map(
      () =>
        records
          .slice(8)
          .reduce<{ readonly head: unknown; readonly feed: typeof kept.feed }>((follower, record) => {
            const fed = follower.feed(record);
            if (fed._tag === 'Left') throw new Error(fed.left.code);
            return fed.right;
          }, kept).head,
    );
    expect(heads).toEqual([makeHead(run), makeHead(run)]);
    expect(kept.head.count).toBe(8);
  });

  it('native and noble digests give the same replay', () => {
    for (const sha256 of [native, nobleSha256])
      expect(replayWith([replayable(tally, { sha256 })], records)).toMatchObject({
        right: { summary_hash: summaryHash(run) },
      });
  });

  it('options of replayable hold where none are given, and yield to those given', () => {
    const used: string[] = [];
    const named = (name: string) => (bytes: Uint8Array) => (used.push(name), nobleSha256(bytes));
    replayWith([replayable(tally, { sha256: named('default') })], records);
    expect(new Set(used)).toEqual(new Set(['default']));
    used.length = 0;
    begin([replayable(tally, { sha256: named('default') })], records[0] as EvidenceRecord, {
      sha256: named('given'),
    });
    expect(new Set(used)).toContain('given');
  });

  it('begin, feed: due after each record, null outcome until the close is fed, snapshot only between groups', () => {
    let follower = begin(known, records[0] as EvidenceRecord);
    for (const [index, record] of records.entries()) {
      if (follower._tag === 'Left') throw new Error(follower.left.code);
      if (index > 0) follower = follower.right.feed(record);
      if (follower._tag === 'Left') throw new Error(follower.left.code);
      const { due, outcome, snapshot, summary_hash } = follower.right;
      const isLast = index === records.length - 1;
      expect([outcome, summary_hash === null]).toEqual(isLast ? ['success', false] : [null, true]);
      if (due.length > 0 || isLast) expect(snapshot()).toBeNull();
    }
    if (follower._tag === 'Right')
      expect(follower.right.feed(records[0] as EvidenceRecord)._tag).toBe('Left');
  });
});

describe('erased records in replay', () => {
  it('erased decisions, rejections, artifacts and close are derived again and compared by hash', () => {
    for (const [index, { kind }] of records.entries()) {
      if (kind === 'proposal' || kind === 'genesis') continue;
      expect(replayWith(known, erase(records, [index])), `${kind} ${index}`).toMatchObject({
        right: { summary_hash: summaryHash(run) },
      });
    }
    const all = records.flatMap(({ kind }, index) =>
      kind === 'proposal' || kind === 'genesis' ? [] : [index],
    );
    expect(replayWith(known, erase(records, all))).toMatchObject({
      right: { summary_hash: summaryHash(run) },
    });
  });

  it('forged, then erased: the hash differs from the derived one', () => {
    for (const kind of ['decision', 'rejection', 'artifact', 'close']) {
      const at = records.findIndex((record) => record.kind === kind);
      const forged = reforge(records, (payload, index) =>
        index === at ? { ...payload, forged: 1 } : undefined,
      );
      expect(replayWith(known, erase(forged, [at])), kind).toMatchObject({
        left: { check: 'rederivation', code: 'differs', record: at, field: '/payload_hash' },
      });
    }
  });

  it('an erased proposal stops the replay, and nothing is due after it', () => {
    const at = records.findIndex(({ kind }) => kind === 'proposal');
    const erased = erase(records, [at]);
    const until = replayWith(known, erased.slice(0, at));
    expect(until).toMatchObject({ right: { due: [] } });
    expect(until._tag === 'Right' && until.right.feed(erased[at] as EvidenceRecord)).toMatchObject({
      left: { check: 'rederivation', code: 'payload_erased', record: at },
    });
  });
});
