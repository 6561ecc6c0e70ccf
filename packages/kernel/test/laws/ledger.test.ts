import { createHash } from 'node:crypto';
import {
  encodeLine,
  hashCanonical,
  Ledger,
  nobleSha256,
  orThrow,
  readCanonical,
  utf8Bytes,
  validateChain,
  type Digest,
  type EvidenceRecord,
  type Json,
} from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryAdmitted, arbitraryText } from '../../tools/arbitrary-json.js';
import { lawRuns } from '../../tools/laws.js';
import type { ChainCode } from '../../src/ledger/chain.js';

const RUNS = lawRuns('ledger laws');
const native = (bytes: Uint8Array): Digest => createHash('sha256').update(bytes).digest('hex') as Digest;

type Entry = readonly [ts: string, kind: string, payload: Json];
const entries: fc.Arbitrary<readonly Entry[]> = fc.array(
  fc.tuple(arbitraryText(6), arbitraryText(6), arbitraryAdmitted(2)),
  { maxLength: 8, size: 'max' },
);
const someEntries: fc.Arbitrary<readonly Entry[]> = fc.array(
  fc.tuple(arbitraryText(6), arbitraryText(6), arbitraryAdmitted(2)),
  { minLength: 1, maxLength: 8, size: 'max' },
);

function ledgerOf(list: readonly Entry[], sha256 = native): Ledger {
  const ledger = new Ledger(sha256);
  for (const entry of list) orThrow(ledger.append(...entry));
  return ledger;
}

const other = (digest: string): Digest => ((digest.startsWith('0') ? '1' : '0') + digest.slice(1)) as Digest;

type Change = {
  readonly name: string;
  readonly code: ChainCode;
  readonly apply: (record: EvidenceRecord) => unknown;
};

/** One change to each field and to the set of keys, with the code that must catch it. */
const CHANGES: readonly Change[] = [
  { name: 'v', code: 'version', apply: (record) => ({ ...record, v: 2 }) },
  { name: 'v as text', code: 'shape', apply: (record) => ({ ...record, v: '1' }) },
  { name: 'ts', code: 'record_hash', apply: (record) => ({ ...record, ts: `${record.ts}x` }) },
  { name: 'kind', code: 'record_hash', apply: (record) => ({ ...record, kind: `${record.kind}x` }) },
  {
    name: 'parent',
    code: 'record_hash',
    apply: (record) => ({ ...record, parent: other(record.parent ?? '0'.repeat(64)) }),
  },
  { name: 'parent as text', code: 'shape', apply: (record) => ({ ...record, parent: '' }) },
  { name: 'payload', code: 'payload_hash', apply: (record) => ({ ...record, payload: [record.payload] }) },
  {
    name: 'payload_hash',
    code: 'payload_hash',
    apply: (record) => ({ ...record, payload_hash: other(record.payload_hash) }),
  },
  {
    name: 'record_hash',
    code: 'record_hash',
    apply: (record) => ({ ...record, record_hash: other(record.record_hash) }),
  },
  { name: 'an extra key', code: 'shape', apply: (record) => ({ ...record, note: null }) },
  {
    name: 'no ts',
    code: 'shape',
    apply: (record) => Object.fromEntries(Object.entries(record).filter(([key]) => key !== 'ts')),
  },
];

describe('laws of the ledger', () => {
  it(
    'ledger/append-then-verify: a chain made by appending validates, from records and from ' +
      'the lines they are written as',
    () => {
      fc.assert(
        fc.property(entries, (list) => {
          const { records, hash, count } = ledgerOf(list);
          const end = { _tag: 'Right', right: { count: list.length, hash, erased: 0 } };
          expect(count).toBe(list.length);
          expect(hash).toBe(records.at(-1)?.record_hash ?? null);
          expect(validateChain(records, native)).toEqual(end);
          const lines = records.map((record) => orThrow(readCanonical(utf8Bytes(encodeLine(record)))).value);
          expect(validateChain(lines, native)).toEqual(end);
          expect(records.map(({ payload_hash }) => payload_hash)).toEqual(
            list.map(([, , payload]) => orThrow(hashCanonical(payload))),
          );
        }),
        RUNS,
      );
    },
  );

  it(
    'ledger/prefix-stable: appending more changes no earlier record, and each prefix is a ' +
      'valid chain ending in its own hash',
    () => {
      fc.assert(
        fc.property(someEntries, entries, (first, more) => {
          const ledger = ledgerOf(first);
          const before = ledger.records;
          for (const entry of more) orThrow(ledger.append(...entry));
          expect(before.length).toBe(first.length);
          expect(ledger.records.slice(0, first.length)).toEqual(before);
          expect(ledgerOf(first).records).toEqual(before);
          expect(validateChain(ledger.records.slice(0, first.length), native)).toEqual({
            _tag: 'Right',
            right: { count: first.length, hash: before.at(-1)?.record_hash, erased: 0 },
          });
        }),
        RUNS,
      );
    },
  );

  it('ledger/any-field-change-breaks: a change to any field of any record is found at that record, by its code', () => {
    fc.assert(
      fc.property(someEntries, fc.nat(), fc.constantFrom(...CHANGES), (list, at, { code, apply }) => {
        const records: unknown[] = [...ledgerOf(list).records];
        const index = at % records.length;
        records[index] = apply(records[index] as EvidenceRecord);
        expect(validateChain(records, native)).toEqual({ _tag: 'Left', left: { code, record: index } });
      }),
      RUNS,
    );
  });

  it(
    'ledger/any-order-change-breaks: a record dropped, doubled or moved breaks the link of ' +
      'the record after it',
    () => {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(arbitraryText(4), arbitraryText(4), arbitraryAdmitted(1)), {
            minLength: 2,
            maxLength: 8,
            size: 'max',
          }),
          fc.nat(),
          (list, at) => {
            const { records } = ledgerOf(list);
            const index = at % (records.length - 1);
            const parent = (record: number): unknown => ({ _tag: 'Left', left: { code: 'parent', record } });
            expect(validateChain(records.toSpliced(index, 1), native)).toEqual(parent(index));
            expect(validateChain([...records.slice(0, index + 1), ...records.slice(index)], native)).toEqual(
              parent(index + 1),
            );
            expect(
              validateChain(
                records.toSpliced(
                  index,
                  2,
                  records[index + 1] as EvidenceRecord,
                  records[index] as EvidenceRecord,
                ),
                native,
              ),
            ).toEqual(parent(index));
          },
        ),
        RUNS,
      );
    },
  );

  it(
    'ledger/rehashing-one-record-breaks-the-next: a changed record with its own hashes made ' +
      'right is found one record later, unless it is the last',
    () => {
      fc.assert(
        fc.property(someEntries, fc.nat(), arbitraryAdmitted(1), (list, at, payload) => {
          const { records } = ledgerOf(list);
          const index = at % records.length;
          const forged = ledgerOf([...list.slice(0, index), ['', 'forged', [payload]]]).records[
            index
          ] as EvidenceRecord;
          const result = validateChain(records.with(index, forged), native);
          if (index === records.length - 1) expect(result._tag).toBe('Right');
          else expect(result).toEqual({ _tag: 'Left', left: { code: 'parent', record: index + 1 } });
        }),
        RUNS,
      );
    },
  );

  it('ledger/erasure-keeps-the-chain: records without payload still link, and are counted', () => {
    fc.assert(
      fc.property(someEntries, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (list, erased) => {
        const { records, hash } = ledgerOf(list);
        const kept = records.map((record, index) => {
          const { payload, ...rest } = record;
          return erased[index] === true ? rest : { ...rest, payload };
        });
        expect(validateChain(kept, native)).toEqual({
          _tag: 'Right',
          right: { count: list.length, hash, erased: list.filter((_, index) => erased[index]).length },
        });
      }),
      RUNS,
    );
  });

  it('ledger/digest-independent: the default digest and the native one give the same records', () => {
    fc.assert(
      fc.property(entries, (list) => {
        expect(ledgerOf(list, nobleSha256).records).toEqual(ledgerOf(list).records);
        expect(validateChain(ledgerOf(list).records)).toEqual(validateChain(ledgerOf(list).records, native));
      }),
      RUNS,
    );
  });
});
