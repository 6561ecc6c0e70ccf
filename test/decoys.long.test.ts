/**
 * The decoys of docs/explanation/scoring.md, intent I10: none wins but the two that are named there.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
/** A claim where another asks is what a model's honest reading does: these two cannot be told from it. */
const NAMED: ReadonlyMap<string, number> = new Map([['flags in place of questions', 2]]);

it('with the default weights no decoy wins but two that are named, and the page says what the script prints', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/decoys.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(readFileSync(`${root}docs/explanation/scoring.md`, 'utf8')).toContain(
    `<!-- decoys -->\n${stdout}<!-- /decoys -->`,
  );
  const rows = stdout
    .trim()
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const read = (cell = ''): readonly number[] => (cell.match(/\d+/g) ?? []).map(Number);
  expect(rows).toHaveLength(20);
  for (const [kind = '', free, inLanguage] of rows) {
    const [[wins], [winsInLanguage, , tried]] = [read(free), read(inLanguage)];
    expect([kind, wins, winsInLanguage]).toEqual([kind, NAMED.get(kind) ?? 0, 0]);
    expect([kind, (tried ?? 0) > 20]).toEqual([kind, true]);
  }
  // Taken out, some criterion lets a decoy win or tie more often: else it would be in the sum for nothing.
  expect(rows.some(([, , , changed]) => changed !== '')).toBe(true);
});
