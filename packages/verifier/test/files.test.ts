import { makeContinuation, snapshot, type Base, type EvidenceRecord } from '@assay/kernel';
import {
  citedLedger,
  exitCode,
  verify,
  verifyTogether,
  type VerifyOptions,
  type VerifyReport,
} from '../src/index.ts';
import type { CitedLedgers } from '../src/verify/citations.ts';
import { describe, expect, it } from 'vitest';
import { hashOf, erase, reforge } from '../../kernel/tools/ledger-builder.js';
import {
  fileOf,
  here,
  machines,
  noted,
  sha256,
  start,
  success,
  tell,
  there,
  type Told,
} from '../tools/runs.js';

const report = (records: readonly EvidenceRecord[], options: VerifyOptions = {}): VerifyReport =>
  verify('f', fileOf(records), { machines, sha256, keepIndex: true, ...options });
const wholes = (...files: (readonly EvidenceRecord[])[]): string[] =>
  shown(files.map((records) => report(records)));
const shown = (reports: readonly VerifyReport[]): string[] =>
  verifyTogether(reports).map(({ checks: { completeness } }) =>
    [
      completeness.verdict,
      completeness.code ?? '',
      completeness.record === null ? '' : `@${completeness.record}`,
    ]
      .join(' ')
      .trim(),
  );

describe('two files of one run', () => {
  const begun = tell(start(), here);
  const [one, other] = [
    tell(begun, noted('a'), here, here).records,
    tell(begun, noted('b'), here, here).records,
  ];

  it('that go different ways are a split view, at the first record that differs', () => {
    const at = one.findIndex((record, index) => record.record_hash !== other[index]?.record_hash);
    expect(wholes(one, other)).toEqual([`failed split_view @${at}`, `failed split_view @${at}`]);
    expect(at).toBe(4);
  });

  it('of which one is a prefix say nothing of each other, and never vouch for each other', () => {
    expect(wholes(one, one.slice(0, 6))).toEqual(['not_checked no_head', 'not_checked no_head']);
    expect(wholes(one, one)).toEqual(['not_checked no_head', 'not_checked no_head']);
    expect(wholes(one, erase(one, [3]))).toEqual(['not_checked no_head', 'not_checked no_head']);
  });

  it('a split view comes after expectations and before a head', () => {
    const head = { count: one.length, hash: one.at(-1)?.record_hash ?? hashOf(0) };
    expect(shown([report(one, { head }), report(one.slice(0, 6))])).toEqual(['held', 'not_checked no_head']);
    expect(shown([report(one, { head }), report(other)])[0]).toBe('failed split_view @4');
    expect(shown([report(one, { head, expect: [{ key: 'run', value: 'x' }] }), report(other)])[0]).toBe(
      'failed expectation @0',
    );
  });

  it('with the same run id and another genesis are two runs', () => {
    expect(wholes(one, start({ ts_base: 'u' }).records)).toEqual([
      'not_checked no_head',
      'not_checked no_head',
    ]);
  });

  it('other runs, and files whose integrity failed, change nothing', () => {
    expect(wholes(one, success({ run_id: 'poll-2' }).records)).toEqual([
      'not_checked no_head',
      'not_checked no_head',
    ]);
    expect(wholes(one, other.slice(1))).toEqual(['not_checked no_head', 'not_checked integrity']);
  });

  it('of a foreign chain are one run if their first records are one', () => {
    const foreign = (records: readonly EvidenceRecord[]): EvidenceRecord[] =>
      reforge(records, (payload, index) => (index === 0 ? { ...payload, format: 'assay/9' } : undefined));
    expect(wholes(foreign(one), foreign(other))).toEqual(['failed split_view @4', 'failed split_view @4']);
    expect(wholes(foreign(one), one)).toEqual(['not_checked no_head', 'not_checked no_head']);
  });
});

describe('cited ledgers', () => {
  const parent = untilSnapshot(tell(start({ run_id: 'parent' }), here));
  const base = baseOf(parent);
  const cited = (...files: (readonly EvidenceRecord[])[]): CitedLedgers =>
    new Map(
      files
        .map((records) => citedLedger(report(records)))
        .flatMap((ledger) => (ledger === null ? [] : [[ledger.run_id, ledger] as const])),
    );
  const judge = (records: readonly EvidenceRecord[], ledgers?: CitedLedgers): unknown => {
    const { completeness } = report(records, ledgers === undefined ? {} : { cited: ledgers }).document.checks;
    return [
      completeness.verdict,
      completeness.code,
      completeness.record,
      (completeness.detail as { readonly cited?: unknown } | null)?.cited ?? null,
    ];
  };
  const none = { held: 0, failed: 0, not_checked: 0 };
  const child = (given: Base): readonly EvidenceRecord[] => start({ run_id: 'child', base: given }).records;

  it('base: held where the parent has that record, that end of a group and that state', () => {
    expect(judge(child(base))).toEqual([
      'not_checked',
      'no_head',
      null,
      { base: 'not_checked', cites: none },
    ]);
    expect(judge(child(base), cited(parent.records))).toEqual([
      'not_checked',
      'no_head',
      null,
      { base: 'held', cites: none },
    ]);
    expect(judge(child(base), cited(tell(parent, there).records))).toEqual([
      'not_checked',
      'no_head',
      null,
      { base: 'held', cites: none },
    ]);
    expect(judge(child({ ...base, snapshot: null }), cited(parent.records))).toMatchObject([
      'not_checked',
      'no_head',
      null,
      { base: 'held' },
    ]);
  });

  it.each<[string, Base, readonly EvidenceRecord[]]>([
    ['another hash', { ...base, hash: hashOf(1) }, parent.records],
    [
      'a count inside a group',
      { ...base, count: 3, hash: parent.records[2]?.record_hash ?? hashOf(0), snapshot: null },
      parent.records,
    ],
    ['a record the parent does not have', base, parent.records.slice(0, 2)],
    [
      'another state',
      {
        ...base,
        snapshot: base.snapshot === null ? null : { ...base.snapshot, artifacts: { a: hashOf(1) } },
      },
      parent.records,
    ],
    [
      'a group that the parent goes on with',
      {
        ...base,
        count: parent.records.length - 1,
        hash: parent.records.at(-2)?.record_hash ?? hashOf(0),
        snapshot: null,
      },
      parent.records,
    ],
  ])('base: failed by %s', (_, given, records) => {
    expect(judge(child(given), cited(records))).toEqual([
      'failed',
      'head_mismatch',
      0,
      { base: 'failed', cites: none },
    ]);
  });

  it('base: not checked where the parent was erased there, or its payloads were not read', () => {
    const last = parent.records.length - 1;
    expect(judge(child(base), cited(erase(parent.records, [last])))).toMatchObject([
      'not_checked',
      'no_head',
      null,
      { base: 'not_checked' },
    ]);
    const ledger = citedLedger(report(parent.records, { hashOnly: true }));
    expect(
      judge(child(base), ledger === null ? undefined : new Map([[ledger.run_id, ledger]])),
    ).toMatchObject(['not_checked', 'no_head', null, { base: 'not_checked' }]);
  });

  it(
    'base: not checked at the last record of an open file, unless re-derivation says that ' +
      'nothing is due after it',
    () => {
      const ended = success({ run_id: 'parent' }).records;
      const cut = ended.length - 1;
      expect(ended.slice(-3).map(({ kind }) => kind)).toEqual(['artifact', 'artifact', 'close']);
      const at = (count: number): readonly EvidenceRecord[] =>
        child({ run_id: 'parent', count, hash: ended[count - 1]?.record_hash ?? hashOf(0), snapshot: null });
      for (const inside of [cut, cut - 1, cut - 2])
        expect(judge(at(inside), cited(ended.slice(0, inside)))).toMatchObject([
          'not_checked',
          'no_head',
          null,
          { base: 'not_checked' },
        ]);
      expect(judge(at(cut), cited(ended))).toMatchObject(['failed', 'head_mismatch', 0, { base: 'failed' }]);
      expect(judge(at(ended.length), cited(ended))).toMatchObject([
        'not_checked',
        'no_head',
        null,
        { base: 'held' },
      ]);
      const unread = (records: readonly EvidenceRecord[], options: VerifyOptions): CitedLedgers => {
        const ledger = citedLedger(report(records, options));
        return ledger === null ? new Map() : new Map([[ledger.run_id, ledger]]);
      };
      // Without a machine, within limits and by hashes alone nobody knows; after a close or rejection everybody
      // does who read the answers.
      for (const options of [{ machines: [] }, { limits: { records: 2 } }, { hashOnly: true }]) {
        expect(judge(child({ ...base, snapshot: null }), unread(parent.records, options))).toMatchObject([
          'not_checked',
          'no_head',
          null,
          { base: 'not_checked' },
        ]);
        const known = 'hashOnly' in options ? 'not_checked' : 'held';
        expect(judge(at(ended.length), unread(ended, options))).toMatchObject([
          'not_checked',
          'no_head',
          null,
          { base: known },
        ]);
        expect(judge(at(4), unread(ended.slice(0, 4), options))).toMatchObject([
          'not_checked',
          'no_head',
          null,
          { base: known },
        ]);
      }
    },
  );

  it('a continuation of a continuation is found by its sequences', () => {
    const second = untilSnapshot(tell(start({ run_id: 'second', base }), there));
    const third = start({ run_id: 'third', base: baseOf(second) }).records;
    expect(judge(third, cited(second.records))).toMatchObject([
      'not_checked',
      'no_head',
      null,
      { base: 'held' },
    ]);
    expect(report(second.records).document.checks.rederivation.verdict).toBe('held');
  });

  it('cites of proposals are counted; the first that fails is named', () => {
    const head = {
      run_id: 'parent',
      count: parent.records.length,
      hash: parent.records.at(-1)?.record_hash ?? hashOf(0),
    };
    const citing = tell(
      start(),
      { ...here, cites: [head] },
      {
        ...there,
        cites: [
          { ...head, hash: hashOf(1) },
          { ...head, run_id: 'unknown' },
        ],
      },
    ).records;
    expect(judge(citing, cited(parent.records))).toEqual([
      'failed',
      'head_mismatch',
      4,
      { base: null, cites: { held: 1, failed: 1, not_checked: 1 }, missing: ['unknown'] },
    ]);
    expect(judge(citing)).toEqual([
      'not_checked',
      'no_head',
      null,
      { base: null, cites: { held: 0, failed: 0, not_checked: 3 } },
    ]);
  });

  it('a ledger that is cited and not among those given is named, and nothing is held without it', () => {
    const last = parent.records.at(-1)?.record_hash ?? hashOf(0);
    const head = { run_id: 'parent', count: parent.records.length, hash: last };
    const { records } = tell(start(), { ...here, cites: [head] }, there);
    const end = { count: records.length, hash: records.at(-1)?.record_hash ?? hashOf(0) };
    const document = report(records, { cited: new Map(), head: end }).document;
    expect(document.checks.completeness).toMatchObject({
      ...{ verdict: 'not_checked', code: 'no_ledger', record: 2, count: 1 },
      detail: { cited: { missing: ['parent'] } },
    });
    expect(exitCode([document])).toBe(4);
    expect(exitCode([document], { allowUnchecked: true })).toBe(0);
    expect(exitCode([report(records, { head: end }).document])).toBe(0);
    expect(exitCode([report(records, { head: end, cited: cited(parent.records) }).document])).toBe(0);
  });

  it('an edited ledger has the heads before the edit, and none behind it', () => {
    const at = parent.records.length - 2;
    const edited = parent.records.map((record, position) =>
      position === at ? { ...record, payload: { edited: true } } : record,
    );
    const citing = (count: number): unknown =>
      judge(
        tell(start(), {
          ...here,
          cites: [{ run_id: 'parent', count, hash: parent.records[count - 1]?.record_hash ?? hashOf(0) }],
        }).records,
        cited(edited),
      );
    expect(citing(at)).toMatchObject(['not_checked', 'no_head', null, { cites: { held: 1 } }]);
    expect(citing(at + 2)).toMatchObject(['failed', 'head_mismatch', 2, { cites: { failed: 1 } }]);
  });

  it('only a ledger of ours whose first record is sound can be cited', () => {
    expect(citedLedger(report(parent.records.slice(1)))).toBeNull();
    expect(citedLedger(report(parent.records, { keepIndex: false }))).toBeNull();
  });
});

/** Notices until the last decision carries a state hash. */
function untilSnapshot(told: Told): Told {
  let next = told;
  for (let note = 0; snapshot(next.run) === null; note += 1)
    next = tell(next, noted(`${told.records.length}/${note}`));
  return next;
}

function baseOf({ run }: Told): Base {
  const taken = snapshot(run);
  if (taken === null) throw new Error('no snapshot here');
  return makeContinuation(taken);
}
