import {
  hashCanonical,
  Ledger,
  orThrow,
  ResultError,
  validateChain,
  type EvidenceRecord,
} from '@assay/kernel';
import { describe, expect, it } from 'vitest';

const ledgerOf = (...payloads: readonly unknown[]): Ledger => {
  const ledger = new Ledger();
  for (const payload of payloads) orThrow(ledger.append(`ts-${ledger.count}`, 'kind', payload));
  return ledger;
};

describe('001 §2.2 evidence ledger', () => {
  it('001 §2.2 Ledger.append(ts, kind, payload) gives the EvidenceRecord', () => {
    const ledger = new Ledger();
    const record = orThrow(ledger.append('2026-01-01T00:00:00Z', 'seed.received', { text: 'hi' }));
    expect(record).toMatchObject({
      ts: '2026-01-01T00:00:00Z',
      kind: 'seed.received',
      payload: { text: 'hi' },
    });
    expect(ledger.records).toEqual([record]);
  });

  it('001 §2.2 validate_chain(records) gives nothing to complain of, or raises through orThrow', () => {
    const { records } = ledgerOf(1, 2, 3);
    expect(() => orThrow(validateChain(records))).not.toThrow();
    expect(() => orThrow(validateChain(records.toSpliced(1, 1)))).toThrow(ResultError);
  });

  it('001 §2.2 EvidenceRecord v1: v=1, ts, kind, parent, payload, payload_hash, record_hash and no more', () => {
    const [record] = ledgerOf({ a: 1 }).records;
    expect(Object.keys(record ?? {}).sort()).toEqual([
      'kind',
      'parent',
      'payload',
      'payload_hash',
      'record_hash',
      'ts',
      'v',
    ]);
    expect(record?.v).toBe(1);
  });

  it('001 §2.2 hash formulas: payload_hash of the payload, record_hash of the rest', () => {
    for (const record of ledgerOf({ a: [1, 'é'] }, null).records) {
      const { v, ts, kind, parent, payload, payload_hash, record_hash } = record;
      expect(payload_hash).toBe(orThrow(hashCanonical(payload)));
      expect(record_hash).toBe(orThrow(hashCanonical({ v, ts, kind, parent, payload_hash })));
    }
  });

  it('001 §2.2 in memory: what was appended cannot be changed through the ledger', () => {
    const ledger = ledgerOf({ list: [1] });
    const [record] = ledger.records as [EvidenceRecord];
    expect(() => ((record as { kind: string }).kind = 'x')).toThrow(TypeError);
    expect(() => (record.payload as { list: number[] }).list.push(2)).toThrow(TypeError);
    expect(validateChain(ledger.records)._tag).toBe('Right');
  });
});
