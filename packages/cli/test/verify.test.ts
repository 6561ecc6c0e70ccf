/** `assay verify`: long records, limits of time, bases of other ledgers, and machines of a user. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodeLine, openRun, orThrow } from '@assay/kernel';
import { tally } from '@assay/testing';
import { argv, assay, document, FORGERIES, POLL, spawned, temporaryFolder } from './lib/assay.ts';

const folder = temporaryFolder();
const forgery = (name: string): string => join(FORGERIES, name, 'ledger.jsonl');
const head = (
  JSON.parse(readFileSync(join(FORGERIES, 'twin-poll', 'expected.json'), 'utf8')) as {
    readonly with: { readonly head: string };
  }
).with.head;
const held = { verdict: 'held', code: null };

describe('a long genesis', () => {
  test('does not hide which machine decided', async () => {
    const opened = orThrow(
      openRun(tally, {
        run_id: 'long',
        ts_base: 't',
        policy: { voters: 1, quorum: 1, attempts: 1 },
        input: { question: 'Where?', options: ['x'.repeat(70_000), 'y'] },
      }),
    );
    const path = join(folder, 'long.ledger.jsonl');
    writeFileSync(path, opened.records.map((record) => `${encodeLine(record)}\n`).join(''));
    expect((await document(['verify', path])).json).toMatchObject({
      results: [{ checks: { rederivation: held } }],
    });
  });
});

describe('a limit in seconds', () => {
  test('--limit seconds=1 ends a machine that does not, and judges all else', async () => {
    const endless = join(folder, 'endless.mjs');
    writeFileSync(
      endless,
      "const stub = () => null;\nexport const machines = [{ name: 'tally', version: 1, open() " +
        '{ for (;;); }, parse: stub, decide: stub, evolve: stub, encode: stub, decode: stub }];\n',
    );
    const args = ['verify', POLL, '--head', head, '--machine', endless, '--limit', 'seconds=1', '--json'];
    const { code, stdout } = await spawned(args);
    const json: unknown = JSON.parse(stdout);
    expect(code).toBe(4);
    expect(json).toMatchObject({
      results: [
        {
          due: null,
          checks: {
            integrity: held,
            completeness: held,
            rederivation: { verdict: 'not_checked', code: 'limit', detail: { seconds: 1 } },
          },
        },
      ],
    });
    const { stdout: told } = await spawned(argv`verify ${POLL} --limit seconds=60 --limit records=5 --json`);
    const within: unknown = JSON.parse(told);
    expect(within).toMatchObject({
      results: [{ checks: { rederivation: { verdict: 'not_checked', code: 'limit', record: 5 } } }],
    });
  });

  test('--limit seconds=60 reads a file once: the bytes that are judged are those derived again', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const ended = spawned(['verify', pipe, '--limit', 'seconds=60', '--json']);
    await writeFile(pipe, readFileSync(forgery('decision-rehashed')));
    const { code, stdout } = await ended;
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      results: [{ checks: { integrity: held, rederivation: { code: 'differs', record: 5 } } }],
    });
  });
});

describe('a machine of the user', () => {
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  test(
    'that throws on one file is told of the module, exit 2; the file stands in the document without a ' +
      'verdict, and the other files are verified',
    async () => {
      const kernel = JSON.stringify(new URL('../../testing/dist/machines/tally.js', import.meta.url).href);
      const bad = write(
        'bad.mjs',
        `import { tally } from ${kernel};\nexport const machines = [{ ...tally, version: 99, ` +
          `open: () => { throw new Error('a defect of mine'); } }];\n`,
      );
      const thrower = forgery('unknown-machine-version');
      const none = { verdict: 'not_checked', code: 'machine_file', record: null, count: 0, detail: null };
      const thrown = {
        file: thrower,
        head: null,
        outcome: 'open',
        due: null,
        checks: { integrity: none, rederivation: none, completeness: none, authorship: none, time: none },
      };
      for (const files of [
        [thrower, POLL],
        [POLL, thrower],
        [thrower, thrower],
      ]) {
        const { code, stdout, stderr } = await assay(['verify', ...files, '--machine', bad, '--json']);
        expect(code).toBe(2);
        expect((JSON.parse(stdout) as { readonly results: readonly unknown[] }).results).toEqual(
          files.map((file) =>
            file === thrower
              ? thrown
              : (expect.objectContaining({
                  file: POLL,
                  checks: expect.objectContaining({
                    integrity: expect.objectContaining(held) as unknown,
                  }) as unknown,
                }) as unknown),
          ),
        );
        expect(stderr).toMatch(/^assay: machine_file: .*a defect of mine\n {2}place {3}.*bad\.mjs/);
        expect(stderr).not.toMatch(/^\s+at /m);
      }
      const { stdout: told } = await assay(['verify', thrower, POLL, '--machine', bad, '--checks', 'any']);
      expect(told).toMatch(
        new RegExp(
          String.raw`unknown-machine-version[^]*integrity +not_checked +machine_file: [^]*` +
            String.raw`This file was not checked\.\n\n`,
        ),
      );
      const alone = await document(['verify', thrower, '--machine', bad]);
      expect(alone).toMatchObject({ code: 2, json: { error: { code: 'machine_file' } } });
    },
  );

  test.each([
    ['empty.mjs', '', 'list of machines'],
    ['list.mjs', 'export const machines = [];', 'list of machines'],
    ['thing.mjs', 'export const machines = [{ name: "x", version: 1 }];', 'item 0 of machines'],
    ['broken.mjs', 'export const machines = (', 'cannot be loaded'],
    ['throws.mjs', 'throw new Error("no luck");', 'no luck'],
  ])('%s is refused: exit 2', async (name, text, message) => {
    const { code, stderr } = await assay(['verify', POLL, '--machine', write(name, text)]);
    expect(code).toBe(2);
    expect(stderr).toContain('machine_file');
    expect(stderr).toContain(message);
  });
});
