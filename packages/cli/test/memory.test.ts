/** `assay memory`: reading a memory, tombstones and dreams. */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { orThrow, type Json } from '@assay/kernel';
import { tagsOf, toolTag, type MegramDraft } from '@assay/controller/memory';
import {
  memoryChangedSchema,
  memoryExplainSchema,
  memoryExportSchema,
  memoryInspectSchema,
} from '@assay/controller/schemas';
import { openStore } from '../src/files/store.js';
import { createMemory, tell } from '@assay/controller/memory-shell';
import { memoryAt } from '../src/files/memory-store.js';
import { dated, momentOf } from '../src/options/moment.js';
import { nanoText } from '../src/commands/memory/lines.js';
import { ROOT, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';

const folder = temporaryFolder();
const golden = (name: string): string => join(ROOT, 'golden-fixtures', name, 'ledger.jsonl');
const shell = toolTag('shell');
let made = 0;

/** A fresh store of a kind with a memory in it that was told some Megrams. */
async function stored(
  kind: 'file' | 'sqlite',
  drafts: readonly MegramDraft[],
  at_us = 1_000_000,
): Promise<string> {
  made += 1;
  const url =
    kind === 'file' ? `file:${join(folder, `store-${made}`)}` : `sqlite:${join(folder, `store-${made}.db`)}`;
  const store = await openStore(url);
  try {
    expect(orThrow(await createMemory(store, 'memory'))).toBe(true);
    expect(orThrow(await createMemory(store, 'memory'))).toBe(false);
    orThrow(
      await tell(store, 'memory', () => ({
        kind: 'write',
        source: 'synthetic',
        proposer: 'fixture:test',
        value: { from: 'R7', task: 't', megrams: drafts.map((draft) => ({ ...draft })), at_us },
      })),
    );
  } finally {
    await store.close();
  }
  return url;
}

const eight = Array.from(
  { length: 8 },
  (_, index): MegramDraft => ({
    ...shell,
    state: 'change_approach',
    content: index < 5 ? 'it hung' : 'it crashed',
  }),
);

describe('reading', () => {
  test('inspect lists the tags with what they weigh and advise', async () => {
    const { code, stdout, stderr } = await called('memory', 'inspect', golden('memory-refine-one-path'));
    expect([code, stderr]).toEqual([0, '']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.replaceAll(/ {2,}/g, '  ')),
    ).toEqual([
      'tool:read env:local  attention 0.500000  decision 0.250000  exploit  M 5',
      'tool:read path:/archive/2019.tar  attention 0.500000  decision 0.000000  caution  M 5',
      '2 tags at 2026-11-22T00:00:00Z',
    ]);
  });

  test('as a document, at another moment, and of one space', async () => {
    const later = await calledJson(
      'memory',
      'inspect',
      golden('memory-refine-one-path'),
      'tool:read',
      '--at',
      '2026-11-24',
    );
    expect(later).toMatchObject({
      run_id: 'memory-refine-one-path',
      at_us: 1_795_478_400_000_000,
      tags: [{ entity: 'env:local', attention_nano: 5 * 36_787_944, action: 'ignore', m: 5, k: 0, c: 0 }, {}],
    });
    expect(
      await calledJson('memory', 'inspect', golden('memory-refine-one-path'), 'tool:shell'),
    ).toMatchObject({ tags: [] });
  });

  test('one tag: what the numbers are made of, each Megram with its decay', async () => {
    const { code, stdout } = await called(
      'memory',
      'inspect',
      golden('memory-negative-rule-kept'),
      'intent:tidy_the_archive',
      'env:local',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('intent:tidy_the_archive env:local at 2027-09-18T00:00:00Z: avoid');
    expect(stdout).toContain('f 1.00 × sigma -1.00 × 1.000000000 left after 295.00 days at k 0.00');
    expect(stdout).toContain('Do not tidy the archive while it is locked.');
    const json = await calledJson(
      'memory',
      'inspect',
      golden('memory-refine-one-path'),
      'tool:read',
      'path:/archive/2019.tar',
      '--at',
      '2026-11-23',
    );
    const { megrams, tag } = json as unknown as {
      readonly tag: { readonly attention_nano: number };
      readonly megrams: readonly { readonly attention_nano: number; readonly decay_nano: number }[];
    };
    expect(megrams.reduce((sum, { attention_nano }) => sum + attention_nano, 0)).toBe(tag.attention_nano);
    expect(new Set(megrams.map(({ decay_nano }) => decay_nano))).toEqual(new Set([606_530_660]));
  });

  test('of a tag without Megrams it says so: exit 1', async () => {
    expect(
      await called('memory', 'inspect', golden('memory-refine-one-path'), 'tool:none', 'env:local'),
    ).toMatchObject({
      code: 1,
      stdout: 'nothing is remembered under tool:none env:local\n',
    });
  });

  test('--to gives every Megram, or those of a space, as JSON or as CSV', async () => {
    const json = await calledJson('memory', 'inspect', golden('memory-odd-tags'), '--to', 'json');
    expect(json['megrams']).toHaveLength(4);
    const none = await calledJson('memory', 'inspect', golden('memory-odd-tags'), 'x:y', '--to', 'json');
    expect(none['megrams']).toEqual([]);
    const { stdout } = await called('memory', 'inspect', golden('memory-odd-tags'), '--to', 'csv');
    expect(stdout.trimEnd().split('\n')).toHaveLength(5);
    expect(
      await called('memory', 'inspect', golden('memory-odd-tags'), '--to', 'csv', '--json'),
    ).toMatchObject({ code: 2 });
  });

  test.each([
    [['inspect', golden('tally-success')], 2, 'other_machine'],
    [['inspect', 'no-such-file'], 2, 'missing_file'],
    [['inspect', golden('memory-odd-tags'), '--at', 'yesterday'], 2, 'bad_value'],
    [['explain', golden('memory-odd-tags'), 'a'], 2, 'unknown_command'],
    [['export', golden('memory-odd-tags'), '--to', 'csv'], 2, 'unknown_command'],
    [['inspect', golden('memory-odd-tags'), '--space', 'a'], 2, 'unknown_option'],
    [['forget', golden('memory-odd-tags'), 'tool:a', '--why', 'x'], 2, 'store_url'],
    [['forget', 'file:somewhere', 'tool:a'], 2, 'missing_mandatory_option_value'],
    [['forget', 'file:somewhere', 'tool:a', '--why', ''], 2, 'bad_value'],
    [['forget', 'file:somewhere', 'tool:a', '--why', ' \t\n\u00a0\u200b'], 2, 'bad_value'],
    [['forget', 'file:somewhere', 'tool:a', '--why', 'x'.repeat(100_000)], 2, 'bad_value'],
    [['forget', 'file:somewhere', 'x'.repeat(257), '--why', 'x'], 2, 'bad_value'],
    [['forget', 'file:somewhere', 'tool:a', 'x'.repeat(4_102), '--why', 'x'], 2, 'bad_value'],
    [
      ['inspect', join(ROOT, 'golden-fixtures', 'forgeries', 'memory-potential-raised', 'ledger.jsonl')],
      3,
      'store_ledger',
    ],
    [[], 2, 'no_command'],
  ])('assay memory %j: exit %i, %s', async (args, exit, problem) => {
    const { code, stderr } = await called('memory', ...args);
    expect([code, /^assay: ([a-z_]+):/.exec(stderr)?.[1]]).toEqual([exit, problem]);
  });

  test(
    'a reason may be as long as what a memory remembers, and one that is longer is told how ' +
      'long that is',
    async () => {
      expect(
        (await called('memory', 'forget', 'file:somewhere', 'tool:a', '--why', 'x'.repeat(4_001))).stderr,
      ).toMatch(/4001 UTF-16 units.* 4000; nothing was forgotten\n {2}place {3}--why\n/);
      expect(
        (await called('memory', 'forget', 'file:somewhere', 'tool:a', '--why', 'x'.repeat(4_000))).stderr,
      ).toMatch(/^assay: store_missing: /);
    },
  );

  test.each(['memory-negative-rule-kept', 'memory-odd-tags', 'memory-refine-one-path'])(
    'every document of %s fits its published schema',
    async (name) => {
      const inspected = await calledJson('memory', 'inspect', golden(name));
      expect(memoryInspectSchema(inspected as Json)).toBeNull();
      for (const { entity, space } of (
        inspected as unknown as {
          readonly tags: readonly { readonly space: string; readonly entity: string }[];
        }
      ).tags) {
        expect(
          memoryExplainSchema((await calledJson('memory', 'inspect', golden(name), space, entity)) as Json),
        ).toBeNull();
      }
      expect(
        memoryExplainSchema(
          JSON.parse(
            (await called('memory', 'inspect', golden(name), 'tool:none', 'env:local', '--json')).stdout,
          ) as Json,
        ),
      ).toBeNull();
      expect(
        memoryExportSchema((await calledJson('memory', 'inspect', golden(name), '--to', 'json')) as Json),
      ).toBeNull();
      expect(memoryExportSchema({ ...inspected } as Json)).not.toBeNull();
    },
  );

  test('moments and numbers are read and shown as they are', () => {
    expect([
      momentOf('2026-11-22'),
      momentOf('2026-11-22T00:00:01.5Z'),
      momentOf('17'),
      dated(1_795_305_600_000_000),
    ]).toEqual([1_795_305_600_000_000, 1_795_305_601_500_000, 17, '2026-11-22T00:00:00Z']);
    expect([nanoText(499_999_999), nanoText(-200_000_001, 9), nanoText(0, 2), nanoText(-5, 6)]).toEqual([
      '0.499999',
      '-0.200000001',
      '0.00',
      '-0.000000',
    ]);
  });
});

describe.each(['file', 'sqlite'] as const)('changing a memory in a %s store', (kind) => {
  test("forget records a person's tombstone, and the ledger still holds", async () => {
    const url = await stored(kind, eight);
    expect(await called('memory', 'forget', url, 'tool:shell', '--why', 'another machine')).toMatchObject({
      code: 0,
      stdout: 'forgotten: 8 under tool:shell env:local; the ledger keeps that they were there\n',
    });
    const { run, head } = await memoryAt(url, 'memory');
    expect([tagsOf(run.state.shelf), head.count]).toEqual([[], 6]);
    expect(await called('memory', 'forget', url, 'tool:shell', '--why', 'again')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('rejected: unknown_target'),
    });
    expect(
      memoryChangedSchema(
        JSON.parse(
          (await called('memory', 'forget', url, 'tool:shell', '--why', 'again', '--json')).stdout,
        ) as Json,
      ),
    ).toBeNull();
    expect((await called('store', 'list', url)).stdout).toMatch(/^memory {2}memory@1 {2}10 records +open/);
  });

  test('of one Megram by its id; a text that is no id is wrong use', async () => {
    const url = await stored(kind, eight);
    const { megrams } = (await calledJson(
      'memory',
      'inspect',
      url,
      'tool:shell',
      'env:local',
    )) as unknown as {
      readonly megrams: readonly { readonly id: string }[];
    };
    expect(
      (await called('memory', 'forget', url, 'tool:shell', '--id', megrams[0]?.id ?? '', '--why', 'x')).code,
    ).toBe(0);
    expect(await calledJson('memory', 'inspect', url)).toMatchObject({ tags: [{ m: 7 }] });
    expect(await called('memory', 'forget', url, 'tool:shell', '--id', 'abc', '--why', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: bad_value:/),
    });
  });

  test('a dream promotes with words made from the evidence, or leaves the words open', async () => {
    const url = await stored(kind, eight);
    const waiting = await called('memory', 'dream', url, '--at', '2', '--words', 'none');
    expect(waiting).toMatchObject({ code: 1, stdout: expect.stringContaining('rejected: clock_backwards') });
    expect((await called('memory', 'dream', url, '--at', '1000000', '--words', 'none')).stdout).toContain(
      'constraint under tool:shell env:local: attention 6.800000, decision -6.800000; words are asked for',
    );
    expect((await called('memory', 'dream', url, '--at', '1000000')).stdout).toContain(
      'promoted: Avoid tool:shell: it hung, 5 of 8.',
    );
    expect(await calledJson('memory', 'inspect', url)).toMatchObject({
      tags: [{ c: 1, m: 8, action: 'avoid' }],
    });
  });

  test('what a dream and a tombstone print fits its published schema, with every event they bring', async () => {
    const url = await stored(kind, eight);
    const seen: string[] = [];
    for (const args of [
      ['dream', url, '--at', '1000000'],
      ['dream', url, '--at', '90000000000000'],
      ['forget', url, 'tool:shell', '--why', 'x', '--at', '90000000000000'],
    ]) {
      const document = await calledJson('memory', ...args);
      expect(memoryChangedSchema(document as Json)).toBeNull();
      seen.push(
        ...(document as unknown as { readonly events: readonly { readonly t: string }[] }).events.map(
          ({ t }) => t,
        ),
      );
    }
    expect([...new Set(seen)].toSorted()).toEqual([
      'distilling',
      'dreamt',
      'faded',
      'forgotten',
      'promoted',
      'remembered',
    ]);
  });
});

test("nobody leads a memory's clock by more than a day: what is told later would come before it", async () => {
  const url = await stored('file', eight);
  const before = (await memoryAt(url, 'memory')).head;
  const ahead = String((Date.now() + 2 * 86_400_000) * 1_000);
  for (const args of [
    ['dream', url, '--at', '2099-01-01'],
    ['dream', url, '--at', ahead],
    ['forget', url, 'tool:shell', '--why', 'x', '--at', '2099-01-01'],
  ]) {
    expect(await called('memory', ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: at_ahead: this is more than a day after /),
    });
  }
  expect((await memoryAt(url, 'memory')).head).toEqual(before);
  expect((await called('memory', 'inspect', url, '--at', '2099-01-01')).code).toBe(0);
  expect(
    (
      await called(
        'memory',
        'dream',
        url,
        '--words',
        'none',
        '--at',
        String((Date.now() + 3_600_000) * 1_000),
      )
    ).code,
  ).toBe(0);
});

test('of several writers at once each gets in: who comes while another holds the memory waits a little', async () => {
  const url = await stored('file', eight);
  const copy = join(folder, 'both');
  mkdirSync(copy);
  const ended = await Promise.all(
    ['a', 'b', 'c'].map((why) =>
      called('memory', 'dream', url, '--words', 'none', '--at', `${1_000_000 + why.length}`),
    ),
  );
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
  const { run } = await memoryAt(url, 'memory');
  expect(run.state.clock_us).toBe(1_000_001);
  cpSync(url.slice('file:'.length), copy, { recursive: true });
  expect((await called('verify', join(copy, 'memory.ledger.jsonl'))).stdout).toContain('rederivation  held');
});
