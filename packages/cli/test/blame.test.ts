/** `assay blame` and `assay bisect`: what people see, exit codes, and bad input. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bisectDocumentSchema, blameDocumentSchema } from '@assay/kernel/schemas';
import { FORGERIES, ROOT, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';

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
    const document = blameDocumentSchema.parse(await calledJson('blame', REFUSED, '--policy', loose));
    expect(document).toMatchObject({
      set: [{ path: 'quorum', would_be: 1 }],
      flip: { kind: 'outcome' },
      every_part_tried: true,
      thresholds: [{ path: 'quorum', threshold: { flips: 1, stays: 2 } }],
    });
    expect((await called('blame', REFUSED, '--policy', loose)).stdout).toMatch(
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
    const given = policies.flatMap((policy, index) => ['--policy', file(`${index}.json`, policy)]);
    const ended = await called('blame', REFUSED, ...given);
    expect([ended.code, ended.stdout + ended.stderr]).toEqual([code, expect.stringMatching(says)]);
  });
});

test('where it asks what nobody answered, nothing can be blamed', async () => {
  const more = file('more.json', { voters: 4 });
  expect(await called('blame', golden('tally-success'), '--policy', more)).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/^unknown/),
  });
});

describe('bisect', () => {
  test('says where two runs part and what was given differently', async () => {
    const { code, stdout } = await called('bisect', golden('tally-success'), REFUSED, '--json');
    expect([code, bisectDocumentSchema.parse(JSON.parse(stdout))]).toMatchObject([
      1,
      { by: 'whole', causes: ['policy', 'input'], at: { a: 1, b: 1 } },
    ]);
    const long = golden('tally-growing');
    const cut = join(folder, 'cut.jsonl');
    writeFileSync(cut, `${readFileSync(long, 'utf8').trimEnd().split('\n').slice(0, -40).join('\n')}\n`);
    const same = await called('bisect', long, long, '--json');
    expect([same.code, JSON.parse(same.stdout)]).toMatchObject([0, { by: 'record_hash', at: null }]);
    expect((await called('bisect', long, cut)).code).toBe(1);
  });

  test('a file whose hashes claim what its machine did not decide is not compared', async () => {
    const forged = join(FORGERIES, 'decision-rehashed', 'ledger.jsonl');
    for (const command of ['bisect', 'diff']) {
      const ended = await called(command, golden('tally-success'), forged);
      expect([ended.code, ended.stderr]).toEqual([3, expect.stringMatching(/differs/)]);
    }
  });

  test('one changed byte anywhere is no defect, and never the same run', async () => {
    const bytes = readFileSync(golden('tally-success'));
    const path = join(folder, 'mutated.jsonl');
    for (let at = 0; at < bytes.length; at += 397) {
      const mutated = Buffer.from(bytes);
      mutated[at] = (mutated[at] ?? 0) ^ (1 + (at % 7));
      writeFileSync(path, mutated);
      expect([2, 3]).toContain((await called('bisect', golden('tally-success'), path)).code);
    }
  });

  test.each<readonly [paths: readonly string[], code: number, says: RegExp]>([
    [[golden('tally-success'), golden('intent-unicode')], 2, /other_machine/],
    [[golden('tally-success'), join(folder, 'nothing')], 2, /missing_file/],
    [[golden('tally-success'), join(FORGERIES, 'edited-payload', 'ledger.jsonl')], 3, /hash/],
    [[golden('tally-success'), join(FORGERIES, 'README.md')], 3, /encoding/],
    [[golden('tally-success'), join(FORGERIES, 'empty-file', 'ledger.jsonl')], 3, /empty/],
  ])('%j: exit %i', async (paths, code, says) => {
    const ended = await called('bisect', ...paths);
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(says)]);
  });
});
