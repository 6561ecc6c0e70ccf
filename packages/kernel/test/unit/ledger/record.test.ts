import {
  admit,
  encodeLine,
  hashCanonical,
  LINE_LIMITS,
  makeRecord,
  nobleSha256,
  orThrow,
  readCanonical,
  recordHash,
  utf8Bytes,
  utf8Length,
  type Digest,
  type EvidenceRecord,
} from '../../../src/index.js';
import stringify from 'fast-json-stable-stringify';
import { describe, expect, it } from 'vitest';
import { afterPayload, beforePayload, fitsLine, type Place } from '../../../src/ledger/record.js';

const PARENT = 'ab'.repeat(32) as Digest;
const PLACES: readonly Place[] = [
  { ts: 't#000000000000', kind: 'note', parent: null },
  { ts: 't#000000000001', kind: 'note', parent: PARENT },
  { ts: '"\u2028\n\u{1f600}', kind: 'ki\\nd é\u0000', parent: PARENT },
  { ts: '', kind: '', parent: null },
];
const PAYLOADS: readonly unknown[] = [
  null,
  0,
  '',
  'é"',
  [],
  {},
  { b: [1, { d: 1, c: 2 }], a: '\u{1f600}' },
  { 9: 1, 10: 2 },
];
const CASES = PLACES.flatMap((place) => PAYLOADS.map((payload) => ({ place, payload })));
const make = (place: Place, payload: unknown): EvidenceRecord =>
  makeRecord(place, orThrow(admit(payload)), nobleSha256);

describe('record v1', () => {
  it.each(CASES)('$place.kind $payload: hashes are those of the formulas, computed another way', (given) => {
    const record = make(given.place, given.payload);
    const { v, ts, kind, parent, payload, payload_hash, record_hash } = record;
    expect(Object.keys(record)).toEqual([
      'v',
      'ts',
      'kind',
      'parent',
      'payload',
      'payload_hash',
      'record_hash',
    ]);
    expect(payload_hash).toBe(nobleSha256(utf8Bytes(stringify(payload))));
    expect(record_hash).toBe(orThrow(hashCanonical({ v, ts, kind, parent, payload_hash })));
    expect(recordHash({ ts, kind, parent }, payload_hash, nobleSha256)).toBe(record_hash);
    expect(v).toBe(1);
    expect(Object.isFrozen(record)).toBe(true);
  });

  it.each(CASES)(
    '$place.kind $payload: the line is the canonical text of the record, in parts as well',
    ({ place, payload }) => {
      const record = make(place, payload);
      const line = encodeLine(record);
      expect(line).toBe(stringify(record));
      expect(orThrow(readCanonical(utf8Bytes(line))).value).toEqual(record);
      expect(beforePayload(record) + `"payload":${stringify(record.payload)},` + afterPayload(record)).toBe(
        line,
      );
    },
  );

  it('an erased record is written without payload', () => {
    const { payload: _, ...erased } = make(PLACES[1] as Place, { a: 1 });
    expect(encodeLine(erased)).toBe(stringify(erased));
    expect(beforePayload(erased) + afterPayload(erased)).toBe(stringify(erased));
  });

  it('a record out of order in its payload is written in order', () => {
    const { payload: _, ...rest } = make(PLACES[0] as Place, 0);
    const record: EvidenceRecord = { ...rest, payload: { b: 1, a: { d: 1, c: 2 } } };
    expect(encodeLine(record)).toBe(stringify(record));
  });
});

describe('what fits a line', () => {
  const lineBytes = (place: Place, bytes: number): number =>
    utf8Length(encodeLine(make(place, 'x'.repeat(bytes - 2))));

  it.each(PLACES)('bytes: exactly 16 MiB fit ($kind)', (place) => {
    const envelope = lineBytes(place, 2) - 2;
    const room = LINE_LIMITS.bytes - envelope;
    const payload = orThrow(admit('x'));
    expect(fitsLine(place, { ...payload, bytes: room })).toBe(true);
    expect(fitsLine(place, { ...payload, bytes: room + 1 })).toBe(false);
  });

  it('depth: the record itself is one level', () => {
    const payload = orThrow(admit(1));
    const place = PLACES[0] as Place;
    expect(fitsLine(place, { ...payload, depth: 255 })).toBe(true);
    expect(fitsLine(place, { ...payload, depth: 256 })).toBe(false);
  });

  it('structure: the record itself has seven marks', () => {
    const place = PLACES[1] as Place;
    const marks = encodeLine(makeRecord(place, orThrow(admit(1)), nobleSha256)).replaceAll(
      /[^[{,]/g,
      '',
    ).length;
    const payload = orThrow(admit(1));
    expect(marks).toBe(7);
    expect(fitsLine(place, { ...payload, structure: 262_144 - marks })).toBe(true);
    expect(fitsLine(place, { ...payload, structure: 262_144 - marks + 1 })).toBe(false);
  });
});

it('a line is the same whether its record was made just now, long ago, or is an equal one from elsewhere', () => {
  const made = Array.from({ length: 40 }, (_, index) =>
    makeRecord(
      { ts: `t#${index}`, kind: 'proposal', parent: null },
      orThrow(admit({ index, text: `Zürich ${index}`.repeat(index === 7 ? 9_000 : 1) })),
      nobleSha256,
    ),
  );
  const written = made.map((record) => ({
    record,
    line: encodeLine(
      makeRecord(
        { ts: record.ts, kind: record.kind, parent: null },
        orThrow(admit(record.payload)),
        nobleSha256,
      ),
    ),
  }));
  for (const { record, line } of written) {
    expect(encodeLine(record)).toBe(line);
    expect(encodeLine(structuredClone(record))).toBe(line);
  }
  // Equal keys are not enough: a record that says otherwise than the one it was copied from is written as it
  // stands.
  const last = made.at(-1) as EvidenceRecord;
  expect(encodeLine({ ...last, payload: { index: -1 } })).toBe(
    stringify({ ...last, payload: { index: -1 } }),
  );
});
