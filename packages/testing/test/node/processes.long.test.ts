/** What a process of its own shows: the script of the goldens of tally, and `node:test`. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const golden = join(root, 'golden-fixtures', 'tally-success');
const scratch = mkdtempSync(join(tmpdir(), 'expect-replay-'));
afterAll(() => rmSync(scratch, { recursive: true }));

it('the goldens of tally are what the script writes from their genesis and answers', () => {
  const run = spawnSync(process.execPath, [join(root, 'scripts/fixtures.mjs'), 'tally', '--check'], {
    encoding: 'utf8',
  });
  expect(run.stdout + run.stderr).toContain('7 fixtures, 23 files, 0 differ');
});

it('goldens are not written under CI', () => {
  const run = spawnSync(process.execPath, [join(root, 'scripts/fixtures.mjs')], {
    encoding: 'utf8',
    env: { ...process.env, CI: 'true' },
  });
  expect([run.status, run.stderr]).toEqual([2, expect.stringContaining('CI does not update goldens')]);
});

it('expectReplay and registerLaws work there as here', () => {
  const file = join(scratch, 'own.test.mjs');
  const entry = (name: string): string =>
    JSON.stringify(new URL(`../../dist/${name}.js`, import.meta.url).href);
  const wrong = join(scratch, 'wrong');
  cpSync(golden, wrong, { recursive: true });
  const lock = join(wrong, 'expected.json');
  writeFileSync(lock, readFileSync(lock, 'utf8').replace('"edge_count": 6', '"edge_count": 7'));
  writeFileSync(
    file,
    `import { describe, it } from 'node:test';
     import { machineLaws, registerLaws, tally } from ${entry('index')};
     import { tallyArbitraries } from ${entry('machines/tally-arbitraries')};
     import { expectReplay } from ${entry('node')};
     registerLaws({ describe, it }, 'tally', machineLaws(tally, tallyArbitraries()), { runs: 2 });
     it('replays', () => void expectReplay(${JSON.stringify(golden)}));
     it('fails', () => void expectReplay(${JSON.stringify(wrong)}));
    `,
  );
  const run = spawnSync(process.execPath, ['--test', '--test-reporter=tap', file], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined },
  });
  expect(run.stdout).toMatch(/# pass 17\n# fail 1\n/);
  expect(run.stdout).toContain('differs, field /edge_count');
  expect(run.stdout).toContain('version/old-ledger-under-both');
});
