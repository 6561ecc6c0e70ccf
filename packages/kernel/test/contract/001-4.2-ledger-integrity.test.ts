import { hashCanonical, Ledger, orThrow, validateChain, type EvidenceRecord } from '@assay/kernel';
import { beforeAll, describe, expect, it } from 'vitest';

let records: readonly EvidenceRecord[] = [];
beforeAll(() => {
  const ledger = new Ledger();
  for (const payload of [{ n: 1 }, { n: 2 }, { n: 3 }])
    orThrow(ledger.append(`ts-${ledger.count}`, 'note', payload));
  records = ledger.records;
});
const HASH = '0'.repeat(64);

const verdict = (list: readonly unknown[]): unknown => {
  const result = validateChain(list);
  return result._tag === 'Left' ? result.left : 'valid';
};

describe('001 §4.2 ledger integrity', () => {
  it('001 §4.2 parent linkage correct', () => {
    expect(records.map(({ parent }) => parent)).toEqual([
      null,
      records[0]?.record_hash,
      records[1]?.record_hash,
    ]);
    expect(verdict(records)).toBe('valid');
    expect(verdict(records.slice(1))).toEqual({ code: 'parent', record: 0 });
    expect(verdict([records[0], records[2]])).toEqual({ code: 'parent', record: 1 });
  });

  it.each([
    ['v', 2, 'version'],
    ['ts', 'later', 'record_hash'],
    ['kind', 'other', 'record_hash'],
    ['parent', HASH, 'record_hash'],
    ['payload', { n: 9 }, 'payload_hash'],
    ['payload_hash', HASH, 'payload_hash'],
    ['record_hash', HASH, 'record_hash'],
  ])('001 §4.2 tampering with any record field breaks validation: %s', (key, value, code) => {
    for (let index = 0; index < records.length; index += 1) {
      expect(
        verdict(
          records.with(index, { ...(records[index] as EvidenceRecord), [key]: value } as EvidenceRecord),
        ),
      ).toEqual({ code, record: index });
    }
  });

  it('001 §4.2 payload changes break validation (via payload_hash mismatch)', () => {
    const [first] = records as [EvidenceRecord];
    for (const payload of [{ n: 1.5 }, { n: '1' }, { n: 1, m: 1 }, {}, null, [{ n: 1 }]]) {
      expect(verdict([{ ...first, payload }, ...records.slice(1)])).toEqual({
        code: 'payload_hash',
        record: 0,
      });
    }
  });

  it(
    '001 §4.2 a payload changed together with its hash breaks the record hash, and with that ' +
      'the link of the next record',
    () => {
      const [first, ...rest] = records as [EvidenceRecord, ...EvidenceRecord[]];
      const payload = { n: 9 };
      const payload_hash = orThrow(hashCanonical(payload));
      const rehashed = { ...first, payload, payload_hash };
      expect(verdict([rehashed, ...rest])).toEqual({ code: 'record_hash', record: 0 });
      const { v, ts, kind, parent } = first;
      expect(
        verdict([
          { ...rehashed, record_hash: orThrow(hashCanonical({ v, ts, kind, parent, payload_hash })) },
          ...rest,
        ]),
      ).toEqual({ code: 'parent', record: 1 });
    },
  );
});
