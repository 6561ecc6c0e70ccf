/**
 * The decoys of docs/explanation/scoring.md, intent I10: none wins.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

type Row = {
  readonly without: string;
  readonly decoys: Readonly<
    Record<string, { readonly tried: number; readonly wins: number; readonly ties: number }>
  >;
};

function decoys(...options: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/decoys.mjs', ...options], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

describe('decoys', () => {
  it('with the default weights no decoy wins, and eighteen kinds were tried on many requests', () => {
    const { requests, table } = JSON.parse(decoys('--json')) as {
      readonly requests: number;
      readonly table: readonly Row[];
    };
    const [byDefault, ...ablated] = table;
    expect(requests).toBeGreaterThan(30);
    expect(Object.keys(byDefault?.decoys ?? {})).toHaveLength(18);
    for (const [kind, { tried, wins }] of Object.entries(byDefault?.decoys ?? {}))
      expect([kind, tried > 20, wins]).toEqual([kind, true, 0]);
    // Taken out, some criterion lets a decoy win or tie more often: else it would be in the sum for nothing.
    const harm = ({ decoys: all }: Row): number =>
      Object.values(all).reduce((sum, { wins, ties }) => sum + wins + ties, 0);
    expect(ablated.some((row) => harm(row) > harm(byDefault as Row))).toBe(true);
  });
});
