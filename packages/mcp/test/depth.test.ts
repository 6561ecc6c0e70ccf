/**
 * How deep arguments may be nested: measured before any schema looks, since schemas follow nesting by
 * recursion.
 */
import { expect, test } from 'vitest';
import type { Json } from '@assay/kernel';
import { REQUEST } from '../../models/test/tools/synthetic.ts';
import { beside, desk } from './tools/desk.ts';

test.each(['[', '{"a":'])('%j: every tool takes it as deep as a record and no deeper', async (mark) => {
  const own = desk({ allowAnswer: true });
  const ask = await beside(own);
  const end = mark === '[' ? ']' : '}';
  // The arguments are a level themselves.
  const deep = (levels: number): Json =>
    JSON.parse(`${mark.repeat(levels - 1)}0${end.repeat(levels - 1)}`) as Json;
  for (const name of ['run', 'answer', 'verify', 'store_list', 'show']) {
    const given = { request: REQUEST, run_id: 'r', request_id: '1.0', record: 0 };
    for (const levels of [257, 2_000, 20_000])
      for (const key of ['pins', 'answer', 'run_id']) {
        expect([name, levels, (await ask.call(name, { ...given, [key]: deep(levels) })).error]).toMatchObject(
          [
            name,
            levels,
            {
              code: 'bad_arguments',
              message: expect.stringContaining('more than 256 levels'),
              place: `/${key}`,
            },
          ],
        );
      }
    expect(
      (await ask.call(name, { ...given, pins: deep(256), answer: deep(256) })).error?.message,
    ).not.toContain('256');
  }
  expect((await ask.call('run', { request: REQUEST, pins: { a: deep(255) } })).error?.code).toBe(
    'inadmissible',
  );
  expect(await own.store.list()).toMatchObject({ right: [] });
});
