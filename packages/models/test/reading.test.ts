/**
 * Tasks that need reading: a model reads, decides and writes, and the files say whether it did. All of them,
 * on both wires, streamed and not, in the long lane.
 */
import { describe, expect, test } from 'vitest';
import { hasLoopback } from '../../../test/lib/loopback.ts';
import { played, READING } from './tools/reading.ts';

const FEW = ['read_three_theses', 'read_fix_check', 'read_missing_links', 'read_letter_from'];

test('there are twenty', () => {
  expect(READING.length).toBe(20);
});

describe.skipIf(!hasLoopback)('a scripted model', () => {
  test.each(READING.filter(({ name }) => FEW.includes(name)).map((task) => [task.name, task] as const))(
    '%s',
    async (_, task) => {
      const run = await played(task, {});
      expect([run.end, run.outcome, run.rejections]).toEqual(['success', 'done', []]);
    },
  );

  test('is decided on alike, streamed or not', async () => {
    const [task] = READING;
    if (task === undefined) throw new Error('no task');
    const runs = [
      await played(task, { wire: 'anthropic', isStreamed: true }),
      await played(task, { wire: 'anthropic', isStreamed: false }),
    ];
    expect(runs[0]?.decided).toEqual(runs[1]?.decided);
  });

  test('sees three texts of 4,000 units whole before it writes', async () => {
    const task = READING.find(({ name }) => name === 'read_three_theses');
    if (task === undefined) throw new Error('no task');
    const { received } = await played(task, {});
    const last = JSON.stringify(
      received.findLast(({ body }) => JSON.stringify(body).includes('UNTIL NOW'))?.body,
    );
    expect(
      ['ledgers outlive', 'a claim is not', 'small steps can'].filter((part) => last.includes(part)),
    ).toHaveLength(3);
    expect(last).not.toContain('left out');
  });
});
