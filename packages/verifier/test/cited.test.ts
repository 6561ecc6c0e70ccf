import {
  makeContinuation,
  snapshot,
  type Base,
  type Digest,
  type EvidenceRecord,
  type Head,
  type Json,
  type Snapshot,
} from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import {
  citedLedger,
  verify,
  type CitedLedger,
  type VerifyOptions,
  type VerifyReport,
} from '@assay/verifier';
import { erase, hashOf, LedgerBuilder } from '../../kernel/tools/ledger-builder.js';
import { fileOf, here, machines, noted, sha256, start, tell, there, type Told } from '../tools/runs.js';

const ZEROS = '0'.repeat(64) as Digest;
const report = (records: readonly EvidenceRecord[], options: VerifyOptions = {}): VerifyReport =>
  verify('f', fileOf(records), { machines, sha256, keepIndex: true, ...options });
const cited = (
  records: readonly EvidenceRecord[],
  options: VerifyOptions = {},
): ReadonlyMap<string, CitedLedger> => {
  const ledger = citedLedger(report(records, options));
  if (ledger === null) throw new Error('cannot be cited');
  return new Map([[ledger.run_id, ledger]]);
};
/** Whether the base of a child holds against a parent. */
const judged = (base: Base, ledgers: ReadonlyMap<string, CitedLedger>): Json => {
  const { detail } = report(
    new LedgerBuilder({
      run_id: 'child',
      base: base as unknown as Json,
      first: base.snapshot === null ? 0 : base.count,
    }).records(),
    { cited: ledgers },
  ).document.checks.completeness;
  return (detail as { readonly cited: { readonly base: Json } }).cited.base;
};
const headAt = (run_id: string, records: readonly EvidenceRecord[], count: number, first = 0): Head => ({
  run_id,
  count,
  hash: records[count - 1 - first]?.record_hash ?? ZEROS,
});
const citing = (head: Head, ledgers: ReadonlyMap<string, CitedLedger>): Json => {
  const { detail } = report(tell(start(), { ...here, cites: [head] }).records, { cited: ledgers }).document
    .checks.completeness;
  return (detail as { readonly cited: { readonly cites: Json } }).cited.cites;
};
const HELD = { held: 1, failed: 0, not_checked: 0 };
const FAILED = { held: 0, failed: 1, not_checked: 0 };

/** Notices until the last decision carries a state hash. */
function snapshotOf(told: Told): { readonly records: readonly EvidenceRecord[]; readonly taken: Snapshot } {
  let next = told;
  for (let note = 0; note < 1_000; note += 1) {
    const taken = snapshot(next.run);
    if (taken !== null) return { records: next.records, taken };
    next = tell(next, noted(String(note)));
  }
  throw new Error('no snapshot here');
}

describe('a cited head', () => {
  const { records, taken } = snapshotOf(tell(start({ run_id: 'parent' }), here));
  const second = tell(start({ run_id: 'second', base: makeContinuation(taken) }), there).records;
  const first = records.length;

  it('holds at each record that is there, from the first to the last', () => {
    for (const count of [1, 2, records.length])
      expect(citing(headAt('parent', records, count), cited(records))).toEqual(HELD);
    for (const count of [first + 1, first + second.length])
      expect(citing(headAt('second', second, count, first), cited(second))).toEqual(HELD);
  });

  it('fails where there is no record, whatever hash it names', () => {
    for (const count of [records.length + 1, records.length + 9, 10_000])
      expect(citing({ run_id: 'parent', count, hash: ZEROS }, cited(records))).toEqual(FAILED);
    for (const count of [1, first, first + second.length + 1])
      expect(citing({ run_id: 'second', count, hash: ZEROS }, cited(second))).toEqual(FAILED);
  });
});

describe('a head of a continuation', () => {
  const { records, taken } = snapshotOf(tell(start({ run_id: 'parent' }), here));
  const second = tell(start({ run_id: 'second', base: makeContinuation(taken) }), there, noted('a')).records;
  const first = records.length;
  const against = (count: number, hash: Digest): unknown => {
    const { verdict, code, record } = report(second, { head: { count, hash } }).document.checks.completeness;
    return [verdict, code, record];
  };

  it('is found by its sequence', () => {
    expect(against(first + second.length, second.at(-1)?.record_hash ?? ZEROS)).toEqual([
      'not_checked',
      'open_run',
      null,
    ]);
    expect(against(first + 1, second[0]?.record_hash ?? ZEROS)).toEqual(['not_checked', 'beyond_head', 1]);
    expect(against(first + 2, second[0]?.record_hash ?? ZEROS)).toEqual(['failed', 'head_mismatch', 1]);
    expect(against(first + 1, ZEROS)).toEqual(['failed', 'head_mismatch', 0]);
  });

  it('mismatches at no record of the file where it ends before the file begins', () => {
    for (const count of [1, first])
      expect(against(count, second[0]?.record_hash ?? ZEROS)).toEqual(['failed', 'head_mismatch', null]);
  });
});

describe('what fails of several citations', () => {
  it('is counted, base included, and named at the first record', () => {
    const { records, taken } = snapshotOf(tell(start({ run_id: 'parent' }), here));
    const base = makeContinuation(taken);
    const wrong = { run_id: 'parent', count: 1, hash: hashOf(1) };
    const verdictOf = (given: Base, cites: readonly Head[]): unknown => {
      const { code, record, count, detail } = report(
        tell(start({ run_id: 'child', base: given }), { ...here, cites: [...cites] }).records,
        { cited: cited(records) },
      ).document.checks.completeness;
      return [code, record, count, (detail as { readonly reason?: Json }).reason !== undefined];
    };
    expect(verdictOf({ ...base, hash: hashOf(1) }, [wrong, wrong])).toEqual(['head_mismatch', 0, 3, true]);
    expect(verdictOf({ ...base, hash: hashOf(1) }, [])).toEqual(['head_mismatch', 0, 1, true]);
    expect(verdictOf(base, [wrong, wrong])).toEqual(['head_mismatch', 2, 2, true]);
    expect(verdictOf(base, [wrong, headAt('parent', records, 1)])).toEqual(['head_mismatch', 2, 1, true]);
    expect(verdictOf(base, [headAt('parent', records, 1)])).toEqual(['no_head', null, 0, false]);
  });

  it('two citations are shown, whichever way they went', () => {
    const other = tell(start({ run_id: 'other' }), here).records;
    const [held, failed, unknown] = [
      headAt('other', other, 1),
      { ...headAt('other', other, 1), hash: ZEROS },
      { ...headAt('other', other, 1), run_id: 'x' },
    ];
    const both = (...cites: readonly Head[]): Json =>
      (
        report(tell(start(), { ...here, cites }).records, { cited: cited(other) }).document.checks
          .completeness.detail as { readonly cited: { readonly cites: Json } }
      ).cited.cites;
    expect(both(held, failed)).toEqual({ held: 1, failed: 1, not_checked: 0 });
    expect(both(held, unknown)).toEqual({ held: 1, failed: 0, not_checked: 1 });
    expect(both(failed, unknown)).toEqual({ held: 0, failed: 1, not_checked: 1 });
  });

  it('one citation alone is shown, whichever way it went', () => {
    const other = tell(start({ run_id: 'other' }), here).records;
    for (const [head, counts] of [
      [headAt('other', other, 1), HELD],
      [{ ...headAt('other', other, 1), hash: ZEROS }, FAILED],
      [
        { ...headAt('other', other, 1), run_id: 'x' },
        { held: 0, failed: 0, not_checked: 1 },
      ],
    ] as const) {
      expect(citing(head, cited(other))).toEqual(counts);
    }
  });
});

describe('the state that a base takes over', () => {
  const { taken } = snapshotOf(tell(start({ run_id: 'parent' }), here));
  // Without open requests, whose ids would rest on the sequences of the run it was taken from.
  const state = { ...makeContinuation(taken).snapshot, open: {} } as unknown as Base['snapshot'];
  const state_hash = hashOf(state as unknown as Json);
  /**
   * A parent of three groups: one with this state hash and an artifact, one rejected, one decided without a
   * state.
   */
  const parent = (hash: Digest | null): readonly EvidenceRecord[] => {
    const built = new LedgerBuilder({ run_id: 'parent' })
      .decide({ asks: ['a', 'b'] })
      .propose('1.0', 1)
      .decide({ asks: ['c'], state_hash: hash })
      .artifact('n', 1)
      .propose('3.0', 2)
      .reject('no')
      .propose('3.0', 3)
      .decide();
    return built.records();
  };
  const at = (
    records: readonly EvidenceRecord[],
    count: number,
    snapshotted: Base['snapshot'] = state,
  ): Base => ({ ...headAt('parent', records, count), snapshot: snapshotted });

  it('is that of the decision of the group, whatever follows it there', () => {
    const records = parent(state_hash);
    expect(records.map(({ kind }) => kind)).toEqual([
      'genesis',
      'decision',
      'proposal',
      'decision',
      'artifact',
      'proposal',
      'rejection',
      'proposal',
      'decision',
    ]);
    expect(judged(at(records, 5), cited(records))).toBe('held');
    expect(judged(at(records, 4), cited(records))).toBe('failed');
    expect(judged(at(records, 2), cited(records))).toBe('failed');
  });

  it('is found at each of many decisions', () => {
    const built = new LedgerBuilder({ run_id: 'parent' }).decide({ asks: ['a', 'b', 'c', 'd', 'e'] });
    for (let index = 0; index < 5; index += 1) built.propose(`1.${index}`, index).decide({ state_hash });
    const records = built.records();
    for (const count of [4, 6, 8, 10]) expect(judged(at(records, count), cited(records))).toBe('held');
  });

  it('is none after a rejection, nor where the decision carries none', () => {
    const records = parent(null);
    expect(judged(at(records, 5), cited(records))).toBe('failed');
    expect(judged(at(records, 7), cited(records))).toBe('failed');
    expect(judged(at(records, 7, null), cited(records))).toBe('held');
    const stated = parent(state_hash);
    expect([judged(at(stated, 7), cited(stated)), judged(at(stated, 7, null), cited(stated))]).toEqual([
      'failed',
      'held',
    ]);
  });

  it('is not known where the decision was erased, and not asked for without a snapshot', () => {
    const records = erase(parent(state_hash), [3]);
    expect(judged(at(records, 5), cited(records))).toBe('not_checked');
    expect(judged(at(records, 5, null), cited(records))).toBe('held');
  });

  it('a group that a proposal follows is at its end, whether or not it can be derived', () => {
    const records = parent(state_hash);
    for (const options of [{ machines: [] }, { hashOnly: true }]) {
      // A fork is compared by its answers, and these stand inside payloads.
      expect(judged(at(records, 5, null), cited(records, options))).toBe(
        'hashOnly' in options ? 'not_checked' : 'held',
      );
      expect(judged(at(records, 9, null), cited(records, options))).toBe('not_checked');
      for (const inside of [1, 3, 4, 6, 8])
        expect(judged(at(records, inside, null), cited(records, options))).toBe('failed');
    }
  });
});
