import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { perceiveByRules } from '../../src/control/index.ts';
import { contents, makeWorld, run } from './tools/world.ts';

const turn = (input: string, summary = 'done'): { readonly input: string; readonly summary: string } => ({ input, summary });
const LARGEST = turn('find the largest file and write its name to report.md');
const COUNT = turn('count the txt files and write the number to "n of files.txt"');

const perceived = (text: string, session: readonly ReturnType<typeof turn>[]): unknown => {
  const task = perceiveByRules({ text, session });
  return task._tag === 'Left' ? task.left.code : { intent: task.right.intent, refers_to: task.right.refers_to };
};

describe('words that refer to an earlier turn (003 §R1)', () => {
  it('"do it again" is the last turn that is understood, restated', () => {
    for (const text of ['do it again', 'Again!', 'please do that again', 'once more', 'repeat that.']) {
      expect(perceived(text, [LARGEST, COUNT])).toEqual({ intent: 'count all files with the extension "txt" and write the number to "n of files.txt"', refers_to: 1 });
      expect(perceived(text, [LARGEST, turn('how are you?')])).toEqual({ intent: 'find the largest file and write its name to "report.md"', refers_to: 0 });
    }
  });

  it('"that file" is the one file that the last turn left, in the place of a path', () => {
    expect(perceived('delete that file', [COUNT, LARGEST])).toEqual({ intent: 'delete the file "report.md"', refers_to: 1 });
    expect(perceived('copy that file to b.md', [LARGEST, COUNT])).toEqual({ intent: 'copy "n of files.txt" to "b.md"', refers_to: 1 });
    expect(perceived('count the words of that file and write the number to w.txt', [LARGEST])).toEqual({ intent: 'count the words of "report.md" and write the number to "w.txt"', refers_to: 0 });
    // Two files are left of a copy, none of a removal: which is meant is not guessed.
    expect(perceived('delete that file', [turn('copy a.txt to b.txt')])).toBe('ambiguous');
    expect(perceived('delete that file', [turn('delete a.txt')])).toBe('no_such_turn');
  });

  it('"wrong" is the last turn once more, changed by the word behind it', () => {
    expect(perceived('wrong', [LARGEST])).toEqual({ intent: 'find the largest file and write its name to "report.md"', refers_to: 0 });
    expect(perceived("No, that's wrong: the smallest", [LARGEST])).toEqual({ intent: 'find the smallest file and write its name to "report.md"', refers_to: 0 });
    expect(perceived('wrong, I meant to other.md', [LARGEST])).toEqual({ intent: 'find the largest file and write its name to "other.md"', refers_to: 0 });
    expect(perceived('that is wrong, count the md files and write the number to n.txt', [LARGEST])).toEqual({ intent: 'count all files with the extension "md" and write the number to "n.txt"', refers_to: 0 });
    expect(perceived('wrong, I meant the purple one', [LARGEST])).toBe('not_understood');
    expect(perceived('wrong', [])).toBe('no_such_turn');
  });

  it('a reference to a turn that refers itself goes back to what that one meant', () => {
    expect(perceived('do it again', [LARGEST, turn('wrong, the oldest')])).toEqual({ intent: 'find the oldest file and write its name to "report.md"', refers_to: 1 });
  });

  it('words that are no request with any file in the place of "it" refer to no turn: they are not understood', () => {
    expect(perceived('add up the column amount in data.csv and write it to total.txt', [])).toBe('not_understood');
    expect(perceived('delete it', [])).toBe('no_such_turn');
  });

  it('"it" that says what is written refers to nothing', () => {
    expect(perceived('sum the numbers in a.csv and write it to s.txt', [LARGEST])).toMatchObject({ refers_to: null });
  });
});

describe('a session over a workspace', () => {
  it('the same task again writes nothing new; another answer is asked about, then replaces what stands there', async () => {
    const world = await makeWorld([{ path: 'small.txt', content: 'x' }, { path: 'big.txt', content: 'xxxx' }]);
    expect((await run(world, LARGEST.input)).result.directive).toBe('accept');
    const before = contents(world.root);
    const again = await run(world, 'do it again', { session: [LARGEST] });
    expect(again.result.directive).toBe('accept');
    expect(again.asked).toEqual([]);
    expect(contents(world.root)).toEqual(before);
    world.put({ path: 'bigger.txt', content: 'xxxxxxxx' });
    const kept = await run(world, 'do it again', { session: [LARGEST], approves: false });
    expect(kept.result.directive).toBe('abandon');
    expect(readFileSync(join(world.root, 'report.md'), 'utf8')).toBe('big.txt\n');
    const replaced = await run(world, 'do it again', { session: [LARGEST], approves: true });
    expect(replaced.result.directive).toBe('accept');
    expect(replaced.asked).toHaveLength(1);
    expect(readFileSync(join(world.root, 'report.md'), 'utf8')).toBe('bigger.txt\n');
    world.remove();
  });
});
