/** A memory by `show` and `answer`: reading it, tombstones and dreams. */
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { orThrow } from '@assay/kernel';
import { megramsIn, listTags, toolTag, type MegramDraft } from '@assay/controller/memory';
import { openStore } from '../src/files/store.js';
import { createMemory, tell } from '@assay/controller/memory-shell';
import { memoryAt } from './lib/memory.ts';
import { dated, parseMoment } from '../src/kits/memory.js';
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
  test('show has one panel alone as a document, and the Megrams as CSV', async () => {
    const ledger = golden('memory-refine-one-path');
    const csv = (await called('show', golden('memory-odd-tags'), 'megrams', '--format', 'csv')).stdout;
    expect(csv.trimEnd().split('\n')).toHaveLength(5);
    expect(await calledJson('show', ledger, 'tags')).toMatchObject({ id: 'tags', block: { t: 'table' } });
  });

  test('moments are read and shown as they are', () => {
    expect([
      parseMoment('2026-11-22'),
      parseMoment('2026-11-22T00:00:01.5Z'),
      parseMoment('17'),
      dated(1_795_305_600_000_000),
    ]).toEqual([1_795_305_600_000_000, 1_795_305_601_500_000, 17, '2026-11-22T00:00:00Z']);
  });
});

describe.each(['file', 'sqlite'] as const)('telling a memory in a %s store', (kind) => {
  test('what it asks is printed where nothing is given: exit 6', async () => {
    const url = await stored(kind, eight);
    const all = await called('answer', url);
    expect([all.code, all.stdout]).toEqual([6, expect.stringMatching(/^\d+\.\d+ +forget +forget a tag/m)]);
    const one = await called('answer', url, 'forget');
    expect([one.code, one.stdout]).toEqual([
      6,
      expect.stringContaining('answer   SPACE [ENTITY [ID]]: REASON'),
    ]);
    expect(await called('answer', url, 'hire')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('open: '),
    });
    expect(await called('answer', url, 'write', '{}')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no person may answer this'),
    });
  });

  test("forget records a person's tombstone, and the ledger still holds", async () => {
    const url = await stored(kind, eight);
    const forget = ['answer', url, 'forget', 'tool:shell: another machine'];
    expect(await called(...forget)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('forgotten: 8 under "tool:shell env:local"; the ledger keeps'),
    });
    const { run, head } = await memoryAt(url, 'memory');
    expect([listTags(run.state.shelf), head.count]).toEqual([[], 6]);
    expect(await called(...forget)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('rejected: unknown_target'),
    });
    expect(JSON.parse((await called(...forget, '--json')).stdout)).toMatchObject({
      kind: 'forget',
      head: { run_id: 'memory', count: 10 },
      rejection: { code: 'unknown_target' },
      events: [],
    });
    expect((await called('store', 'list', url)).stdout).toMatch(/^memory {2}memory@1 {2}10 records +open/);
  });

  test('of one Megram by its id', async () => {
    const url = await stored(kind, eight);
    const tag = listTags((await memoryAt(url, 'memory')).run.state.shelf)[0];
    const [megram] = tag === undefined ? [] : [...megramsIn(tag)];
    expect((await called('answer', url, 'forget', `tool:shell env:local ${megram?.id ?? ''}: x`)).code).toBe(
      0,
    );
    expect(listTags((await memoryAt(url, 'memory')).run.state.shelf)[0]?.count).toBe(7);
  });

  test.each([
    'tool:a',
    'tool:a: ',
    'tool:a: \t\n\u00a0\u200b',
    `tool:a: ${'x'.repeat(4_001)}`,
    `${'x'.repeat(257)}: x`,
    `tool:a ${'x'.repeat(4_102)}: x`,
    '{"space":"tool:a"}',
    '{"space":',
  ])('what is no such answer is not recorded: %#', async (words) => {
    const url = await stored(kind, eight);
    const { head } = await memoryAt(url, 'memory');
    expect(await called('answer', url, 'forget', words)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: bad_value: .*nothing was recorded/),
    });
    expect((await memoryAt(url, 'memory')).head).toEqual(head);
  });

  test('a dream promotes with words made from the evidence', async () => {
    const url = await stored(kind, eight);
    expect(await called('answer', url, 'dream', '2')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('rejected: clock_backwards'),
    });
    expect((await called('answer', url, 'dream', '1000000')).stdout).toContain(
      'promoted: "Avoid tool:shell: it hung, 5 of 8."',
    );
    expect((await called('answer', url, 'dream', '{"at_us":90000000000000}')).stdout).toContain('faded: ');
    const [tag] = listTags((await memoryAt(url, 'memory')).run.state.shelf);
    expect(tag?.rules).toHaveLength(1);
  });
});

test("nobody leads a memory's clock by more than a day: what is told later would come before it", async () => {
  const url = await stored('file', eight);
  const before = (await memoryAt(url, 'memory')).head;
  const far = String((Date.now() + 2 * 86_400_000) * 1_000);
  for (const at of ['2099-01-01', far, `{"at_us":${far}}`])
    expect(await called('answer', url, 'dream', at)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: at_ahead: this is more than a day after /),
    });
  expect((await memoryAt(url, 'memory')).head).toEqual(before);
  const soon = String((Date.now() + 3_600_000) * 1_000);
  expect((await called('answer', url, 'dream', soon)).code).toBe(0);
});

test('an invitation is answered however many answers were rejected before', async () => {
  const url = await stored('file', eight);
  for (const word of ['a', 'b', 'c', 'd'])
    expect((await called('answer', url, 'forget', `${word}: x`)).code).toBe(1);
  expect(await called('answer', url, 'forget', 'tool:shell: x')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('forgotten') as string,
  });
});

test('of several writers at once each gets in: who comes while another holds the memory waits a little', async () => {
  const url = await stored('file', eight);
  const copy = join(folder, 'both');
  mkdirSync(copy);
  const ended = await Promise.all(
    ['1000001', '1000001', '1000001'].map((at) => called('answer', url, 'dream', at)),
  );
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
  const { run } = await memoryAt(url, 'memory');
  expect(run.state.clock_us).toBe(1_000_001);
  cpSync(url.slice('file:'.length), copy, { recursive: true });
  const lines = readFileSync(join(copy, 'memory.ledger.jsonl'), 'utf8');
  expect(lines.split('"source":"human"')).toHaveLength(4);
  expect((await called('verify', join(copy, 'memory.ledger.jsonl'))).stdout).toContain('rederivation  held');
});
