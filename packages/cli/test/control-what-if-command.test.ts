/**
 * What to type next is suggested only where it could say something: a threshold that nothing was held to
 * cannot have parted a path.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, temporaryFolder } from './lib/assay.ts';
import { called } from './lib/called.ts';

const folder = temporaryFolder();
const at = (...parts: readonly string[]): string => join(folder, ...parts);
const FIXTURES = join(ROOT, 'golden-fixtures');

describe('another threshold is suggested where a plan was made, and nowhere else', () => {
  test.each([
    ['not understood', 'be nice', 1, false],
    ['ambiguous', 'list all files in docs/old', 1, false],
    ['no tool for it', 'search the web for towers', 1, false],
    ['planned and given up', 'copy nowhere.txt to there.txt', 1, true],
    ['done', 'count all files and write the number to n.md', 0, true],
  ])('%s', async (name, task, exit, isSuggested) => {
    mkdirSync(at(name));
    writeFileSync(at(name, 'a.txt'), 'a');
    const ledger = at(`${name}-out`, 'run.ledger.jsonl');
    const { code, stdout } = await called(
      'task',
      task,
      '--workspace',
      at(name),
      '--no-clock',
      '-o',
      at(`${name}-out`),
    );
    expect([code, stdout.includes('assay whatif'), stdout.includes('\nnext        assay verify ')]).toEqual([
      exit,
      isSuggested,
      true,
    ]);
    expect((await called('show', ledger)).stdout.includes('\nnext        assay whatif ')).toBe(isSuggested);
    // What the suggestion is for: without a plan the same rounds come out under any threshold.
    if (!isSuggested)
      expect((await called('whatif', ledger, '--set', 'epsilon=50000')).stdout).toContain(
        'same        every decision says the same',
      );
  });

  test('every golden run of the controller has a plan, and its explanation suggests it', async () => {
    const goldens = readdirSync(FIXTURES).filter((name) => name.startsWith('controller-'));
    expect(goldens.length).toBeGreaterThan(20);
    for (const name of goldens)
      expect([
        name,
        (await called('show', join(FIXTURES, name, 'ledger.jsonl'))).stdout.includes(
          '\nnext        assay whatif ',
        ),
      ]).toEqual([name, true]);
  });
});
