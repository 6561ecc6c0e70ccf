/** Whom a confirmation is asked of, what they are shown, and how often a name allows (calls/C8, calls/C10). */
import { expect, test } from 'vitest';
import type { Request } from '@assay/kernel';
import { Later } from '@assay/host';
import { confirmPort } from '../../src/shell/roles/confirming.ts';

const asking = (n: number, more: object = {}): Request =>
  ({
    kind: 'confirm',
    body: {
      subtask: '0.0',
      n,
      tool: 'send_mail',
      input: { to: 'bob' },
      target: null,
      loses: null,
      why: 'irreversible',
      ...more,
    },
  }) as unknown as Request;
const options = { signal: new AbortController().signal, key: 'k' } as never;

test.each([{}, { target: '{"to":"bob"}', loses: 'a'.repeat(64) }])(
  'a name allows one of several calls: %j',
  async (more) => {
    const port = confirmPort(
      null,
      [{ tool: 'send_mail', target: '{"to":"bob"}' }],
      () => null,
      () => true,
    );
    expect(await port.perform(asking(0, more), options)).toMatchObject({ value: { approved: true } });
    await expect(
      port.perform(asking(1, { ...more, ...('loses' in more ? { loses: 'b'.repeat(64) } : {}) }), options),
    ).rejects.toBeInstanceOf(Later);
  },
);

test('a person is asked one thing at a time, and shown the file that it is about', async () => {
  const said: string[] = [];
  const answers: ((typed: string) => void)[] = [];
  const person = {
    say: (line: string) => void said.push(line),
    ask: () => new Promise<string>((resolve) => answers.push(resolve)),
  };
  const port = confirmPort(
    person as never,
    [],
    ({ target }) => `needs_confirmation: ${target}: 1 bytes would be lost`,
    () => true,
  );
  const held = (n: number, target: string): Promise<unknown> =>
    port.perform(
      asking(n, { target, loses: 'a'.repeat(64), why: 'needs_confirmation' }),
      options,
    ) as Promise<unknown>;
  const [one, other] = [held(0, 'a.txt'), held(1, 'b.txt')];
  await new Promise((resolve) => setImmediate(resolve));
  expect([said.join('\n').includes('b.txt'), answers.length]).toEqual([false, 1]);
  answers[0]?.('yes');
  expect(await one).toMatchObject({ value: { approved: true } });
  await new Promise((resolve) => setImmediate(resolve));
  expect(said.at(-1)).toContain('b.txt');
  answers[1]?.('no');
  expect(await other).toMatchObject({ value: { approved: false } });
});
