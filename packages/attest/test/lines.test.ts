/**
 * What lines are: keys, base64, envelopes, heads, proofs. One spelling each, and every other is refused.
 */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type Json, nobleSha256, orThrow, sha256Hex, utf8Bytes } from '@assay/kernel';
import {
  formatEnvelope,
  formatProof,
  formatPublicKey,
  nobleEd25519,
  parseProof,
  parsePublicKey,
  proveConsistency,
  proveInclusion,
  derivePublicKey,
  readEvidenceLines,
  signedHead,
} from '../src/index.ts';
import { parseEnvelopeLine, SIGNATURES_MAX, type Envelope } from '../src/dsse/envelope.ts';
import { isSoundKey } from '../src/ed25519/strict.ts';
import { headBytes, parseSignedHead } from '../src/head/signed-head.ts';
import { formatSecretKey, keyId, parseSecretKey } from '../src/keys/key.ts';
import { recomputes } from '../src/proofs/proof.ts';
import { lawRuns } from '../../kernel/tools/laws.ts';
import { fromBase64, toBase64 } from '../src/bytes/read.ts';
import { leaves, poll, rootOf, stored, summaryOf } from './runs.ts';

const runs = lawRuns('packages/attest/test/lines.test.ts');
const digest = fc.uint8Array({ minLength: 1, maxLength: 8 }).map((bytes) => sha256Hex(bytes));
const envelope: fc.Arbitrary<Envelope> = fc.record({
  payloadType: fc.string({ unit: 'grapheme-ascii', maxLength: 128 }),
  payload: fc.uint8Array({ maxLength: 300 }),
  signatures: fc.array(fc.record({ keyid: digest, sig: fc.uint8Array({ minLength: 64, maxLength: 64 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
});
const lineOf = (value: Json): Uint8Array => utf8Bytes(JSON.stringify(value));
const seed = new Uint8Array(32).fill(9);
const records = poll('lines');
const head = signedHead(summaryOf(records), rootOf(records));

describe('laws', () => {
  it(
    'base64/one-spelling: bytes read back, as the runtime writes them, and every text that ' +
      'is read is the one that is written',
    () => {
      fc.assert(
        fc.property(
          fc.uint8Array({ maxLength: 100 }),
          fc.string({ unit: fc.constantFrom(...'ABYZabyz0189+/=-_ '), maxLength: 12 }),
          (bytes, text) => {
            expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
            expect(fromBase64(toBase64(bytes))).toEqual(Uint8Array.from(bytes));
            const read = fromBase64(text);
            expect(read === null ? text : toBase64(read)).toBe(text);
          },
        ),
        runs,
      );
    },
  );

  it(
    'envelope/one-line: an envelope reads back from its line, and from no line with one byte ' +
      'changed that is another envelope of the same bytes',
    () => {
      fc.assert(
        fc.property(envelope, fc.nat(), fc.integer({ min: 1, max: 255 }), (given, at, mask) => {
          const line = utf8Bytes(formatEnvelope(given));
          expect(orThrow(parseEnvelopeLine(line))).toEqual(given);
          const damaged = line.map((byte, index) => (index === at % line.length ? byte ^ mask : byte));
          const read = parseEnvelopeLine(damaged);
          if (read._tag === 'Right') expect(utf8Bytes(formatEnvelope(read.right))).toEqual(damaged);
        }),
        runs,
      );
    },
  );

  it(
    'proof/one-line: a proof reads back from its line and recomputes; with any one hash, ' +
      'size or index changed it does not',
    () => {
      const tree = { read: stored(leaves(100)) };
      const places = fc
        .integer({ min: 1, max: 100 })
        .chain((size) => fc.tuple(fc.constant(size), fc.integer({ min: 0, max: size - 1 })));
      fc.assert(
        fc.property(places, fc.boolean(), ([size, index], isInclusion) => {
          const proof = isInclusion
            ? proveInclusion(tree, index, size)
            : proveConsistency(tree, index + 1, size);
          expect(orThrow(parseProof(utf8Bytes(formatProof(proof))))).toEqual(proof);
          expect(recomputes(proof, nobleSha256)).toBe(true);
          if (proof.t === 'assay.inclusion.v1')
            expect(recomputes({ ...proof, record_hash: sha256Hex('another') }, nobleSha256)).toBe(false);
          else
            expect(
              recomputes({ ...proof, to: { ...proof.to, tree_root: sha256Hex('another') } }, nobleSha256),
            ).toBe(false);
          for (const [at] of proof.path.entries())
            expect(
              recomputes({ ...proof, path: proof.path.with(at, sha256Hex('another')) }, nobleSha256),
            ).toBe(false);
        }),
        runs,
      );
    },
  );

  it(
    'key/reads-back: key lines read back, secret and public are never taken for each other, ' +
      'and no message quotes a secret',
    () => {
      fc.assert(
        fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (secret) => {
          const { bytes, id } = derivePublicKey(secret, nobleEd25519);
          expect(orThrow(parsePublicKey(`${formatPublicKey(bytes)}\n`))).toEqual({
            bytes: Uint8Array.from(bytes),
            id,
          });
          expect(orThrow(parseSecretKey(`${formatSecretKey(secret)}\n`))).toEqual(Uint8Array.from(secret));
          expect([
            parsePublicKey(formatSecretKey(secret)),
            parseSecretKey(formatPublicKey(bytes)),
          ]).toMatchObject([{ left: { code: 'secret_key' } }, { left: { code: 'public_key' } }]);
        }),
        runs,
      );
    },
  );
});

describe('other spellings', () => {
  test('keys', () => {
    const line = formatPublicKey(nobleEd25519.publicKey(seed));
    for (const text of [
      '',
      `${line}\n\n`,
      ` ${line}`,
      line.slice(0, -1),
      line.replace(':1:', ':2:'),
      line.toUpperCase(),
      `${line}0`,
    ])
      expect(parsePublicKey(text)).toMatchObject({ left: { code: 'key_line' } });
    expect(parsePublicKey(`assay-public-key:1:${'0'.repeat(64)}`)).toMatchObject({
      left: { code: 'weak_key' },
    });
    expect(parsePublicKey(`assay-public-key:1:02${'0'.repeat(62)}`), 'no point of the curve').toMatchObject({
      left: { code: 'weak_key' },
    });
    expect(parseSecretKey('assay-secret-key:1:zz')).toEqual({ _tag: 'Left', left: { code: 'key_line' } });
    expect(() => formatSecretKey(new Uint8Array(31))).toThrow(RangeError);
    expect(isSoundKey(new Uint8Array(31))).toBe(false);
    expect(keyId(nobleEd25519.publicKey(seed))).toMatch(/^[0-9a-f]{64}$/);
  });

  test('envelopes: keys, types, counts, base64', () => {
    const sig = { keyid: sha256Hex('key'), sig: toBase64(new Uint8Array(64)) };
    const sound = { payload: 'YQ==', payloadType: 'a', signatures: [sig] };
    expect(parseEnvelopeLine(lineOf(sound))._tag).toBe('Right');
    const bad: readonly Json[] = [
      { ...sound, z: 1 },
      { payload: 'YQ==', signatures: [sig] },
      { ...sound, payload: 'YQ' },
      { ...sound, payload: 'YR==' },
      { ...sound, payload: null },
      { ...sound, payloadType: 1 },
      { ...sound, payloadType: 'a'.repeat(129) },
      { ...sound, signatures: [] },
      { ...sound, signatures: Array.from({ length: SIGNATURES_MAX + 1 }, () => sig) },
      { ...sound, signatures: {} },
      { ...sound, signatures: [{ ...sig, z: 1 }] },
      { ...sound, signatures: [{ ...sig, keyid: 'anna' }] },
      { ...sound, signatures: [sig, { ...sig, sig: 'YQ==' }] },
      [sound],
    ];
    for (const value of bad)
      expect(parseEnvelopeLine(lineOf(value)), JSON.stringify(value)).toMatchObject({
        left: { code: 'envelope' },
      });
    expect(parseEnvelopeLine(utf8Bytes(` ${JSON.stringify(sound)}`))._tag).toBe('Left');
  });

  test('heads: keys, types, ranges, canonical bytes', () => {
    expect(orThrow(parseSignedHead(headBytes(head)))).toEqual(head);
    const bad: readonly object[] = [
      { ...head, z: 1 },
      { ...head, t: 'assay.head.v2' },
      { ...head, count: 0 },
      { ...head, count: 1.5 },
      { ...head, count: 1_000_000_000_001 },
      { ...head, last_hash: 'x' },
      { ...head, tree_root: null },
      { ...head, closed: 1 },
      { ...head, summary_hash: 'x' },
      [],
    ];
    for (const value of bad)
      expect(
        parseSignedHead(Buffer.from(JSON.stringify(sorted(value)))),
        JSON.stringify(value),
      ).toMatchObject({ left: { code: 'head' } });
    expect(parseSignedHead(Uint8Array.of(0xff))._tag).toBe('Left');
    expect(parseSignedHead(Buffer.from(JSON.stringify(head)))._tag).toBe('Left');
  });

  test('proofs: keys, types, ranges', () => {
    const tree = { read: stored(records.map(({ record_hash }) => record_hash)) };
    const inclusion = proveInclusion(tree, 2, records.length, records[2]);
    const consistency = proveConsistency(tree, 3, records.length);
    const bad: readonly object[] = [
      { ...inclusion, z: 1 },
      { ...inclusion, t: 'assay.inclusion.v2' },
      { ...inclusion, index: records.length },
      { ...inclusion, index: -1 },
      { ...inclusion, size: 0, index: 0 },
      { ...inclusion, record: { ...records[2], z: 1 } },
      { ...inclusion, path: [...Array.from({ length: 81 }, () => sha256Hex(''))] },
      { ...inclusion, path: ['x'] },
      { ...consistency, from: { ...consistency.from, size: 0 } },
      { ...consistency, from: { ...consistency.from, z: 1 } },
      { ...consistency, to: null },
      { ...consistency, genesis_hash: null },
    ];
    for (const value of [inclusion, consistency])
      expect(parseProof(Buffer.from(JSON.stringify(sorted(value))))._tag).toBe('Right');
    for (const value of bad)
      expect(parseProof(Buffer.from(JSON.stringify(sorted(value)))), JSON.stringify(value)).toMatchObject({
        left: { code: 'proof' },
      });
    expect(recomputes({ ...consistency, from: consistency.to, to: consistency.from }, nobleSha256)).toBe(
      false,
    );
    const { payload: _, ...erased } = records[2] ?? expect.fail('no record');
    expect(recomputes({ ...inclusion, record: erased }, nobleSha256)).toBe(true);
    expect(recomputes({ ...inclusion, record: records[3] ?? null }, nobleSha256)).toBe(false);
  });

  test('a file is lines; what is neither envelope nor proof is counted', () => {
    const line = formatEnvelope({
      payloadType: 'a',
      payload: utf8Bytes('b'),
      signatures: [{ keyid: sha256Hex(''), sig: new Uint8Array(64) }],
    });
    expect(readEvidenceLines(utf8Bytes(`${line}\n{}\n\n${line}`))).toMatchObject({
      unread: 2,
      envelopes: [{}, {}],
      proofs: [],
    });
    expect(readEvidenceLines(new Uint8Array())).toEqual({ envelopes: [], proofs: [], unread: 0 });
  });
});

/** The same value with its keys in order, all the way down. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
