import { describe, expect, it } from 'vitest';
import {
  canonicalize,
  decodeUtf8,
  makeHead,
  orThrow,
  replayable,
  replayWith,
  resumeRun,
  snapshot,
  hashState,
  type EvidenceRecord,
  type Json,
  type Snapshot,
} from '@assay/kernel';
import { tally } from '@assay/testing';
import { smallPoll } from '../replay/poll.js';
import { ask, failing, go, puppet, start, telling } from './puppet.js';
import { readSnapshot, SNAPSHOT_FORMAT } from '../../src/machine/snapshot.js';
import { resume } from '../../src/replay/replay.js';

const { records, runs } = smallPoll();

function stored(given: Snapshot): Json {
  return JSON.parse(orThrow(decodeUtf8(orThrow(canonicalize(given))))) as Json;
}

describe('snapshot', () => {
  it('is null after a rejection, after a decision without a state hash, and of a closed run', () => {
    const opening = start({ asks: [ask({ attempts: 0 })], events: ['x'.repeat(10_000)] });
    expect(snapshot(opening.run)).not.toBeNull();
    expect(snapshot(go(opening.run, failing('1.0')).run)).toBeNull();
    expect(snapshot(go(opening.run, telling('1.0', { asks: [ask()] })).run)).toBeNull();
    expect(
      snapshot(go(opening.run, telling('1.0', { outcome: { status: 'success', reasons: [] } })).run),
    ).toBeNull();
  });

  it('has the state whose hash the ledger’s last decision carries', () => {
    for (const run of runs) {
      const taken = snapshot(run);
      if (taken === null) continue;
      const decision = records.slice(0, run.count).findLast(({ kind }) => kind === 'decision');
      expect(hashState(taken.state)).toBe((decision?.payload as { readonly state_hash: string }).state_hash);
      expect(taken.head).toEqual(makeHead(run));
      expect(taken.format).toBe(SNAPSHOT_FORMAT);
    }
  });

  it('resumed from its stored text, a run goes on to the same records', () => {
    for (const run of runs.slice(0, -1)) {
      const taken = snapshot(run);
      if (taken === null) continue;
      let resumed = orThrow(resume([replayable(puppet), replayable(tally)], stored(taken)));
      expect(resumed.due).toEqual([]);
      for (const record of records.slice(run.count)) resumed = orThrow(resumed.feed(record));
      expect(resumed).toMatchObject({ outcome: 'success', head: makeHead(runs.at(-1) ?? run) });
      expect(resumed.summary_hash).toBe(orThrow(replayWith([replayable(tally)], records)).summary_hash);
    }
  });

  it('reports faults of a resumed ledger at their place in the whole', () => {
    const [run] = runs;
    const taken = run === undefined ? null : snapshot(run);
    const resumed = orThrow(resume([replayable(tally)], taken));
    const next = records[2] as EvidenceRecord;
    expect(resumed.feed({ ...next, parent: null })).toMatchObject({
      left: { check: 'integrity', record: 2 },
    });
    expect(resumed.feed(records[3] as EvidenceRecord)).toMatchObject({ left: { code: 'parent', record: 2 } });
  });

  describe('reading one back', () => {
    const [run] = runs;
    const good = stored(
      run === undefined ? ({} as Snapshot) : (snapshot(run) as Snapshot),
    ) as unknown as Snapshot;
    const codeOf = (given: unknown): string => {
      const read = resumeRun(tally, given);
      return read._tag === 'Left' ? read.left.code : 'read';
    };

    it('accepts what was written', () => {
      expect(codeOf(good)).toBe('read');
      expect(readSnapshot(good)).toMatchObject({ right: { genesis: { run_id: 'poll' } } });
    });

    const faults: readonly (readonly [string, string, unknown])[] = [
      ['snapshot_shape', 'another format', { ...good, format: 'assay-snapshot/1' }],
      ['snapshot_shape', 'a key more', { ...good, more: 1 }],
      ['snapshot_shape', 'no JSON', { ...good, state: undefined }],
      ['snapshot_shape', 'a head of no records', { ...good, head: { ...good.head, count: 0 } }],
      [
        'snapshot_genesis',
        'an erased genesis',
        { ...good, genesis: { ...good.genesis, payload: undefined } },
      ],
      [
        'snapshot_genesis',
        'a genesis changed',
        { ...good, genesis: { ...good.genesis, ts: 't#000000000001' } },
      ],
      [
        'snapshot_genesis',
        'the genesis of another run',
        { ...good, head: { ...good.head, run_id: 'other' } },
      ],
      [
        'snapshot_graph',
        'an edge without ends',
        {
          ...good,
          graph: {
            nodes: [],
            edges: [{ id: '0'.repeat(64), kind: 'refines', from_id: '0'.repeat(64), to_id: '1'.repeat(64) }],
          },
        },
      ],
      [
        'bad_state',
        'a state the machine does not read',
        { ...good, state: { ...good.state, machine: { question: 1 } } },
      ],
    ];
    for (const [code, fault, given] of faults) {
      it(`${code}: ${fault}`, () => {
        // An undefined member is no JSON; an erased genesis simply lacks the key.
        const json = fault === 'an erased genesis' ? (JSON.parse(JSON.stringify(given)) as unknown) : given;
        expect(codeOf(json)).toBe(code);
      });
    }

    it('snapshot_machine: another machine or version, also in a list', () => {
      expect(resumeRun({ ...tally, version: 2 }, good)).toMatchObject({
        left: { code: 'snapshot_machine', detail: { name: 'tally', version: 1, engine: null } },
      });
      expect(resume([replayable(puppet)], good)).toMatchObject({
        left: { code: 'snapshot_machine', detail: { name: 'tally', version: 1, engine: null } },
      });
    });
  });
});
