/**
 * Whatever ends the run of an abandoned task, the result names what went wrong by itself: what was not found,
 * not allowed, not confirmed.
 */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '@assay/kernel';
import { controlDocumentSchema } from '@assay/controller/schemas';
import { temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';

const folder = temporaryFolder();
let count = 0;

/** A workspace with `a.txt`, `b.txt` and bytes that are no text. */
function workspace(): string {
  const root = join(folder, `work-${(count += 1)}`);
  mkdirSync(join(root, 'raw'), { recursive: true });
  writeFileSync(join(root, 'a.txt'), 'alpha\n');
  writeFileSync(join(root, 'b.txt'), 'beta\n');
  writeFileSync(join(root, 'raw', 'c.bin'), new Uint8Array([255, 254]));
  symlinkSync('..', join(root, 'out'));
  return root;
}

const nothing = (name: string): string => `not_found: ${name}: nothing is there`;
const shell = (names: string): readonly string[] => names.split(' ').flatMap((name) => ['--allow', name]);

describe('an abandoned task', () => {
  test.each<
    readonly [
      task: string,
      more: readonly string[],
      cause: { readonly tool: string | null; readonly said: string },
    ]
  >([
    ['copy missing.txt to c.txt', [], { tool: 'read_file', said: nothing('missing.txt') }],
    ['move missing.txt to c.txt', [], { tool: 'move_file', said: nothing('missing.txt') }],
    [
      'read missing.csv | sum -> S; write S to c.txt',
      [],
      { tool: 'read_file', said: nothing('missing.csv') },
    ],
    [
      'read missing.txt | count lines -> N; write N to c.txt',
      [],
      { tool: 'read_file', said: nothing('missing.txt') },
    ],
    [
      'find *.txt in missing -> F; read F -> A; write A to c.txt',
      [],
      { tool: 'find_files', said: nothing('missing') },
    ],
    [
      'find *.md largest -> A; expect count(A) = 1; write "x" to c.txt',
      [],
      { tool: 'find_files', said: 'not_met: line 2, expect count(A) = 1: found 0' },
    ],
    [
      'find * in raw -> F; read F -> A; write A to c.txt',
      [],
      { tool: 'read_file', said: 'not_text: raw/c.bin: 2 bytes that are no UTF-8 text' },
    ],
    ['read a.txt | sum -> S; write S to c.txt', [], { tool: 'read_file', said: 'not_a_number: alpha' }],
    [
      'copy a.txt to out/c.txt',
      [],
      { tool: 'write_file', said: 'leaves_workspace: out/c.txt: a symbolic link leads out of the workspace' },
    ],
    ['copy a.txt to c.txt', shell('read_file'), { tool: null, said: 'tool_unavailable: write_file' }],
    ['delete a.txt', shell('read_file'), { tool: null, said: 'tool_unavailable: remove_file' }],
  ])('%s %j', async (task, more, cause) => {
    const root = workspace();
    const out = join(folder, `out-${count}`);
    const document = await calledJson(
      'task',
      task,
      '--workspace',
      root,
      '--set',
      'clock=stamps',
      '-o',
      out,
      ...more,
    );
    expect(controlDocumentSchema(document as Json)).toBeNull();
    expect(document).toMatchObject({ status: 'refused', cause });
    expect([existsSync(join(root, 'c.txt')), readFileSync(join(root, 'b.txt'), 'utf8')]).toEqual([
      false,
      'beta\n',
    ]);
    expect((await called('show', join(out, 'run.ledger.jsonl'))).stdout).toContain(
      cause.said.replace('not_confirmed: ', ''),
    );
  });

  test('says its cause right behind the result', async () => {
    const { stdout } = await called(
      'task',
      'copy missing.txt to c.txt',
      '--workspace',
      workspace(),
      '--set',
      'clock=stamps',
    );
    expect(stdout).toMatch(
      /^Abandoned .*\nbecause {5}read_file: not_found: missing\.txt: nothing is there\n/,
    );
  });

  test('names what failed after an action was allowed, not the action', async () => {
    const root = workspace();
    writeFileSync(join(root, 'n.csv'), 'one\n');
    const document = await calledJson(
      'task',
      'read n.csv | sum -> S; write S to a.txt',
      '--workspace',
      root,
      '--set',
      'clock=stamps',
      '--confirm',
      'write_file:a.txt',
    );
    expect(document).toMatchObject({ cause: { tool: 'read_file', said: 'not_a_number: one' } });
  });

  test('says of what is not understood what that means, and a task that is done has no cause', async () => {
    expect(
      await calledJson('task', 'be nice', '--workspace', workspace(), '--set', 'clock=stamps'),
    ).toMatchObject({
      status: 'refused',
      cause: {
        tool: null,
        said: expect.stringMatching(/^not_understood: line 1, be nice: no call "be": find, /) as string,
      },
    });
    const done = await calledJson(
      'task',
      'copy a.txt to c.txt',
      '--workspace',
      workspace(),
      '--set',
      'clock=stamps',
    );
    expect(done).toMatchObject({ status: 'success', cause: null });
  });
});
