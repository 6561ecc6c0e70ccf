import { createHash } from 'node:crypto';
import {
  encodeLine,
  Ledger,
  LINE_LIMITS,
  orThrow,
  readCanonical,
  utf8Bytes,
  utf8Length,
  validateChain,
  type AdmissionError,
  type Digest,
  type EvidenceRecord,
  type Result,
} from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../tools/cpu-time.js';

const native = (bytes: Uint8Array): Digest => createHash('sha256').update(bytes).digest('hex') as Digest;
const refusal = (result: Result<AdmissionError, EvidenceRecord>): unknown =>
  result._tag === 'Left' ? [result.left.code, result.left.path] : 'appended';

describe('Ledger', () => {
  it('starts empty', () => {
    const ledger = new Ledger();
    expect([ledger.count, ledger.hash, ledger.records]).toEqual([0, null, []]);
    expect(validateChain(ledger.records)).toEqual({
      _tag: 'Right',
      right: { count: 0, hash: null, erased: 0 },
    });
  });

  it('links each record to the one before, in any kind and ts', () => {
    const ledger = new Ledger();
    const first = orThrow(ledger.append('2026-01-01T00:00:00Z', 'note', { b: 1, a: 2 }));
    const second = orThrow(ledger.append('yesterday', '', null));
    expect([first.parent, second.parent, ledger.hash, ledger.count]).toEqual([
      null,
      first.record_hash,
      second.record_hash,
      2,
    ]);
    expect(ledger.records).toEqual([first, second]);
    expect(first).toMatchObject({ v: 1, ts: '2026-01-01T00:00:00Z', kind: 'note', payload: { a: 2, b: 1 } });
  });

  it('keeps its records: they are frozen throughout, and the list given out is a copy', () => {
    const ledger = new Ledger();
    const payload = { list: [{ a: 1 }] };
    const record = orThrow(ledger.append('t', 'k', payload));
    payload.list.push({ a: 2 });
    expect(record.payload).toEqual({ list: [{ a: 1 }] });
    expect(Object.isFrozen(record)).toBe(true);
    expect(Object.isFrozen((record.payload as { list: object[] }).list[0])).toBe(true);
    const records = ledger.records as EvidenceRecord[];
    records.length = 0;
    expect(ledger.count).toBe(1);
    expect(ledger.records).toEqual([record]);
  });

  it('hashes with the digest it was given', () => {
    let calls = 0;
    const ledger = new Ledger((bytes) => {
      calls += 1;
      return native(bytes);
    });
    const record = orThrow(ledger.append('t', 'k', [1]));
    expect(calls).toBe(2);
    expect(record).toEqual(orThrow(new Ledger().append('t', 'k', [1])));
  });

  it('refuses what is not admitted, with the path inside the payload, and appends nothing', () => {
    const ledger = new Ledger();
    orThrow(ledger.append('t', 'k', 1));
    const { hash } = ledger;
    expect(refusal(ledger.append('t', 'k', { a: [Number.NaN] }))).toEqual(['not_finite', '/a/0']);
    expect(refusal(ledger.append('\ud800', 'k', undefined))).toEqual(['lone_surrogate', '/ts']);
    expect(refusal(ledger.append('t', '\udc00', undefined))).toEqual(['lone_surrogate', '/kind']);
    expect([ledger.count, ledger.hash]).toEqual([1, hash]);
  });

  it('takes texts for ts and kind, and throws for anything else', () => {
    const ledger = new Ledger(native);
    for (const [ts, kind] of [
      [1, 'k'],
      ['t', null],
      [undefined, undefined],
    ])
      expect(() => ledger.append(ts as string, kind as string, 1)).toThrow(
        new TypeError(`Ledger.append: ts and kind must be strings, got ${typeof ts} and ${typeof kind}`),
      );
    expect(ledger.count).toBe(0);
  });

  it('refuses what would not fit a line, so that every record it holds can be written and read', () => {
    const ledger = new Ledger(native);
    const room = LINE_LIMITS.bytes - utf8Length(encodeLine(orThrow(new Ledger(native).append('t', 'k', ''))));
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
    const appended = [
      ledger.append('t', 'k', 'x'.repeat(room)),
      new Ledger(native).append('t', 'k', nested(255)),
      new Ledger(native).append('t', 'k', new Array(262_137).fill(0)),
    ];
    for (const result of appended)
      expect(readCanonical(utf8Bytes(encodeLine(orThrow(result))))._tag).toBe('Right');
    const fresh = new Ledger(native);
    expect(refusal(fresh.append('t', 'k', 'x'.repeat(room + 1)))).toEqual(['size', '']);
    expect(refusal(fresh.append('t', 'k', nested(256)))).toEqual(['depth', '/0'.repeat(255)]);
    expect(refusal(fresh.append('t', 'k', new Array(262_138).fill(0)))).toEqual(['size', '']);
    expect(refusal(fresh.append('t', 'k', new Array(262_144).fill(0)))).toEqual(['values', '']);
    expect(refusal(fresh.append('t', 'x'.repeat(LINE_LIMITS.bytes), 1))).toEqual(['size', '']);
    expect(fresh.count).toBe(0);
  });

  it('stops at once at a value shared exponentially often', () => {
    let value: unknown = 1;
    for (let level = 0; level < 22; level += 1) value = [value, value];
    const { result, milliseconds } = cpuTime(() => new Ledger(native).append('t', 'k', value));
    expect(refusal(result)).toEqual(['values', '']);
    expect(milliseconds).toBeLessThan(20_000);
  });
});
