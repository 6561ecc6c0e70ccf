/** docs/laws.md says how often its laws are drawn: each number below 1,000 in the files it names stands in its table, and no other. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(ROOT, 'docs/laws.md'), 'utf8');
const [laws = '', table = ''] = page.split('\n## Fewer runs\n');
const FULL = 1_000;

/** The files that the page names for laws; a name without folders stands in the folder named before it, or beside the file named before. */
function filesNamed(): readonly string[] {
  let folder = '';
  const files = [...laws.matchAll(/`([a-z0-9-]+(?:\/[a-z0-9-]+)*(?:\.test\.ts)?)`/g)].flatMap(([, path = '']) => {
    if (!path.endsWith('.test.ts')) {
      if (/^packages\/[a-z-]+\/test$/.test(path)) folder = path;
      return [];
    }
    const whole = path.includes('/') ? path : join(folder, path);
    folder = join(whole, '..');
    return existsSync(join(ROOT, whole)) ? [whole] : [];
  });
  return [...new Set(files)];
}

/** The numbers below 1,000 that a file draws its laws by. */
function fewerIn(path: string): readonly number[] {
  const text = readFileSync(join(ROOT, path), 'utf8').split('\n').filter((line) => !line.includes('fc.sample(')).join('\n');
  const number = (digits: string | undefined): number => Number((digits ?? '').replaceAll('_', ''));
  const shares = [...text.matchAll(/lawRuns\([^)]*, ([0-9.]+)\)/g)].map(([, share]) => Math.round(Number(share) * FULL));
  const fixed = [...text.matchAll(/numRuns: ([0-9_]+)/g)].map(([, runs]) => number(runs));
  const parts = [...text.matchAll(/numRuns: Math\.\w+\([\w.]+ \/ ([0-9_]+)\)/g)].map(([, part]) => FULL / number(part));
  return [...new Set([...shares, ...fixed, ...parts])].filter((runs) => runs < FULL).toSorted((a, b) => b - a);
}

/** The numbers of the table, by file. */
function told(path: string): readonly number[] {
  return [...table.matchAll(/^\| `([^`]+)` \| ([0-9]+) \|/gm)].flatMap(([, file, runs]) => (file === path ? [Number(runs)] : [])).toSorted((a, b) => b - a);
}

describe('how often laws are drawn', () => {
  it('the table names files that the page names', () => {
    expect(filesNamed().length).toBeGreaterThan(40);
    const files = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file]) => file);
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => !filesNamed().includes(file ?? ''))).toEqual([]);
  });

  it.each(filesNamed())('%s', (path) => {
    expect(fewerIn(path)).toEqual(told(path));
  });
});
