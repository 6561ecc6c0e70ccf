/**
 * Two engines, one rule: noble's Ed25519 and the runtime's own sign the same bytes and accept the same
 * signatures, and both refuse what only some libraries refuse.
 */
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { ed25519, ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js';
import { nobleEd25519, type Ed25519 } from '../src/index.ts';
import { isSoundKey, verifyStrictly } from '../src/ed25519/strict.ts';
import { nativeEd25519 } from '../src/node.ts';
import { lawRuns } from '../../kernel/tools/laws.ts';

const runs = lawRuns('packages/attest/test/ed25519.test.ts');
const ENGINES: readonly (readonly [string, Ed25519])[] = [
  ['noble', nobleEd25519],
  ['node', nativeEd25519],
];
const { Point } = ed25519;
const L = Point.Fn.ORDER;
const P = Point.Fp.ORDER;
const TORSION: readonly string[] = ED25519_TORSION_SUBGROUP;

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
const little = (value: bigint): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, at) => Number((value >> BigInt(8 * at)) & 255n));
const number = (from: Uint8Array): bigint => from.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
const join = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));
const hash = (...parts: readonly Uint8Array[]): bigint =>
  Point.Fn.create(
    number(
      Uint8Array.from(
        createHash('sha512')
          .update(join(...parts))
          .digest(),
      ),
    ),
  );
const message = new TextEncoder().encode('a head');
const seed = Uint8Array.from({ length: 32 }, (_, at) => at);
const publicKey = nobleEd25519.publicKey(seed);
const signature = nobleEd25519.sign(message, seed);
const said = (sig: Uint8Array, of: Uint8Array, key: Uint8Array): readonly boolean[] =>
  ENGINES.map(([, engine]) => verifyStrictly(engine, sig, of, key));

/**
 * A signature of [r]B + `lift` under the key [a]B + `twist`, by the equation without the cofactor wherever it
 * can hold.
 */
function twisted(
  lift: InstanceType<typeof Point>,
  twist: InstanceType<typeof Point>,
): { readonly key: Uint8Array; readonly sig: (of: Uint8Array) => Uint8Array } {
  const [a, r] = [1_234_567_891_011n, 9_876_543_210n];
  const key = Point.BASE.multiply(a).add(twist).toBytes();
  const R = Point.BASE.multiply(r).add(lift).toBytes();
  return { key, sig: (of) => join(R, little(Point.Fn.create(r + hash(R, key, of) * a))) };
}

describe('laws', () => {
  const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const messages = fc.uint8Array({ maxLength: 200 });

  it('signature/engines-sign-the-same: both engines give one key and one signature for a seed and a message', () => {
    fc.assert(
      fc.property(secrets, messages, (secret, of) => {
        expect(nativeEd25519.publicKey(secret)).toEqual(nobleEd25519.publicKey(secret));
        expect(nativeEd25519.sign(of, secret)).toEqual(nobleEd25519.sign(of, secret));
      }),
      runs,
    );
  });

  it('signature/engines-agree: what one engine says of a signature, sound or damaged, the other says', () => {
    const damage = fc.record({
      part: fc.constantFrom('none', 'r', 's', 'key', 'message', 'order'),
      at: fc.nat({ max: 255 }),
    });
    const counts = { held: 0, refused: 0 };
    fc.assert(
      fc.property(secrets, messages, damage, (secret, of, { part, at }) => {
        const key = nativeEd25519.publicKey(secret);
        const sig = nativeEd25519.sign(of, secret);
        const flip = (from: Uint8Array, offset: number): Uint8Array =>
          from.map((byte, index) => (index === offset + (at >> 3) ? byte ^ (1 << (at & 7)) : byte));
        const s =
          part === 'order'
            ? join(sig.subarray(0, 32), little(number(sig.subarray(32)) + L))
            : part === 'r'
              ? flip(sig, 0)
              : part === 's'
                ? flip(sig, 32)
                : sig;
        const [noble, node] = said(
          s,
          part === 'message' ? join(of, Uint8Array.of(at)) : of,
          part === 'key' ? flip(key, 0) : key,
        );
        expect(noble).toBe(node);
        expect(noble).toBe(part === 'none');
        counts[noble === true ? 'held' : 'refused'] += 1;
      }),
      runs,
    );
    expect(Math.min(counts.held, counts.refused)).toBeGreaterThan(0);
  });
});

describe('known bad signatures and keys', () => {
  test('the sound one holds', () => {
    expect(said(signature, message, publicKey)).toEqual([true, true]);
  });

  test('S + L, and every S of 32 bytes at or above L', () => {
    const s = number(signature.subarray(32));
    for (let high = s + L; high < 1n << 256n; high += L)
      expect(said(join(signature.subarray(0, 32), little(high)), message, publicKey)).toEqual([false, false]);
    expect(said(join(signature.subarray(0, 32), little(L)), message, publicKey)).toEqual([false, false]);
  });

  test.each(TORSION)('a key of small order: %s', (hex) => {
    const key = bytes(hex);
    expect(isSoundKey(key)).toBe(false);
    expect(isSoundKey(key.with(31, (key[31] ?? 0) ^ 0x80))).toBe(false);
    // [S]B = R + [k]A holds with S = 0 and R = −[k]A, for one message in eight or more: such a signature fits
    // without a secret.
    const forged = TORSION.map((r) => join(bytes(r), little(0n)));
    for (const sig of forged)
      for (let tail = 0; tail < 8; tail += 1)
        expect(said(sig, Uint8Array.of(tail), key)).toEqual([false, false]);
  });

  test.each(TORSION)('an R of small order: %s', (hex) => {
    const R = bytes(hex);
    const a = 77n;
    const key = Point.BASE.multiply(a).toBytes();
    expect(said(join(R, little(Point.Fn.create(hash(R, key, message) * a))), message, key)).toEqual([
      false,
      false,
    ]);
  });

  test('every y at or above p, as key and as R', () => {
    for (let y = P; y < 1n << 255n; y += 1n) {
      for (const sign of [0, 0x80]) {
        const spelled = little(y).map((byte, at) => (at === 31 ? byte | sign : byte));
        expect(isSoundKey(spelled)).toBe(false);
        expect(said(join(spelled, signature.subarray(32)), message, publicKey)).toEqual([false, false]);
        expect(said(signature, message, spelled)).toEqual([false, false]);
      }
    }
  });

  test('an R with a part of small order, which the equation with the cofactor lets through', () => {
    for (const hex of TORSION.slice(1)) {
      const { key, sig } = twisted(Point.fromHex(hex), Point.ZERO);
      expect(ed25519.verify(sig(message), message, key, { zip215: true })).toBe(true);
      expect(said(sig(message), message, key)).toEqual([false, false]);
    }
  });

  test(
    'a key with a part of small order: both engines hold the same messages, those the ' +
      'equation without the cofactor holds',
    () => {
      for (const hex of TORSION.slice(1)) {
        const torsion = Point.fromHex(hex);
        const { key, sig } = twisted(Point.ZERO, torsion);
        for (let tail = 0; tail < 16; tail += 1) {
          const of = Uint8Array.of(tail);
          const isPlain = torsion.multiplyUnsafe(hash(sig(of).subarray(0, 32), key, of) % 8n).is0();
          expect(said(sig(of), of, key)).toEqual([isPlain, isPlain]);
        }
      }
    },
  );

  test('other lengths, and bytes that are no point', () => {
    expect(said(signature.subarray(1), message, publicKey)).toEqual([false, false]);
    expect(said(signature, message, publicKey.subarray(1))).toEqual([false, false]);
    const noPoint = little(2n);
    expect(() => Point.fromBytes(noPoint)).toThrow(/point|coordinate/);
    expect(said(signature, message, noPoint)).toEqual([false, false]);
    for (const [, engine] of ENGINES)
      expect(engine.verify(join(signature.subarray(0, 32), little(L)), message, publicKey)).toBe(false);
  });

  test('RFC 8032 §7.1, tests 1 to 3', () => {
    const vectors = [
      [
        '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
        'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
        '',
        'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46' +
          'bd25bf5f0595bbe24655141438e7a100b',
      ],
      [
        '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
        '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
        '72',
        '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8' +
          'c387b2eaeb4302aeeb00d291612bb0c00',
      ],
      [
        'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
        'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
        'af82',
        '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc65' +
          '94a7c15e9716ed28dc027beceea1ec40a',
      ],
    ] as const;
    for (const [secret, key, of, sig] of vectors) {
      for (const [, engine] of ENGINES) {
        expect(engine.publicKey(bytes(secret))).toEqual(bytes(key));
        expect(engine.sign(bytes(of), bytes(secret))).toEqual(bytes(sig));
      }
      expect(said(bytes(sig), bytes(of), bytes(key))).toEqual([true, true]);
    }
  });
});
