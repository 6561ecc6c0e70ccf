import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hashCanonical, orThrow, type Json } from '@assay/kernel';
import { digests, frozen } from '../scripts/freeze.mjs';

const CHANGELOG = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');

describe('001 §5 breaking changes are seen: what rests on a hashed format is frozen', () => {
  const [now, before] = [digests(), frozen()];

  it.each(Object.keys(before))('001 §5 %s: each committed file is as it was frozen', (name) => {
    expect(Object.keys(before[name]).length).toBeGreaterThan(0);
    expect(now[name]).toEqual(before[name]);
  });

  it('001 §5 no class of change is left out', () => {
    expect(Object.keys(now)).toEqual(Object.keys(before));
    expect(Object.keys(now)).toHaveLength(7);
  });

  it('001 §5 documented: every release in the changelog has a line of its hashed formats', () => {
    const releases = CHANGELOG.split(/^## /m).slice(1);
    expect(releases.length).toBeGreaterThan(0);
    for (const release of releases) expect(release).toMatch(/^Hashed formats: /m);
  });
});

describe('001 §5 an added artifact field is breaking by default', () => {
  it.each<[string, Json]>([
    ['a field', { status: 'refused' }],
    ['a nested field', { a: { b: [] } }],
  ])('%s added to the content changes the artifact hash', (_, content) => {
    const added: Json = { ...(content as { readonly [key: string]: Json }), added: null };
    expect(orThrow(hashCanonical(added))).not.toBe(orThrow(hashCanonical(content)));
  });
});
