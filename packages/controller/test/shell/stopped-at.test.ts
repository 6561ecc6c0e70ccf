/** What is said of the call at which work stopped: the tool's own words, or why nothing could be made of it. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endedTask, findCause, stoppedAt, type StoppedAt } from '../../src/shell/ended.ts';
import { failed, makeWorld, run, tampered, type Course, type World } from './tools/world.ts';

/** What a run says of where it stopped, and of what it was abandoned for. */
async function ended(
  text: string,
  course: (world: World) => Course = () => ({}),
): Promise<{ readonly stopped: readonly StoppedAt[]; readonly cause: unknown; readonly directive: string }> {
  const world = await makeWorld([
    { path: 'a.csv', content: 'a,a\n1,2\n' },
    { path: 'raw/c.bin', content: new Uint8Array([255, 254]) },
  ]);
  symlinkSync('..', join(world.root, 'out'));
  const { records, result } = await run(world, text, course(world));
  world.remove();
  return {
    stopped: stoppedAt(records),
    cause: findCause(records, result),
    directive: result.directive,
  };
}

test.each([
  ['an error', 'copy b.csv to c.csv', 'read_file', 'not_found: b.csv: nothing is there'],
  ['a removal', 'delete b.csv', 'remove_file', 'not_found: b.csv: nothing is there'],
  ['a move', 'move b.csv to c.csv', 'move_file', 'not_found: b.csv: nothing is there'],
  ['a folder that is not there', 'find * in b -> A', 'find_files', 'not_found: b: nothing is there'],
  ['a folder to delete', 'delete "raw"', 'remove_file', 'not_a_file: raw: no regular file'],
  ['a link to delete', 'delete "out"', 'remove_file', 'symlink: out: a symbolic link stands there'],
  [
    'a link that leads out',
    'copy a.csv to out/c.csv',
    'write_file',
    'leaves_workspace: out/c.csv: a symbolic link leads out of the workspace',
  ],
  [
    'bytes that are no text',
    'find * in raw -> A; read A',
    'read_file',
    'not_text: raw/c.bin: 2 bytes that are no UTF-8 text',
  ],
  ['a sum of what is no number', 'read a.csv | sum', 'read_file', 'not_a_number: a,a'],
  [
    'a call that went well, of which nothing could be made',
    'read a.csv | column a | sum',
    'read_file',
    'ambiguous: columns 1 and 2 are headed a',
  ],
  [
    'a guard',
    'find *.csv -> A; expect count(A) > 1; delete A',
    'find_files',
    'not_met: line 2, expect count(A) > 1: found 1',
  ],
])('%s', async (_, text, tool, said) => {
  expect(await ended(text)).toEqual({
    stopped: [{ tool, said }],
    cause: { tool, said },
    directive: 'abandon',
  });
});

test('a call that ran out of time', async () => {
  const late = (world: World): Course => ({
    tools: tampered(world, (tool, input, call) =>
      tool === 'find_files' ? Promise.resolve(failed('timeout', 'wall_time', JSON.stringify(input))) : call(),
    ),
  });
  const found = { tool: 'find_files', said: 'wall_time: {"name":"*"}' };
  expect(await ended('find * | count', late)).toEqual({
    stopped: [found],
    cause: found,
    directive: 'abandon',
  });
});

test('work that went well says nothing', async () => {
  expect(await ended('copy a.csv to c.csv')).toEqual({ stopped: [], cause: null, directive: 'accept' });
});

test('what a person did not allow is the cause, in the words of the tool that held it back', async () => {
  expect(await ended('write "x" to a.csv', () => ({ approves: false }))).toEqual({
    stopped: [],
    cause: {
      tool: 'write_file',
      said: 'not_confirmed: a.csv: a file of 8 bytes is there and would be replaced',
    },
    directive: 'abandon',
  });
});

test('words that are no plan: the line that is no call, and what fits there', async () => {
  const world = await makeWorld([]);
  const { records, result } = await run(world, 'find *.md -> A\ntidy up');
  world.remove();
  const artifacts = new Map([['final_result', result as never]]);
  expect(endedTask(records, { status: 'refused', artifacts }, [])).toMatchObject({
    isUnread: true,
    cause: {
      tool: null,
      said: expect.stringMatching(/^not_understood: line 2, tidy up: no call "tidy": find, read, /),
    },
  });
});
