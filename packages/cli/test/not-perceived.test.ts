/** What somebody is told whose words the rules did not understand: why, and what they could have said. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FAMILY_EXAMPLES } from '@assay/rules/tasks';
import { assay } from './lib/assay.js';

const base = mkdtempSync(join(tmpdir(), 'assay-unread-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const said = async (task: string, ...more: readonly string[]): Promise<string> => {
  const { code, stdout } = await assay(['task', task, '--workspace', base, '--set', 'clock=stamps', ...more]);
  expect(code).toBe(1);
  return stdout;
};

describe('a task that the rules do not understand', () => {
  it('is answered with a sentence of each family, and with who else could understand it', async () => {
    const out = join(mkdtempSync(join(tmpdir(), 'assay-unread-out-')), 'out');
    const stdout = await said('make everything nice', '-o', out);
    for (const { said: example } of FAMILY_EXAMPLES) expect(stdout).toContain(`  ${example}\n`);
    expect(stdout).toContain('--proposer llm:PROVIDER/MODEL');
    expect((await assay(['show', join(out, 'run.ledger.jsonl')])).stdout).toMatch(/denied +"not_understood"/);
  });

  it.each([
    ['ambiguous', 'list all files in docs/old', 'two things'],
    ['an open quote', 'write "abc to a.txt', 'a quote is not closed'],
    ['a way out', 'delete ../a.txt', 'a path leads out of the workspace'],
    ['one file', 'copy a.txt to a.txt', 'written over'],
    ['no turn', 'do it again', '--after LEDGER'],
  ])('is told why, without the sentences, where that is known: %s', async (_, task, words) => {
    const stdout = await said(task);
    expect(stdout).toMatch(new RegExp(`^because {5}.*${words}`, 'm'));
    expect(stdout).not.toContain(FAMILY_EXAMPLES[0]?.said);
  });

  it('shows the whole summary', async () => {
    expect(await said('make everything nice')).toMatch(/^Abandoned .*the request was not understood"$/m);
  });

  it('says nothing of it where a task was understood', async () => {
    expect(await said('delete missing.txt')).not.toMatch(/^(understood|because .*the rules)/m);
  });
});
