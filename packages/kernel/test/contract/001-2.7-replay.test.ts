/** 001 §2.7 Replay, clause by clause, for the small machine. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hashCanonical,
  orThrow,
  replayable,
  replayWith,
  type ClosePayload,
  type EvidenceRecord,
} from '@assay/kernel';
import { tally, tallyLedger } from '@assay/testing';
import { native } from '../machine/native.js';
import { copies, known, smallPoll } from '../replay/poll.js';
import { draws } from '../../tools/laws.ts';

const { records } = smallPoll();

describe('001 §2.7 replay(records)', () => {
  it('validates the chain: a record that does not hash or link is named with its code', () => {
    const last = records.length - 1;
    const edits: readonly (readonly [string, number, Partial<EvidenceRecord>])[] = [
      ['payload_hash', 3, { payload: {} }],
      ['record_hash', 4, { kind: 'close' }],
      ['record_hash', 5, { ts: 't#000000000009' }],
      ['record_hash', last, { record_hash: records[0]?.record_hash as EvidenceRecord['record_hash'] }],
      ['record_hash', 6, { parent: records[0]?.record_hash ?? null }],
    ];
    for (const [code, at, change] of edits) {
      const forged = copies(records).map((record, index) =>
        index === at ? { ...record, ...change } : record,
      );
      expect(replayWith(known, forged)).toMatchObject({ left: { check: 'integrity', code, record: at } });
    }
    expect(replayWith(known, copies(records).toSpliced(5, 1))).toMatchObject({
      left: { check: 'integrity', code: 'parent', record: 5 },
    });
  });

  it('reconstructs the graph and the artifacts', () => {
    const { artifacts, dag } = orThrow(replayWith(known, copies(records)));
    const close = records.at(-1)?.payload as unknown as ClosePayload;
    expect(dag.root()).toBe(close.dag_root_hash);
    expect(
      Object.fromEntries(
        Object.entries(artifacts).map(([name, content]) => [name, orThrow(hashCanonical(content))]),
      ),
    ).toEqual(close.artifact_hashes);
  });

  it('recomputes summary_hash identically: H({ledger_last_hash, dag_root_hash, artifact_hashes})', () => {
    fc.assert(
      fc.property(tallyLedger({ sha256: native, isClosed: true }), ({ records: ledger }) => {
        const { artifact_hashes, dag_root_hash } = ledger.at(-1)?.payload as unknown as ClosePayload;
        const expected = orThrow(
          hashCanonical({ artifact_hashes, dag_root_hash, ledger_last_hash: ledger.at(-1)?.record_hash }),
        );
        return orThrow(replayWith([replayable(tally, { sha256: native })], ledger)).summary_hash === expected;
      }),
      { numRuns: draws(300), seed: 41 },
    );
  });

  it('has no summary before the run is closed', () => {
    for (let cut = 1; cut < records.length; cut += 1)
      expect(orThrow(replayWith(known, records.slice(0, cut))).summary_hash).toBeNull();
  });
});
