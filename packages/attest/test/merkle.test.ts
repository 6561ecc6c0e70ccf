/**
 * The RFC 6962 tree: the streaming root, the stored tree, paths; every tree up to 64 leaves, and laws above.
 */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { orThrow, sha256Hex, type Digest } from '@assay/kernel';
import { MerkleTree, verifyConsistency, verifyInclusion } from '../src/index.ts';
import { TreeHasher } from '../src/merkle/tree.ts';
import { foldPath, isSubtree, proveSubtree } from '../src/merkle/proof.ts';
import {
  formatTreeHeader,
  parseTreeHeader,
  storedCount,
  computeRoot,
  storedNodes,
  TREE_HEADER_BYTES,
} from '../src/merkle/stored.ts';
import { nativeSha256 } from '@assay/host';
import { lawRuns } from '../../kernel/tools/laws.ts';
import { leaves, plainRoot, stored } from './runs.ts';

const runs = lawRuns('packages/attest/test/merkle.test.ts');
const hasher = new TreeHasher(nativeSha256);
const flip = (hash: Digest, bit: number): Digest => {
  const digit = (Number.parseInt(hash[bit >> 2] ?? '0', 16) ^ (1 << (bit & 3))).toString(16);
  return `${hash.slice(0, bit >> 2)}${digit}${hash.slice((bit >> 2) + 1)}` as Digest;
};
const sized = fc.integer({ min: 1, max: 300 });
/** A tree and a range of it that is a subtree. */
const ranged = fc.integer({ min: 1, max: 300 }).chain((size) =>
  fc.integer({ min: 0, max: 8 }).chain((level) => {
    const width = 2 ** level;
    return fc.integer({ min: 0, max: Math.floor((size - 1) / width) }).chain((place) =>
      fc
        .integer({
          min: Math.min(size, place * width + Math.floor(width / 2) + 1),
          max: Math.min(size, (place + 1) * width),
        })
        .map((end) => ({ size, start: place * width, end })),
    );
  }),
);

describe('small worlds', () => {
  test(
    'every tree up to 64 leaves: each root, each inclusion and each consistency path; no ' +
      'path with a bit flipped',
    () => {
      const all = leaves(64);
      const read = stored(all);
      for (let size = 1; size <= 64; size += 1) {
        const root = plainRoot(all.slice(0, size));
        expect(computeRoot(storedNodes(read, hasher), hasher, 0, size)).toBe(root);
        for (let index = 0; index < size; index += 1) {
          const leaf = hasher.leaf(all[index] ?? root);
          const path = proveSubtree(
            storedNodes(read, hasher),
            hasher,
            { start: index, end: index + 1 },
            size,
          );
          expect(verifyInclusion(hasher, { index, size }, leaf, path, root)).toBe(true);
          for (const [at, hash] of path.entries())
            expect(
              verifyInclusion(
                hasher,
                { index, size },
                leaf,
                path.with(at, flip(hash, (size + at) % 256)),
                root,
              ),
            ).toBe(false);
          const before = plainRoot(all.slice(0, index + 1));
          const links = proveSubtree(storedNodes(read, hasher), hasher, { start: 0, end: index + 1 }, size);
          expect(verifyConsistency(hasher, { start: 0, end: index + 1 }, size, before, links, root)).toBe(
            true,
          );
          for (const [at, hash] of links.entries())
            expect(
              verifyConsistency(
                hasher,
                { start: 0, end: index + 1 },
                size,
                before,
                links.with(at, flip(hash, (index + at) % 256)),
                root,
              ),
            ).toBe(false);
        }
      }
    },
  );

  test('a path holds at no other index and in no other size that gives it another shape', () => {
    const all = leaves(40);
    const read = stored(all);
    const root = plainRoot(all);
    for (let index = 0; index < 40; index += 1) {
      const leaf = hasher.leaf(all[index] ?? root);
      const path = proveSubtree(storedNodes(read, hasher), hasher, { start: index, end: index + 1 }, 40);
      for (let other = 0; other < 40; other += 1)
        expect(verifyInclusion(hasher, { index: other, size: 40 }, leaf, path, root)).toBe(other === index);
    }
  });
});

describe('laws', () => {
  it('merkle/streamed-equals-defined: the root as records come is the root as RFC 6962 defines it', () => {
    fc.assert(
      fc.property(sized, (size) => {
        const tree = new MerkleTree();
        for (const hash of leaves(size)) tree.add(hash);
        expect(tree.root()).toBe(plainRoot(leaves(size)));
      }),
      runs,
    );
  });

  it('merkle/path-leads-to-root: the path of any subtree leads to its root and to the root of the tree', () => {
    const all = leaves(300);
    const read = stored(all);
    fc.assert(
      fc.property(ranged, ({ size, start, end }) => {
        expect(isSubtree({ start, end }, size)).toBe(true);
        const subtree = plainRoot(all.slice(start, end));
        const path = proveSubtree(storedNodes(read, hasher), hasher, { start, end }, size);
        expect(foldPath(hasher, { start, end }, size, subtree, path)).toEqual({
          subtree,
          root: plainRoot(all.slice(0, size)),
        });
      }),
      runs,
    );
  });

  it(
    'merkle/altered-path-fails: with one hash changed, dropped or added, or another tree ' +
      'size with another shape, nothing is shown',
    () => {
      const all = leaves(300);
      const read = stored(all);
      const change = fc.record({
        at: fc.nat(),
        bit: fc.integer({ min: 0, max: 255 }),
        how: fc.constantFrom('flip', 'drop', 'add', 'root', 'subtree'),
      });
      fc.assert(
        fc.property(ranged, change, ({ size, start, end }, { at, bit, how }) => {
          const root = plainRoot(all.slice(0, size));
          const subtree = plainRoot(all.slice(start, end));
          const path = proveSubtree(storedNodes(read, hasher), hasher, { start, end }, size);
          const place = path.length === 0 ? 0 : at % path.length;
          const [hash] = path.slice(place);
          if (hash === undefined && (how === 'flip' || how === 'drop')) return;
          const changed =
            how === 'flip'
              ? path.with(place, flip(hash ?? root, bit))
              : how === 'drop'
                ? path.toSpliced(place, 1)
                : how === 'add'
                  ? path.toSpliced(place, 0, sha256Hex('more'))
                  : path;
          expect(
            verifyConsistency(
              hasher,
              { start, end },
              size,
              how === 'subtree' ? flip(subtree, bit) : subtree,
              changed,
              how === 'root' ? flip(root, bit) : root,
            ),
          ).toBe(false);
        }),
        runs,
      );
    },
  );

  it('merkle/stored-is-appended: what is stored for fewer records is a prefix of what is stored for more', () => {
    const kept: Digest[] = [];
    const tree = new MerkleTree(nativeSha256, (hash) => kept.push(hash));
    const counts: number[] = [];
    for (const hash of leaves(300)) {
      tree.add(hash);
      counts.push(kept.length);
    }
    fc.assert(
      fc.property(sized, (size) => {
        expect(counts[size - 1]).toBe(storedCount(size));
        expect(
          computeRoot(
            storedNodes((index) => kept.slice(0, storedCount(size))[index] ?? sha256Hex('beyond'), hasher),
            hasher,
            0,
            size,
          ),
        ).toBe(plainRoot(leaves(size)));
      }),
      runs,
    );
  });
});

test('a root takes one read for each complete subtree that its leaves make up, and none of what lies in one', () => {
  const read = stored(leaves(64));
  for (let size = 1; size <= 64; size += 1) {
    let reads = 0;
    computeRoot(
      storedNodes((index) => {
        reads += 1;
        return read(index);
      }, hasher),
      hasher,
      0,
      size,
    );
    expect([size, reads]).toEqual([size, [...size.toString(2)].filter((bit) => bit === '1').length]);
  }
});

describe('what is no tree', () => {
  test('ranges that are no subtree', () => {
    for (const [start, end, size] of [
      [0, 0, 1],
      [1, 1, 3],
      [1, 3, 4],
      [2, 1, 4],
      [0, 5, 4],
      [-1, 1, 4],
      [4, 9, 12],
      [0.5, 1, 2],
      [0, 1, Number.NaN],
    ] as const) {
      expect(isSubtree({ start, end }, size)).toBe(false);
      expect(foldPath(hasher, { start, end }, size, sha256Hex(''), [])).toBeNull();
    }
    expect(() =>
      proveSubtree(storedNodes(stored(leaves(4)), hasher), hasher, { start: 1, end: 3 }, 4),
    ).toThrow(RangeError);
  });

  test('a tree without leaves has no root', () => {
    expect(() => new MerkleTree().root()).toThrow(/without leaves/);
  });

  test('the largest sizes are computed exactly', () => {
    expect(storedCount(1_000_000_000_000)).toBe(2_000_000_000_000 - 13);
    expect(isSubtree({ start: 0, end: 999_999_999_999 }, 1_000_000_000_000)).toBe(true);
  });

  test('headers read back, and no other text does', () => {
    const header = formatTreeHeader({ size: 12, first: 3 });
    expect(header.length).toBe(TREE_HEADER_BYTES);
    expect(orThrow(parseTreeHeader(header))).toEqual({ size: 12, first: 3 });
    for (const text of [
      '',
      header.slice(0, -1),
      header.replace(':0:', ':1:'),
      formatTreeHeader({ size: 0, first: 0 }),
      ` ${header}`,
      header.replace('3\n', 'x\n'),
    ])
      expect(parseTreeHeader(text)._tag).toBe('Left');
    expect(() => formatTreeHeader({ size: -1, first: 0 })).toThrow(RangeError);
  });
});
