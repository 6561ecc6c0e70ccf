/**
 * One golden request for each wire: what is sent. If another version of a package sends something else, look at the
 * difference and update the file by hand, with the reason in the commit.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ran } from './tools/runs.ts';
import { WIRES } from './tools/scripted-server.ts';
import { said } from './tools/synthetic.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';

const golden = (name: string): string =>
  readFileSync(new URL(`golden/${name}.json`, import.meta.url), 'utf8');

describe.skipIf(!hasLoopback)('prompt interpretations, version 2', () => {
  test.each(WIRES)('is sent like this to %s', async (wire) => {
    const run = await ran(wire, [{ text: 'no' }, { text: said() }], {
      llm: {
        parameters: {
          max_output_tokens: 4_096,
          temperature: 0,
          top_p: null,
          seed: wire === 'compatible' ? 7 : null,
        },
      },
    });
    expect(
      `${JSON.stringify(
        run.received.map(({ path, body }) => ({ path, body })),
        null,
        1,
      )}\n`,
    ).toBe(golden(`interpretations-2.${wire}`));
  });

  test('the key goes where each wire has it, and the call is named by its idempotency key', async () => {
    for (const [wire, header] of [
      ['anthropic', 'x-api-key'],
      ['openai', 'authorization'],
      ['compatible', 'authorization'],
    ] as const) {
      const run = await ran(wire, [{ text: 'no' }, { text: said() }]);
      expect(run.received.map(({ headers }) => headers[header])).toEqual(
        Array.from({ length: 2 }, () => expect.stringMatching(/^(?:Bearer )?sk-canary-/) as string),
      );
      const keys = run.received.map(({ headers }) => headers['idempotency-key']);
      expect([new Set(keys).size, String(keys[0])]).toEqual([2, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    }
  });

  test('OpenAI is asked to keep nothing', async () => {
    expect((await ran('openai', [{ text: said() }])).received[0]?.body).toMatchObject({ store: false });
  });
});
