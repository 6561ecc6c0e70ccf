/** `assay verify`: documents, heads, expectations, other files, limits, reports, and what each exits with. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodeLine, openRun, orThrow, type Digest } from '@assay/kernel';
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

describe('the document', () => {
  test('has the five checks of each file, in the order given', async () => {
    const { code, json } = await document(['verify', POLL, forgery('decision-rehashed')]);
    expect(code).toBe(3);
    const verdict = { verdict: expect.any(String), record: null, count: 0, detail: null };
    expect(json).toMatchObject({
      results: [
        {
          file: POLL,
          head: { run_id: 'poll', count: 15, hash: head.split(':')[3] },
          outcome: 'success',
          checks: {
            integrity: held,
            rederivation: held,
            completeness: { verdict: 'failed', code: 'split_view', record: 5 },
            authorship: { ...verdict, code: 'unsigned' },
            time: { ...verdict, code: 'no_witness' },
          },
        },
        {
          file: forgery('decision-rehashed'),
          checks: { integrity: held, rederivation: { verdict: 'failed', code: 'differs', record: 5 } },
        },
      ],
    });
  });

  test('without --json the same in lines, one for each check', async () => {
    const { stdout } = await assay(['verify', POLL, '--head', head]);
    for (const check of ['integrity', 'rederivation', 'completeness'])
      expect(stdout).toMatch(new RegExp(`^  ${check} +held `, 'm'));
    for (const check of ['authorship', 'time'])
      expect(stdout).toMatch(new RegExp(`^  ${check} +not_checked `, 'm'));
  });
});

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

describe('a file that cannot be read', () => {
  test('does not hide the verdicts on the others', async () => {
    const { code, stdout, stderr } = await assay(
      argv`verify ${join(folder, 'nowhere.jsonl')} ${forgery('decision-rehashed')} ${POLL} --json`,
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('missing_file')]);
    const json: unknown = JSON.parse(stdout);
    const nothing = { verdict: 'not_checked', code: 'missing_file' };
    expect(json).toMatchObject({
      results: [
        {
          file: join(folder, 'nowhere.jsonl'),
          head: null,
          checks: { integrity: nothing, completeness: nothing },
        },
        { file: forgery('decision-rehashed'), checks: { rederivation: { verdict: 'failed' } } },
        { file: POLL },
      ],
    });
  });

  test('alone is told of, and nothing else is', async () => {
    const { code, stdout, stderr } = await assay(['verify', join(folder, 'nowhere.jsonl')]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('missing_file');
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

describe('--with, openings and blobs', () => {
  const KEPT = join(FORGERIES, 'twin-kept-outside');

  test(
    'those that fit are counted, those that do not fail where the token stands, those of a ' +
      'ledger are no ledgers',
    async () => {
      const right = await document(['verify', join(KEPT, 'ledger.jsonl'), '--with', join(KEPT, 'kept')]);
      expect([right.code, right.json]).toMatchObject([
        0,
        {
          results: [
            {
              checks: {
                integrity: {
                  verdict: 'held',
                  detail: { outside: { opened: 1, sealed: 0, blobs: 1, absent_blobs: 0 } },
                },
                rederivation: held,
              },
            },
          ],
        },
      ]);
      for (const name of ['opening-another-value', 'blob-edited', 'blob-cut']) {
        const wrong = await document(
          argv`verify ${join(KEPT, 'ledger.jsonl')} --with ${join(FORGERIES, name, 'kept')}`,
        );
        expect([wrong.code, wrong.json], name).toMatchObject([
          3,
          { results: [{ checks: { integrity: { verdict: 'failed', code: 'token', record: 2 } } }] },
        ]);
      }
    },
  );

  test('what is no opening is told of and left out, what cannot be read is exit 2', async () => {
    const beside = join(folder, 'kept');
    mkdirSync(beside);
    writeFileSync(join(beside, 'a.openings.jsonl'), '{"seal":1}\nnothing\n');
    const noted = await assay(['verify', join(KEPT, 'ledger.jsonl'), '--with', beside]);
    expect([noted.code, noted.stderr]).toEqual([
      0,
      expect.stringMatching(/line 1 is no opening; left out, with 1 more/),
    ]);
    mkdirSync(join(beside, 'b.openings.jsonl'));
    const refused = await assay(['verify', join(KEPT, 'ledger.jsonl'), '--with', beside]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/unreadable.*EISDIR/s)]);
    rmSync(join(beside, 'b.openings.jsonl'), { recursive: true });
    mkdirSync(join(beside, 'blobs', readdirSync(join(KEPT, 'kept', 'blobs'))[0] ?? ''), { recursive: true });
    expect((await assay(['verify', join(KEPT, 'ledger.jsonl'), '--with', beside])).code).toBe(2);
  });
});

describe('--with', () => {
  test('other files of the run are compared: a prefix neither harms nor helps, another branch is a fault', async () => {
    const beside = join(folder, 'beside');
    mkdirSync(beside);
    writeFileSync(
      join(beside, 'early.jsonl'),
      readFileSync(POLL, 'utf8')
        .split('\n')
        .slice(0, 10)
        .map((line) => `${line}\n`)
        .join(''),
    );
    expect((await document(['verify', POLL, '--with', beside])).json).toMatchObject({
      results: [{ checks: { completeness: { verdict: 'not_checked', code: 'no_head' } } }],
    });
    writeFileSync(
      join(beside, 'other.jsonl'),
      readFileSync(join(FORGERIES, 'split-view', 'other.ledger.jsonl')),
    );
    const { code, json } = await document(['verify', POLL, '--with', beside]);
    expect(code).toBe(3);
    expect(json).toMatchObject({
      results: [{ checks: { completeness: { verdict: 'failed', code: 'split_view', record: 10 } } }],
    });
  });

  test("a base is held only where re-derivation says that the other ledger's group ends there", async () => {
    const lines = readFileSync(POLL, 'utf8').trimEnd().split('\n');
    const hashAt = (count: number): string =>
      (JSON.parse(lines[count - 1] ?? '') as { readonly record_hash: string }).record_hash;
    const cited = join(folder, 'cited');
    mkdirSync(cited);
    const baseIn = async (count: number, kept: number, ...more: readonly string[]): Promise<unknown> => {
      const step = openRun(tally, {
        run_id: 'child',
        ts_base: 't',
        policy: { voters: 1, quorum: 1, attempts: 1 },
        input: { question: 'q', options: ['a', 'b'] },
        base: { run_id: 'poll', count, hash: hashAt(count) as Digest, snapshot: null },
      });
      const child = join(folder, 'child.jsonl');
      writeFileSync(
        child,
        orThrow(step)
          .records.map((record) => `${encodeLine(record)}\n`)
          .join(''),
      );
      writeFileSync(
        join(cited, 'poll.jsonl'),
        lines
          .slice(0, kept)
          .map((line) => `${line}\n`)
          .join(''),
      );
      const { json } = await document(['verify', child, '--with', cited, ...more]);
      return (
        json as {
          readonly results: readonly {
            readonly checks: {
              readonly completeness: { readonly detail: { readonly cited: { readonly base: unknown } } };
            };
          }[];
        }
      ).results[0]?.checks.completeness.detail.cited.base;
    };
    const kinds = lines.map((line) => (JSON.parse(line) as { readonly kind: string }).kind);
    expect(kinds.slice(-2)).toEqual(['artifact', 'close']);
    expect(await baseIn(lines.length, lines.length)).toBe('held');
    expect(await baseIn(lines.length - 1, lines.length - 1)).toBe('not_checked');
    // The first decision asks and has no artifacts: nothing is due after it, if its machine is at hand.
    expect(await baseIn(2, 2)).toBe('held');
    expect(await baseIn(2, 2, '--limit', 'records=1')).toBe('not_checked');
  });
});

describe('reports', () => {
  test('--junit writes one suite for each file', async () => {
    const path = join(folder, 'report.xml');
    expect((await assay(['verify', POLL, forgery('decision-rehashed'), '--junit', path])).code).toBe(3);
    const xml = readFileSync(path, 'utf8');
    expect(xml.match(/<testsuite /g)?.length).toBe(2);
    expect(xml).toContain('<failure type="differs"');
  });

  test('--junit to a folder is refused before anything is verified', async () => {
    const { code, stdout, stderr } = await assay(['verify', POLL, '--junit', folder]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('is_folder');
  });

  test('on GitHub: annotations on stderr, a step summary, and stdout as ever', async () => {
    const summary = join(folder, 'summary.md');
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const { stdout, stderr } = await assay(['verify', forgery('decision-rehashed'), '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ results: [{}] });
    expect(stderr).toMatch(/^::error file=.*,line=6,title=assay rederivation failed::differs: /m);
    expect(readFileSync(summary, 'utf8')).toContain('### assay verify');
  });

  test('a step summary that cannot be written is a remark, and the exit code stays', async () => {
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: folder };
    for (const [path, exit] of [
      [POLL, 0],
      [forgery('decision-rehashed'), 3],
    ] as const) {
      const { code, stderr } = await assay(['verify', path], { env });
      expect(code).toBe(exit);
      expect(stderr).toContain('assay: the step summary cannot be written (EISDIR)');
    }
  });

  test('a step summary never goes into a ledger', async () => {
    const path = join(folder, 'summary.jsonl');
    writeFileSync(path, readFileSync(POLL));
    const { code, stderr } = await assay(['verify', path], {
      env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path },
    });
    expect(code).toBe(0);
    expect(stderr).toContain('same_file');
    expect(readFileSync(path)).toEqual(readFileSync(POLL));
  });

  test('nowhere else: without GITHUB_ACTIONS nothing of it is printed', async () => {
    expect((await assay(['verify', forgery('decision-rehashed')])).stderr).toBe('');
  });
});

describe('a machine of the user', () => {
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  test('replays a ledger that this command does not know', async () => {
    const kernel = JSON.stringify(new URL('../../testing/dist/machines/tally.js', import.meta.url).href);
    const machine = write(
      'mine.mjs',
      `import { tally } from ${kernel};\nexport const machines = [{ ...tally, version: 99 }];\n`,
    );
    const path = forgery('unknown-machine-version');
    expect((await assay(['verify', path])).code).toBe(4);
    // Its decisions were made by version 1, so everything but the genesis is what version 99 derives, too.
    expect((await document(['verify', path, '--machine', machine])).json).toMatchObject({
      results: [{ checks: { rederivation: { verdict: 'held' } } }],
    });
  });

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
