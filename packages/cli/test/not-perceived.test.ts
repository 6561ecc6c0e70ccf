/** What is told of a task that is no plan: the line that is no call, the nearest plans, who reads free words. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { assay } from './lib/assay.js';

const base = mkdtempSync(join(tmpdir(), 'assay-unread-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
writeFileSync(join(base, 'a.tmp'), 'x');

const said = async (task: string, ...more: readonly string[]): Promise<string> => {
  const { code, stdout } = await assay(['task', task, '--workspace', base, '--set', 'clock=stamps', ...more]);
  expect(code).toBe(1);
  return stdout;
};

describe('a task that is no plan', () => {
  it('is not done: the line that is no call, the nearest plans, and who reads free words', async () => {
    const out = join(mkdtempSync(join(tmpdir(), 'assay-unread-out-')), 'out');
    const stdout = await said('please delete all temporary files', '-o', out);
    expect(stdout).toMatch(
      /^because {5}not_understood: line 1, please delete all temporary files: no call "please": find, /m,
    );
    expect(stdout).toMatch(/^write {7}find \*\.tmp -> Old; expect count\(Old\) >= 1; delete Old\nor {10}\w/m);
    expect(stdout).toMatch(/^or {10}ask a language model: --proposer llm:PROVIDER\/MODEL$/m);
    expect((await assay(['show', join(out, 'run.ledger.jsonl')])).stdout).toMatch(
      /denied +"not_understood: line 1, /,
    );
  });

  it('says nothing of it where a plan could not be done', async () => {
    expect(await said('delete missing.txt')).not.toMatch(/^(write|or) {7,}/m);
  });
});
