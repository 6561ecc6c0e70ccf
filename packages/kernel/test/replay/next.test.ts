import { createHash } from 'node:crypto';
import {
  encodeLine,
  follow,
  orThrow,
  snapshot,
  followFrom,
  type Digest,
  type EvidenceRecord,
} from '@assay/kernel';
import { forkRun } from '@assay/kernel/fork';
import { openPoll, tally, tallyLedger } from '@assay/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../tools/laws.js';

const RUNS = lawRuns('what comes next', 0.3);
const sha256 = (bytes: Uint8Array): Digest => createHash('sha256').update(bytes).digest('hex') as Digest;
const bytesOf = (record: EvidenceRecord): number => Buffer.byteLength(encodeLine(record));

describe('the record that comes next', () => {
  it('replay/next-is-first-due: with its line, whether the ledger is checked or not', () => {
    let derived = 0;
    fc.assert(
      fc.property(tallyLedger({ sha256 }), fc.boolean(), ({ records }, checked) => {
        let follower = orThrow(follow(tally, records[0] as EvidenceRecord, { sha256, checked }));
        for (const record of records.slice(1)) {
          const { due, next } = follower;
          expect(next).toEqual(
            due.length === 0 ? null : { record: due[0], line: encodeLine(due[0] as EvidenceRecord) },
          );
          if (next !== null) {
            expect(next.record).toEqual(record);
            derived += 1;
          }
          follower = orThrow(follower.feed(record, bytesOf(record)));
        }
        expect(follower.next?.record).toEqual(follower.due[0]);
      }),
      RUNS,
    );
    expect(derived).toBeGreaterThan(RUNS.numRuns);
  });

  it('is nothing where a run is taken up at the end of a group', () => {
    const { run } = openPoll();
    expect(snapshot(run)).not.toBeNull();
    expect(followFrom(run, run.count).next).toBeNull();
    expect(followFrom(run, run.count).due).toEqual([]);
  });
});

describe('the head a fork stands on', () => {
  it('ends a group: no decision whose artifacts or close come behind it', () => {
    const { records } = fc.sample(tallyLedger({ sha256, isClosed: true }), {
      seed: RUNS.seed,
      numRuns: 1,
    })[0] ?? { records: [] };
    const genesis = records[0]?.payload as { readonly policy: never; readonly input: never };
    for (const [index, record] of records.entries()) {
      const next = records[index + 1];
      const endsGroup =
        record.kind !== 'genesis' &&
        record.kind !== 'proposal' &&
        (next === undefined || next.kind === 'proposal');
      const base = {
        run_id: (records[0]?.payload as { readonly run_id: string }).run_id,
        count: index + 1,
        hash: record.record_hash,
        snapshot: null,
      };
      const fork = forkRun(
        tally,
        { run_id: 'fork', ts_base: 'f', policy: genesis.policy, input: genesis.input, base },
        records,
        { sha256 },
      );
      expect([index, fork._tag]).toEqual([index, endsGroup ? 'Right' : 'Left']);
    }
  });
});
