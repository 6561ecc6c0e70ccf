/**
 * `assay verify --with`: a folder somebody else filled, with pipes, devices, dead links, and two histories of
 * one run.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeLine, openRun, orThrow, type Digest } from '@assay/kernel';
import { tally } from '@assay/testing';
import { assay, FORGERIES, POLL, temporaryFolder } from './lib/assay.ts';

const folder = temporaryFolder();
const KEPT = join(FORGERIES, 'twin-kept-outside');
const LEDGER = join(KEPT, 'ledger.jsonl');
const BLOB = readdirSync(join(KEPT, 'kept', 'blobs'))[0] ?? '';

test.runIf(process.platform !== 'win32').each(['a.jsonl', 'a.openings.jsonl', `blobs/${BLOB}`])(
  'a pipe in it as %s is named, and not waited for',
  async (name) => {
    const beside = join(folder, `pipe-${name.replaceAll('/', '-')}`);
    cpSync(join(KEPT, 'kept'), beside, { recursive: true });
    rmSync(join(beside, name), { force: true });
    execFileSync('mkfifo', [join(beside, name)]);
    const { code, stderr } = await assay(['verify', LEDGER, '--with', beside]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/unreadable: this is a pipe or a device, not a file/),
    ]);
    expect(stderr).toContain(join(beside, name));
  },
);

test.runIf(process.platform === 'linux')('a device in it is not read', async () => {
  const beside = join(folder, 'device');
  mkdirSync(join(beside, 'blobs'), { recursive: true });
  symlinkSync('/dev/zero', join(beside, 'blobs', BLOB));
  expect((await assay(['verify', LEDGER, '--with', beside])).code).toBe(2);
});

test.runIf(process.platform !== 'win32')('a link to nothing is named itself, not the folder', async () => {
  const beside = join(folder, 'dead-link');
  mkdirSync(beside);
  symlinkSync('nowhere', join(beside, 'gone.jsonl'));
  const { code, stderr } = await assay(['verify', LEDGER, '--with', beside]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(join(beside, 'gone.jsonl'))]);
});

test(
  'of several ledgers of one run the longest is compared with, whatever they are called; ' +
    'of two histories neither',
  async () => {
    const lines = readFileSync(POLL, 'utf8').trimEnd().split('\n');
    const { record_hash } = JSON.parse(lines.at(-1) ?? '') as { readonly record_hash: Digest };
    const step = openRun(tally, {
      run_id: 'child',
      ts_base: 't',
      policy: { voters: 1, quorum: 1, attempts: 1 },
      input: { question: 'q', options: ['a', 'b'] },
      base: { run_id: 'poll', count: lines.length, hash: record_hash, snapshot: null },
    });
    const child = join(folder, 'child.ledger.jsonl');
    writeFileSync(
      child,
      orThrow(step)
        .records.map((record) => `${encodeLine(record)}\n`)
        .join(''),
    );
    const beside = join(folder, 'views');
    mkdirSync(beside);
    const judged = async (): Promise<readonly unknown[]> => {
      const { stdout, stderr } = await assay(['verify', child, '--with', beside, '--json']);
      const { detail } = (
        JSON.parse(stdout) as {
          readonly results: readonly [
            {
              readonly checks: {
                readonly completeness: { readonly detail: { readonly cited: { readonly base: unknown } } };
              };
            },
          ];
        }
      ).results[0].checks.completeness;
      return [detail.cited.base, stderr];
    };
    copyFileSync(POLL, join(beside, 'm.jsonl'));
    for (const name of ['a.jsonl', 'z.jsonl']) {
      writeFileSync(
        join(beside, name),
        lines
          .slice(0, 4)
          .map((line) => `${line}\n`)
          .join(''),
      );
      expect(await judged(), name).toEqual(['held', '']);
    }
    copyFileSync(join(FORGERIES, 'split-view', 'other.ledger.jsonl'), join(beside, 'b.jsonl'));
    expect(await judged()).toEqual([
      'not_checked',
      expect.stringContaining('ledgers of run poll go different ways'),
    ]);
    renameSync(join(beside, 'b.jsonl'), join(beside, 'y.jsonl'));
    expect((await judged())[0]).toBe('not_checked');
  },
);

test('a fixture whose kept folder is missing, or which is a pipe, is wrong use and no defect', async () => {
  const fixtures = join(folder, 'fixtures');
  mkdirSync(join(fixtures, 'kept'), { recursive: true });
  for (const name of ['ledger.jsonl', 'expected.json'])
    copyFileSync(join(KEPT, name), join(fixtures, 'kept', name));
  const { code, stderr } = await assay(['test', fixtures]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/unreadable: .*ENOENT/)]);
  if (process.platform === 'win32') return;
  rmSync(join(fixtures, 'kept', 'ledger.jsonl'));
  execFileSync('mkfifo', [join(fixtures, 'kept', 'ledger.jsonl')]);
  expect((await assay(['test', fixtures])).code).toBe(2);
});
