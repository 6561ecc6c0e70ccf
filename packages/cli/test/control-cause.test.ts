/**
 * Whatever ends the run of an abandoned task, the result names what went wrong by itself: what was not found,
 * not allowed, not confirmed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '@assay/kernel';
import { controlDocumentSchema } from '@assay/controller/schemas';
import { temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';

const folder = temporaryFolder();
let count = 0;

/** A workspace with `a.txt` and `b.txt`. */
function workspace(): string {
  const root = join(folder, `work-${(count += 1)}`);
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'a.txt'), 'alpha\n');
  writeFileSync(join(root, 'b.txt'), 'beta\n');
  return root;
}

const task = (text: string, ...more: readonly string[]): readonly string[] => [
  ...['task', text, '--workspace', workspace(), '--set', 'clock=stamps', ...more],
];

describe('an abandoned task', () => {
  test.each<readonly [text: string, more: readonly string[], tool: string | null, said: string]>([
    ['copy missing.txt to c.txt', [], 'read_file', 'not_found: missing.txt: nothing is there'],
    ['copy a.txt to c.txt', ['--allow', 'read_file'], null, 'tool_unavailable: write_file'],
  ])('%s %j: in its document, and where it is shown', async (text, more, tool, said) => {
    const out = join(folder, `out-${count}`);
    const document = await calledJson(...task(text, '-o', out, ...more));
    expect(controlDocumentSchema(document as Json)).toBeNull();
    expect(document).toMatchObject({ status: 'refused', cause: { tool, said } });
    expect((await called('show', join(out, 'run.ledger.jsonl'))).stdout).toContain(said);
  });

  test('says its cause right behind the result', async () => {
    const { stdout } = await called(...task('copy missing.txt to c.txt'));
    expect(stdout).toMatch(
      /^Abandoned .*\nbecause {5}read_file: not_found: missing\.txt: nothing is there\n/,
    );
  });

  test('names what failed after an action was allowed, not the action', async () => {
    const text = 'read b.txt | sum -> S; write S to a.txt';
    expect(await calledJson(...task(text, '--confirm', 'write_file:a.txt'))).toMatchObject({
      cause: { tool: 'read_file', said: 'not_a_number: beta' },
    });
  });

  test('a task that is done has no cause', async () => {
    expect(await calledJson(...task('copy a.txt to c.txt'))).toMatchObject({
      status: 'success',
      cause: null,
    });
  });
});
