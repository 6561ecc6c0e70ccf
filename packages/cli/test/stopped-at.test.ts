/** The call at which work stopped is named in the tool's own words. */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './lib/assay.ts';
import { called } from './lib/called.ts';

const folder = join(temporaryFolder(), 'w');

test.each([
  'delete missing.txt',
  'delete docs/missing.txt',
  'move missing.txt to b.txt',
  'copy missing.txt to b.txt',
  'read missing.txt | count lines -> N; write N to n.txt',
])('%s: the file that is not there is named', async (task) => {
  mkdirSync(folder, { recursive: true });
  const { code, stdout } = await called('task', task, '--workspace', folder, '--set', 'clock=stamps');
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^stopped at {2}\w+: not_found: (docs\/)?missing\.txt: nothing is there$/m),
  ]);
});

test.each([
  ['a folder', 'delete "docs"', 'not_a_file: docs: no regular file'],
  ['a link that leads out', 'delete out.txt', 'symlink: out.txt: a symbolic link stands there'],
])('%s in the place of the file to delete is named', async (_, task, said) => {
  mkdirSync(join(folder, 'docs'), { recursive: true });
  if (!existsSync(join(folder, 'out.txt'))) symlinkSync('/etc/passwd', join(folder, 'out.txt'));
  const { code, stdout } = await called('task', task, '--workspace', folder, '--set', 'clock=stamps');
  expect([code, stdout]).toEqual([1, expect.stringContaining(`\nbecause     remove_file: ${said}\n`)]);
  expect(stdout).toContain(`\nstopped at  remove_file: ${said}\n`);
});
