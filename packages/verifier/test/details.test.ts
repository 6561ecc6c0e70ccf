import { ok, type Digest, type EvidenceRecord, type Json, type Sha256 } from '@assay/kernel';
import { referenceEncode } from '@assay/kernel/reference';
import { describe, expect, it } from 'vitest';
import { chain, erase, hashOf, reforge } from '../../kernel/tools/ledger-builder.js';
import {
  CHECKS,
  citedLedger,
  parseExpectation,
  verify,
  VerifyStream,
  verifyTogether,
  type VerifyOptions,
  type VerifyReport,
} from '@assay/verifier';
import { fileOf, here, machines, sha256, start, success, tell, there } from '../tools/runs.js';

const { records } = success();
const DERIVED = records.filter(({ kind }) => kind !== 'genesis' && kind !== 'proposal').length;
const report = (given: readonly EvidenceRecord[], options: VerifyOptions = {}): VerifyReport =>
  verify('run', fileOf(given), { machines, sha256, ...options });
const judge = (given: readonly EvidenceRecord[], options: VerifyOptions = {}): VerifyReport['document'] =>
  report(given, options).document;
const codes = (document: VerifyReport['document']): unknown[] =>
  CHECKS.map((check) => document.checks[check].code ?? document.checks[check].verdict);
const headOf = (given: readonly EvidenceRecord[]): { readonly count: number; readonly hash: Digest } => ({
  count: given.length,
  hash: given.at(-1)?.record_hash ?? hashOf(0),
});

/** A chain that is not ours: anything at all may stand in its payloads. */
const foreign = (...payloads: readonly Json[]): EvidenceRecord[] =>
  chain(payloads.map((payload, index) => ({ ts: 't', kind: index === 0 ? 'x' : 'proposal', payload })));

describe('what a verdict says beside its code', () => {
  it('integrity held: how many records, whether a second encoder agreed, and what was not read', () => {
    expect(judge(records).checks.integrity.detail).toEqual({ records: records.length, remarks: [] });
    expect(judge(records, { reference: referenceEncode }).checks.integrity.detail).toEqual({
      records: records.length,
      remarks: [],
      reference: true,
    });
    expect(judge(records, { hashOnly: true }).checks.integrity.detail).toMatchObject({
      records: records.length,
      remarks: [],
      hash_only: { judged: expect.stringMatching(/\w/), not_judged: expect.stringMatching(/\w/) },
    });
    expect(judge(foreign(1)).checks.integrity.detail).toEqual({ records: 1, remarks: ['foreign_chain'] });
  });

  it('integrity failed: where in the record, or nothing', () => {
    expect(
      judge(reforge(records, (payload, index) => (index === 5 ? { ...payload, events: 1 } : undefined)))
        .checks.integrity,
    ).toMatchObject({ code: 'payload_shape', record: 5, detail: { path: '/payload/events' } });
    expect(verify('run', new Uint8Array()).document.checks.integrity).toMatchObject({
      code: 'empty',
      detail: null,
    });
  });

  it('rederivation: how many records were derived again, up to where it went', () => {
    const detail = (given: readonly EvidenceRecord[], options: VerifyOptions = {}): Json =>
      judge(given, options).checks.rederivation.detail;
    expect(detail(records)).toEqual({ derived: DERIVED });
    expect(detail(records, { limits: { records: 4 } })).toEqual({ records: 4, bytes: null, derived: 2 });
    expect(detail(erase(records, [4]))).toMatchObject({ derived: 2 });
    expect(detail(records, { machines: [] })).toEqual({
      got: { name: 'tally', version: 1, engine: null },
      derived: 0,
    });
    expect(
      detail(reforge(records, (payload, index) => (index === 3 ? { ...payload, code: 'other' } : undefined))),
    ).toEqual({ field: '/payload/code', expected: 'unknown_option', got: 'other' });
  });

  it('completeness: the head that was given and the one that is there', () => {
    const detail = (given: readonly EvidenceRecord[], head: VerifyOptions['head'] & object): Json =>
      judge(given, { head }).checks.completeness.detail;
    const beyond = { count: records.length + 1, hash: hashOf(1) };
    expect(detail(records, beyond)).toEqual({ expected: beyond, got: headOf(records) });
    expect(detail(records.slice(0, -1), headOf(records))).toEqual({
      expected: headOf(records),
      got: headOf(records.slice(0, -1)),
    });
    expect(detail(records, { count: 3, hash: hashOf(1) })).toEqual({
      expected: { count: 3, hash: hashOf(1) },
      got: records[2]?.record_hash,
    });
  });

  it('an expectation in another form is refused by its code', () => {
    for (const text of ['run', 'head=x'])
      expect(parseExpectation(text)).toEqual({ _tag: 'Left', left: { code: 'expectation' } });
  });
});

describe('the end of a file', () => {
  it('is not waited for once integrity failed', () => {
    let pulled = 0;
    function* chunks(): Generator<Uint8Array> {
      for (; pulled < 9; pulled += 1) yield fileOf(records.slice(1));
    }
    expect(verify('run', chunks(), { machines }).document.checks.integrity.verdict).toBe('failed');
    expect(pulled).toBeLessThan(2);
  });
});

describe('a digest', () => {
  it('that is given is the one used, and without one there is another', () => {
    let calls = 0;
    const counted: Sha256 = (bytes) => {
      calls += 1;
      return sha256(bytes);
    };
    expect(judge(records, { sha256: counted })).toEqual(
      verify('run', fileOf(records), { machines }).document,
    );
    expect(calls).toBeGreaterThan(records.length);
  });
});

describe('by hashes alone', () => {
  it('what stands inside payloads is not judged', () => {
    const odd = reforge(records, (_, index) => (index === 5 ? { any: 'thing' } : undefined));
    expect(codes(judge(odd))).toEqual(['payload_shape', 'integrity', 'integrity', 'integrity', 'integrity']);
    expect(codes(judge(odd, { hashOnly: true }))).toEqual([
      'held',
      'limit',
      'no_head',
      'unsigned',
      'no_witness',
    ]);
  });

  it('a foreign chain has an unknown format', () => {
    expect(judge(foreign(1, 2), { hashOnly: true }).checks.rederivation).toMatchObject({
      verdict: 'not_checked',
      code: 'unknown_format',
      record: 0,
      count: 1,
    });
  });
});

describe('a foreign chain', () => {
  const ALL: readonly Json[] = [
    null,
    1,
    'x',
    [],
    [null],
    {},
    { cites: 1 },
    { cites: [null] },
    { cites: [{ run_id: 'poll-1', count: 1, hash: hashOf(1) }] },
  ];

  it('says the same whatever stands in its payloads', () => {
    const poll = citedLedger(report(records, { keepIndex: true }));
    if (poll === null) throw new Error('poll-1 cannot be cited');
    const cited = new Map([['poll-1', poll]]);
    for (const payload of ALL) {
      const document = judge(foreign(payload, payload), { cited });
      expect(codes(document)).toEqual(['held', 'unknown_format', 'no_head', 'unsigned', 'no_witness']);
      expect(document.checks.completeness.detail).toBeNull();
    }
    const bases: readonly Json[] = [
      1,
      {},
      { run_id: 'poll-1', count: 2, hash: records[1]?.record_hash ?? null },
    ];
    for (const base of bases) {
      const other = reforge(records, (payload, index) =>
        index === 0 ? { ...payload, format: 'assay/9', base } : undefined,
      );
      expect(judge(other, { cited }).checks.completeness).toMatchObject({ code: 'no_head', detail: null });
    }
  });

  it('meets no expectation', () => {
    for (const key of ['machine', 'policy', 'input', 'run'] as const) {
      expect(
        judge(foreign(null), { expect: [{ key, value: 'undefined' }] }).checks.completeness,
      ).toMatchObject({
        code: 'expectation',
        record: null,
        detail: { key, expected: 'undefined', got: null },
      });
      const erased = erase(foreign(null), [0]);
      expect(judge(erased, { expect: [{ key, value: '' }] }).checks.completeness.code).toBe('expectation');
    }
  });

  it('has no run id, and cannot be cited', () => {
    expect(judge(foreign(1)).head).toMatchObject({ run_id: null, count: 1 });
    expect(citedLedger(report(foreign(1), { keepIndex: true }))).toBeNull();
  });
});

describe('of several expectations', () => {
  it('each is held to what it names', () => {
    const policy = hashOf({ voters: 3, quorum: 2, attempts: 2 });
    const input = hashOf({ question: 'Where?', options: ['here', 'there'] });
    const both = (one: Digest, other: Digest): string | null =>
      judge(records, {
        expect: [
          { key: 'policy', value: one },
          { key: 'input', value: other },
        ],
      }).checks.completeness.code;
    expect(both(policy, input)).toBe('no_head');
    expect(both(input, policy)).toBe('expectation');
    expect(both(policy, policy)).toBe('expectation');
  });
});

describe('two files of one run', () => {
  const parted = (length: number, at: number): EvidenceRecord[] =>
    foreign(...Array.from({ length }, (_, index) => (index >= at ? `b${index}` : `a${index}`)));
  const together = (
    one: readonly EvidenceRecord[],
    other: readonly EvidenceRecord[],
    options: VerifyOptions = { keepIndex: true },
  ): VerifyReport['document'][] => [...verifyTogether([report(one, options), report(other, options)])];

  it('part at the first record that differs, wherever that is and whichever file is longer', () => {
    for (const [length, other] of [
      [2, 2],
      [5, 3],
      [3, 7],
      [8, 8],
      [9, 6],
    ] as const) {
      for (let at = 1; at < Math.min(length, other); at += 1) {
        const [a, b] = [parted(length, length), parted(other, at)];
        const [left, right] = together(a, b);
        expect(left?.checks.completeness).toMatchObject({
          verdict: 'failed',
          code: 'split_view',
          record: at,
          count: 1,
          detail: { expected: b[at]?.record_hash, got: a[at]?.record_hash },
        });
        expect(right?.checks.completeness).toMatchObject({
          code: 'split_view',
          record: at,
          detail: { expected: a[at]?.record_hash, got: b[at]?.record_hash },
        });
      }
    }
  });

  it('part late in files of hundreds of records as well', () => {
    const [a, b] = [parted(300, 300), parted(290, 287)];
    expect(together(a, b).map(({ checks }) => checks.completeness.record)).toEqual([287, 287]);
  });

  it('say nothing of each other where no index was kept', () => {
    const [a, b] = [parted(4, 4), parted(4, 2)];
    expect(together(a, b, {}).map(({ checks }) => checks.completeness.code)).toEqual(['no_head', 'no_head']);
    expect(
      verifyTogether([report(a), report(b, { keepIndex: true })]).map(
        ({ checks }) => checks.completeness.code,
      ),
    ).toEqual(['no_head', 'no_head']);
    expect(
      verifyTogether([report(a, { keepIndex: true }), report(b)]).map(
        ({ checks }) => checks.completeness.code,
      ),
    ).toEqual(['no_head', 'no_head']);
  });
});

describe('after a fault', () => {
  it('nothing that is pushed changes what was found', () => {
    const stream = new VerifyStream('run', { machines, sha256, reference: () => ok('{}') });
    stream.push(fileOf(tell(start(), here, there).records));
    const before = stream.records;
    stream.push(fileOf(records).subarray(0, -1));
    expect(stream.end().document).toMatchObject({
      head: null,
      checks: { integrity: { code: 'encoding', record: 0, count: 1 } },
    });
    expect(stream.records).toBe(before);
  });
});
