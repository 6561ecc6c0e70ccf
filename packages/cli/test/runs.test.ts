/** `assay store list`: every stored run, the broken ones with their fault. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodeLine, Ledger, logicalTime, orThrow, type Json } from '@assay/kernel';
import { runsDocumentSchema } from '@assay/kernel/schemas';
import { assay, POLL, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';
import { bytesIn, firstRecords, folderWith, kindsOfStores, storeLedger } from './lib/places.ts';

const folder = temporaryFolder();
const kinds = kindsOfStores(folder);

/** The ledger of a run. */
async function ledgerOf(request: string, runId: string): Promise<string> {
  const out = join(folder, runId);
  await called('run', request, '--set', `run_id=${runId}`, '-o', out);
  return readFileSync(join(out, 'run.ledger.jsonl'), 'utf8');
}

describe.each(kinds)('$kind', ({ fresh }) => {
  test('each run is listed with machine, records, outcome and the line of its head', async () => {
    const store = fresh();
    const [done, refused] = [
      await ledgerOf('Keep logs at least 6 months.', 'done'),
      await ledgerOf('It would be nice.', 'refused'),
    ];
    await storeLedger(store, 'done', done);
    await storeLedger(store, 'refused', refused);
    await storeLedger(store, 'begun', firstRecords(await ledgerOf('Keep mail 2 years.', 'begun'), 3));
    const head = async (runId: string): Promise<string> =>
      (await called('head', join(folder, runId, 'run.ledger.jsonl'))).stdout.trim();
    const { code, stdout, stderr } = await called('store', 'list', store);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(lines).toEqual([
      ['begun', 'intent@1', '3 records', 'open', expect.stringMatching(/^assay-head:1:3:[0-9a-f]{64}$/)],
      ['done', 'intent@1', `${done.split('\n').length - 1} records`, 'success', await head('done')],
      ['refused', 'intent@1', `${refused.split('\n').length - 1} records`, 'refused', await head('refused')],
    ]);
    const json = await calledJson('store', 'list', store);
    expect(runsDocumentSchema(json as Json)).toBeNull();
    expect(json).toMatchObject({
      runs: [
        { run_id: 'begun', outcome: 'open', fault: null },
        { run_id: 'done', machine: 'intent@1', outcome: 'success', head_line: await head('done') },
        { run_id: 'refused', outcome: 'refused' },
      ],
    });
  });
});

describe('a broken run', () => {
  const broken = join(folder, 'broken');

  test('is listed with its fault and hides no other; exit 3, and nothing is changed', async () => {
    const sound = await ledgerOf('Keep logs at least 6 months.', 'sound');
    const store = folderWith(broken, 'sound', sound);
    folderWith(broken, 'edited', sound.replace('at least 6', 'at least 7'));
    folderWith(broken, 'renamed', sound);
    folderWith(broken, 'poll', readFileSync(POLL, 'utf8'));
    writeFileSync(join(broken, 'empty.ledger.jsonl'), '');
    writeFileSync(join(broken, 'noise.ledger.jsonl'), 'no ledger\nat all\n');
    const before = await Promise.all(
      ['sound', 'edited', 'renamed', 'noise'].map((name) => bytesIn(store, name).catch(() => name)),
    );
    const { code, stdout } = await called('store', 'list', store);
    expect(code).toBe(3);
    const said = new Map(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => [line.split(/ {2,}/)[0], line] as const),
    );
    expect(said.get('sound')).toContain('success');
    expect(said.get('edited')).toMatch(/0 records +broken +payload_hash at record 0/);
    expect(said.get('renamed')).toMatch(/broken +(?:other_run at record 0|store_run_id)/);
    expect(said.get('noise')).toMatch(/- +0 records +broken +encoding at record 0/);
    expect(said.get('empty')).toMatch(/broken +/);
    const json = await calledJson('store', 'list', store);
    expect(runsDocumentSchema(json as Json)).toBeNull();
    expect(json).toMatchObject({
      runs: expect.arrayContaining([
        expect.objectContaining({
          run_id: 'edited',
          outcome: null,
          head: null,
          head_line: null,
          fault: { code: 'payload_hash', record: 0 },
        }),
      ]),
    });
    expect(
      await Promise.all(
        ['sound', 'edited', 'renamed', 'noise'].map((name) => bytesIn(store, name).catch(() => name)),
      ),
    ).toEqual(before);
    const quiet = (await called('store', 'list', store, '--quiet')).stdout;
    expect([quiet.includes('edited'), quiet.includes('sound ')]).toEqual([true, false]);
  });
});

test('memory does not grow with a run: 60 MB of it are listed with a heap of 48 MiB', async () => {
  const large = join(folder, 'large');
  mkdirSync(large);
  const ledger = new Ledger();
  const text = 'x'.repeat(1_000_000);
  // A chain of another format is judged by its hashes and links, which is all the memory is about.
  const lines = Array.from(
    { length: 60 },
    (_, index) =>
      `${encodeLine(orThrow(ledger.append(logicalTime('t0', index), 'note', { text: `${index}${text}` })))}\n`,
  );
  writeFileSync(join(large, 'large.ledger.jsonl'), lines.join(''));
  const { code, stdout } = await assay(['store', 'list', `file:${large}`], { heapMiB: 48 });
  expect([code, stdout]).toEqual([3, expect.stringMatching(/^large +- +60 records +broken +other_run/)]);
});
