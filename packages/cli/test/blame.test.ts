/** `assay blame`: what people see, exit codes, and bad input. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blameDocumentSchema } from '@assay/kernel/schemas';
import { ROOT, temporaryFolder } from './lib/assay.ts';
import { called, calledJson, shaped } from './lib/called.ts';

const folder = temporaryFolder();
mkdirSync(folder, { recursive: true });
const golden = (name: string): string => join(ROOT, 'golden-fixtures', name, 'ledger.jsonl');
const REFUSED = golden('tally-refused');
const file = (name: string, value: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
};

describe('blame', () => {
  test('of one policy and the recorded one: the field, and the value from which on it flips', async () => {
    const loose = file('loose.json', { quorum: 1, attempts: 3 });
    const document = shaped(blameDocumentSchema, await calledJson('blame', REFUSED, loose));
    expect(document).toMatchObject({
      set: [{ path: 'quorum', would_be: 1 }],
      flip: { kind: 'outcome' },
      every_part_tried: true,
      thresholds: [{ path: 'quorum', threshold: { flips: 1, stays: 2 } }],
    });
    expect((await called('blame', REFUSED, loose)).stdout).toMatch(
      /^threshold +quorum {2}2 stays, 1 flips$/m,
    );
  });

  test.each<readonly [policies: readonly unknown[], code: number, says: RegExp]>([
    [[{ attempts: 1 }], 1, /^no flip/],
    [[{ quorum: 2 }], 0, /^flips +refusal\/quorum/],
    [[{ quorum: 1 }, { quorum: 1 }], 1, /^no flip/],

    [[{ quorum: -1 }], 2, /does not take this policy/],
    [[], 2, /one or two policies/],
    [[{}, {}, {}], 2, /one or two policies/],
  ])('policies %j: exit %i', async (policies, code, says) => {
    const given = policies.flatMap((policy, index) => [file(`${index}.json`, policy)]);
    const ended = await called('blame', REFUSED, ...given);
    expect([ended.code, ended.stdout + ended.stderr]).toEqual([code, expect.stringMatching(says)]);
  });
});

test('where it asks what nobody answered, nothing can be blamed', async () => {
  const more = file('more.json', { voters: 4 });
  expect(await called('blame', golden('tally-success'), more)).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/^unknown/),
  });
});
