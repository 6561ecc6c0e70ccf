/** The everyday tasks and those of a second author, in the plan notation: done in real folders, judged by the files. */
import { expect, test } from 'vitest';
import { judgeTasks } from '../scripts/language/tasks.mjs';

test.each([
  ['everyday.json', 29],
  ['tasks', 30],
])('%s: every task is right', async (set, asked) => {
  const { judged, ...figures } = await judgeTasks(set);
  expect(judged.filter(({ outcome }) => outcome !== 'right')).toEqual([]);
  expect(figures).toEqual({ asked, right: asked, refused: 0, wrong: 0 });
});
