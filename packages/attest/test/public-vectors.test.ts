/**
 * The RFC 6962 proof vectors of transparency-dev/merkle: happy paths, and every corruption of them. Of its
 * vectors for subtrees, six are about empty ones, which it lets stand in any tree; here nothing empty is
 * shown to be anywhere.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyConsistency, verifyInclusion } from '../src/index.ts';
import { TreeHasher } from '../src/merkle/tree.ts';
import type { Digest } from '@assay/kernel';
import { hasPublicVectors, publicVectors, type VectorFile } from '../../kernel/tools/public-vectors.ts';

const KINDS = ['inclusion', 'consistency', 'subtreeinclusion', 'subtreeconsistency'] as const;
type Vector = { readonly [key: string]: unknown };

const hasher = new TreeHasher();
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const digest = (value: unknown): Digest => Buffer.from(text(value), 'base64').toString('hex') as Digest;
/** What is hashed must be a hash; the reader of a proof line refuses all else before any path is followed. */
const isHash = (hash: Digest): boolean => hash.length === 64;
const EMPTY = /^additional\/subtree-is-empty-/;

function accepts(kind: (typeof KINDS)[number], vector: Vector): boolean {
  const path = (Array.isArray(vector['proof']) ? vector['proof'] : []).map(digest);
  const [start, end, size] = [
    Number(vector['start'] ?? 0),
    Number(vector['end'] ?? vector['size1'] ?? 0),
    Number(vector['size'] ?? vector['size2'] ?? vector['treeSize'] ?? 0),
  ];
  const [root, under] = [
    digest(vector['root'] ?? vector['root2']),
    digest(vector['leafHash'] ?? vector['root1']),
  ];
  if (!path.every(isHash) || ((path.length > 0 || kind.endsWith('inclusion')) && !isHash(under)))
    return false;
  const index = Number(vector['leafIdx'] ?? 0);
  switch (kind) {
    case 'inclusion':
      return verifyInclusion(hasher, { index, size }, under, path, root);
    case 'subtreeinclusion':
      // A subtree of its own: its start has to be one where a tree of that many leaves can begin.
      return (
        isAligned(start, end) &&
        verifyInclusion(hasher, { index: index - start, size: end - start }, under, path, root)
      );
    case 'consistency':
    case 'subtreeconsistency':
      return verifyConsistency(hasher, { start, end }, size, under, path, root);
  }
}

function isAligned(start: number, end: number): boolean {
  let power = 1;
  while (power < end - start) power *= 2;
  return start % power === 0;
}

/** The vectors below a folder, at any depth. */
function vectorsIn(part: string, within = ''): readonly VectorFile[] {
  const folder = join(process.env['ASSAY_PUBLIC_VECTORS'] ?? '', part);
  const folders = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  if (folders.length === 0)
    return publicVectors(part).map(({ name, bytes }) => ({ name: `${within}${name}`, bytes }));
  return folders.flatMap((name) => vectorsIn(`${part}/${name}`, `${within}${name}/`));
}

describe.skipIf(!hasPublicVectors)('transparency-dev/merkle', () => {
  test.each(KINDS)('%s', (kind) => {
    const vectors = vectorsIn(`merkle/${kind}`).map(({ name, bytes }) => ({
      name,
      vector: JSON.parse(Buffer.from(bytes).toString('utf8')) as Vector,
    }));
    expect(vectors.length).toBeGreaterThanOrEqual(98);
    const differing = vectors.filter(({ vector }) => accepts(kind, vector) === (vector['wantErr'] === true));
    expect(
      differing.filter(({ name, vector }) => !(EMPTY.test(name) && vector['wantErr'] === false)),
    ).toEqual([]);
    expect(differing.length).toBe(kind === 'subtreeconsistency' ? 6 : 0);
    expect(vectors.some(({ vector }) => vector['wantErr'] === false)).toBe(true);
  });
});
