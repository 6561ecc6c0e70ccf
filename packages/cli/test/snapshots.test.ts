/**
 * Snapshots kept beside a store: taken when asked for, used where the ledger bears them out, and never
 * needed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, temporaryFolder } from './lib/assay.ts';
import { called } from './lib/called.ts';
import { bytesIn, firstRecords, folderWith, storeLedger } from './lib/places.ts';

const folder = temporaryFolder();
const REQUEST = 'Keep audit logs for 90 days. Responses must arrive within 200 ms.';
const MANY = ['rules', 'rules', 'rules'].flatMap((name) => ['--proposer', name]);

/** A whole run with its last snapshot, and how many records that is of. */
async function snapshotted(
  at: string,
  url: string,
): Promise<{ readonly ledger: string; readonly snapshot: string; readonly count: number }> {
  const { code, stderr } = await called(
    'run',
    REQUEST,
    '--run-id',
    'many',
    ...MANY,
    '--store',
    url,
    '--snapshot-every',
    '1',
  );
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('snapshot')]);
  const snapshot = readFileSync(join(at, 'many.snapshot.json'), 'utf8');
  const { head } = JSON.parse(snapshot) as { readonly head: { readonly count: number } };
  return { ledger: (await bytesIn(url, 'many')) ?? '', snapshot, count: head.count };
}

describe('--snapshot-every', () => {
  test.each(['file', 'sqlite'])('keeps one beside a %s store, of a run that was not over', async (kind) => {
    const at = join(folder, `beside-${kind}`);
    const { ledger, snapshot, count } = await snapshotted(
      at,
      kind === 'file' ? `file:${at}` : `sqlite:${join(at, 'runs.db')}`,
    );
    expect(snapshot).toMatch(/"format":"assay-snapshot\//);
    expect(count).toBeGreaterThan(1);
    expect(count).toBeLessThan(ledger.split('\n').length - 1);
    if (kind === 'file')
      expect((await called('runs', '--store', `file:${at}`)).stdout.split('\n')).toHaveLength(2);
  });

  test("of a cut run is used: resume ends in the same bytes, from the snapshot's own records on and after any others", async () => {
    const whole = join(folder, 'whole');
    const { ledger, snapshot, count } = await snapshotted(whole, `file:${whole}`);
    for (const kept of [count, count + 1, ledger.split('\n').length - 1]) {
      for (const kind of ['file', 'sqlite']) {
        const at = join(folder, `cut-${kind}-${kept}`);
        const url =
          kind === 'file'
            ? folderWith(at, 'many', firstRecords(ledger, kept))
            : `sqlite:${join(at, 'runs.db')}`;
        if (kind === 'sqlite') await storeLedger(url, 'many', firstRecords(ledger, kept));
        writeFileSync(join(at, 'many.snapshot.json'), snapshot);
        const { code, stderr } = await called('resume', 'many', '--store', url);
        expect([kept, code, stderr]).toEqual([kept, 0, expect.not.stringContaining('snapshot')]);
        expect(await bytesIn(url, 'many')).toBe(ledger);
        expect(readFileSync(join(at, 'many.snapshot.json'), 'utf8')).toBe(snapshot);
      }
    }
  });

  test('one that the ledger does not bear out is told of, and the run has the same bytes', async () => {
    const whole = join(folder, 'borne');
    const { ledger, snapshot, count } = await snapshotted(whole, `file:${whole}`);
    const bad = [snapshot.replace(/"hash":"[0-9a-f]{8}/, '"hash":"00000000'), 'no snapshot', snapshot];
    for (const [index, text] of bad.entries()) {
      const at = join(folder, `bad-${index}`);
      // The last of them is a good one, of records that this ledger does not have.
      const url = folderWith(at, 'many', firstRecords(ledger, index === 2 ? count - 1 : count));
      writeFileSync(join(at, 'many.snapshot.json'), text);
      const { code, stderr } = await called('resume', 'many', '--store', url);
      expect([index, code, stderr]).toEqual([
        index,
        0,
        expect.stringMatching(/^assay: the snapshot of this run is not used \([a-z]+\)/m),
      ]);
      expect(await bytesIn(url, 'many')).toBe(ledger);
    }
  });

  test.skipIf(process.platform === 'win32')(
    'a pipe that bears the name of one is told of and holds up nothing: the command ends, and the run has the same bytes',
    { timeout: 60_000 },
    async () => {
      const { ledger, count } = await snapshotted(
        join(folder, 'piped-whole'),
        `file:${join(folder, 'piped-whole')}`,
      );
      const at = join(folder, 'piped');
      const url = folderWith(at, 'many', firstRecords(ledger, count));
      execFileSync('mkfifo', [join(at, 'many.snapshot.json')]);
      expect(await assay(['resume', 'many', '--store', url])).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('what bears its name is no file'),
      });
      expect(await bytesIn(url, 'many')).toBe(ledger);
    },
  );

  test('none is made unless asked for, and resume takes one up where it is', async () => {
    const at = join(folder, 'unasked');
    const url = folderWith(
      at,
      'many',
      firstRecords((await snapshotted(join(folder, 'asked'), `file:${join(folder, 'asked')}`)).ledger, 3),
    );
    expect((await called('resume', 'many', '--store', url)).code).toBe(0);
    expect(readdirSync(at)).toEqual(['many.ledger.jsonl']);
  });

  test.each([
    ['no number', ['--store', `file:${join(folder, 'refused')}`, '--snapshot-every', '0']],
    ['a server', ['--store', 'postgres://u@127.0.0.1:1/d', '--snapshot-every', '5']],
    ['no store', ['--snapshot-every', '5']],
  ])('%s: exit 2, and nothing is begun', async (_, options) => {
    const { code, stderr } = await called('run', REQUEST, ...options);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^assay: snapshot_every: .+\n {2}place {3}.+\n {2}remedy {2}.+/),
    ]);
    expect(existsSync(dirname(join(folder, 'refused', 'x')))).toBe(false);
  });
});
