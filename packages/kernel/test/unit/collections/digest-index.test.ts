import { createHash } from 'node:crypto';
import type { Digest } from '../../../src/index.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DigestIndex } from '../../../src/collections/digest-index.js';
import { lawRuns } from '../../../tools/laws.js';

const RUNS = lawRuns('digest index laws');
const digestOf = (index: number): Digest =>
  createHash('sha256').update(String(index)).digest('hex') as Digest;

function indexOf(digests: readonly Digest[]): DigestIndex {
  const index = new DigestIndex();
  for (const digest of digests) index.add(digest);
  return index;
}

describe('DigestIndex', () => {
  it('digests/index-of-arrival: each digest has the index at which it came, and comes back as it was', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[0-9a-f]{64}$/), { maxLength: 40, size: 'max' }),
        (texts) => {
          const digests = texts as Digest[];
          const index = new DigestIndex();
          for (const [at, digest] of digests.entries()) {
            expect(index.indexOf(digest)).toBe(-1);
            expect(index.add(digest)).toBe(at);
            expect(index.count).toBe(at + 1);
          }
          expect(digests.map((digest) => index.indexOf(digest))).toEqual([...digests.keys()]);
          expect(digests.map((_, at) => index.at(at))).toEqual(digests);
          expect(index.sorted(digests.length)).toEqual(digests.toSorted());
          const half = digests.length >> 1;
          expect(index.sorted(half)).toEqual(digests.slice(0, half).toSorted());
        },
      ),
      RUNS,
    );
  });

  it('tells apart digests that differ in one digit only, wherever it is', () => {
    const base = '8'.repeat(64);
    const near = [
      base,
      ...Array.from({ length: 64 }, (_, at) => `${base.slice(0, at)}9${base.slice(at + 1)}`),
    ] as Digest[];
    const index = indexOf(near);
    expect(near.map((digest) => index.indexOf(digest))).toEqual([...near.keys()]);
    expect(index.sorted(near.length)).toEqual(near.toSorted());
    expect(index.indexOf(`${base.slice(0, 63)}7` as Digest)).toBe(-1);
  });

  it('keeps digests that share a place in its table', () => {
    // The same first word, so the same slot: found by going on from there.
    const same = Array.from(
      { length: 200 },
      (_, at) => `000000ff${'0'.repeat(48)}${at.toString(16).padStart(8, '0')}` as Digest,
    );
    const index = new DigestIndex();
    const absent = `000000ff${'1'.repeat(56)}` as Digest;
    for (const digest of same) {
      index.add(digest);
      expect(index.indexOf(absent)).toBe(-1);
    }
    expect(same.map((digest) => index.indexOf(digest))).toEqual([...same.keys()]);
  });

  it('finds no digest of zeros that never came, at any size', () => {
    const zeros = '0'.repeat(64) as Digest;
    const index = new DigestIndex();
    for (let at = 0; at < 130; at += 1) {
      expect(index.indexOf(zeros)).toBe(-1);
      index.add(digestOf(at));
    }
    expect(index.add(zeros)).toBe(130);
    expect(index.indexOf(zeros)).toBe(130);
  });

  it('reads every hexadecimal digit', () => {
    const digests = [...'0123456789abcdef'].map((digit) => digit.repeat(64) as Digest);
    const index = indexOf(digests.toReversed());
    expect(index.sorted(16)).toEqual(digests);
    expect(digests.map((digest) => index.indexOf(digest))).toEqual([...digests.keys()].toReversed());
  });

  it('grows past any first size without losing one', () => {
    const digests = Array.from({ length: 5_000 }, (_, at) => digestOf(at));
    const index = indexOf(digests);
    expect(index.count).toBe(5_000);
    for (const [at, digest] of digests.entries())
      if (index.indexOf(digest) !== at || index.at(at) !== digest) throw new Error(`digest ${at} is lost`);
    expect(index.indexOf(digestOf(5_000))).toBe(-1);
    expect(index.sorted(5_000)).toEqual(digests.toSorted());
  });

  it('is empty at first', () => {
    const index = new DigestIndex();
    expect([index.count, index.indexOf(digestOf(0)), index.sorted(0)]).toEqual([0, -1, []]);
  });
});
