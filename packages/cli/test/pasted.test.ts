/**
 * Command lines that are printed to be pasted: whatever is in a path, a shell takes them for what was meant.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '@assay/cli';
import type { StoreError } from '@assay/host';
import { newInterruption } from '../src/terminal/signals.ts';
import { storeProblem } from '../src/files/store.ts';
import { Output } from '../src/call/output.ts';
import { argv, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';
import { firstRecords, folderWith } from './lib/places.ts';

const folder = temporaryFolder();
const REQUEST = 'Keep logs for 9 days.';
/** Each mark of them has stood in the name of a folder. */
const NAMES = [
  "it's!",
  'a\\b pay$HOME `id`',
  'q"x; é',
  'two\nlines',
  "\\''",
  '-dash',
  '\u202eturned',
] as const;

/** The words that bash makes of a line. */
function words(line: string): readonly string[] {
  return execFileSync('bash', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

describe.skipIf(process.platform === 'win32').each(NAMES)('a line that names %j', (name) => {
  const at = join(folder, `of ${NAMES.indexOf(name)}`, name);
  mkdirSync(at, { recursive: true });

  test('removes the lock of a dead machine', async () => {
    const lock = join(at, '.locks', 'x');
    mkdirSync(lock, { recursive: true });
    writeFileSync(
      join(lock, '4711,99,1b4e28ba-2fa1-11d2-883f-0016d3cca427,4026531836,0123456789abcdef,c0ffee'),
      '',
    );
    const { code, stderr } = await called('run', REQUEST, '--set', 'run_id=x', '--store', `file:${at}`);
    expect(code).toBe(5);
    execFileSync('bash', ['-c', /, type: (rm -r .+) \(see docs/.exec(stderr)?.[1] ?? 'false']);
    expect(existsSync(lock)).toBe(false);
  });

  test('goes on with an interrupted run, and verifies what came of it', async () => {
    const [store, out] = [`file:${at}`, join(at, 'out')];
    const interruption = newInterruption();
    let err = '';
    const write = (text: string): void => {
      err += text;
      if (text.includes(' 4 records')) interruption.raise();
    };
    const args = [
      ...argv`run ${REQUEST} --set run_id=stopped --proposer rules --proposer rules --proposer rules`,
      ...argv`--store ${store} -o ${out}`,
    ];
    expect(
      await main([...args, '--verbose'], {
        out: { write: () => true },
        err: { write },
        env: {},
        interruption,
      }),
    ).toBe(130);
    const [, , ...given] = words(/^ {2}remedy {2}(assay resume .*)$/m.exec(err)?.[1] ?? 'none');
    expect(given).toEqual([
      `${store}#stopped`,
      '--proposer',
      'rules',
      '--proposer',
      'rules',
      '--proposer',
      'rules',
      '-o',
      out,
    ]);
    const resumed = await called('resume', ...given);
    expect(resumed.code).toBe(0);
    const [, , ...verified] = words(/^next {8}(assay verify .*)$/m.exec(resumed.stdout)?.[1] ?? 'none');
    expect(verified[0]).toBe(join(out, 'run.ledger.jsonl'));
    expect((await called('verify', ...verified)).code).toBe(0);
  });

  test('lists what holds of a damaged store, on the screen and in the document', async () => {
    const inside = join(at, 'torn');
    await called('run', REQUEST, '--set', 'run_id=x', '--store', `file:${inside}`);
    const whole = readFileSync(join(inside, 'x.ledger.jsonl'), 'utf8');
    const store = folderWith(inside, 'x', `${firstRecords(whole, 2)}notes`);
    const { stderr } = await called('resume', `${store}#x`);
    const lines = [
      /^ {2}remedy {2}nothing was changed; (.+) lists the valid runs;/m.exec(stderr)?.[1] ?? '',
      /^nothing was changed; (.+) lists the valid runs;/.exec(
        ((await calledJson('resume', `${store}#x`))['error'] as { readonly remedy: string }).remedy,
      )?.[1] ?? '',
    ];
    for (const line of lines) expect(words(line)).toEqual(['assay', 'store', 'list', store]);
  });

  test('lists what holds of a store whose run does not replay, is not copied, or is not there', async () => {
    const inside = join(at, 'invalid');
    const store = `file:${inside}`;
    await called('run', REQUEST, '--set', 'run_id=x', '--store', store);
    const path = join(inside, 'x.ledger.jsonl');
    const [first, second = '', ...others] = readFileSync(path, 'utf8').split('\n');
    writeFileSync(
      path,
      [first, second.replace(/"record_hash":"[0-9a-f]{8}/, '"record_hash":"00000000'), ...others].join('\n'),
    );
    const remedies = [
      [
        'store_ledger',
        await called('resume', `${store}#x`),
        / {2}remedy {2}nothing was changed; (.+) lists the valid runs;/,
      ],
      [
        'source_invalid',
        await called('store', 'copy', store, `file:${join(inside, 'copies')}`),
        / {2}remedy {2}(.+) lists the valid runs;/,
      ],
      ['no_run', await called('resume', `${store}#none`), / {2}remedy {2}(.+) lists the runs/],
    ] as const;
    for (const [code, { stderr }, line] of remedies)
      expect([stderr.split(':')[1], words(line.exec(stderr)?.[1] ?? 'none')]).toEqual([
        ` ${code}`,
        ['assay', 'store', 'list', store],
      ]);
  });

  test('of a database or a server, as it is printed', () => {
    const typed = (error: StoreError, place: string, line: RegExp): readonly string[] => {
      const { problem } = storeProblem(error, place);
      let screen = '';
      new Output(
        {},
        { out: { write: () => true }, err: { write: (text: string) => (screen += text) }, env: {} },
      ).complaint(problem);
      return words(line.exec(screen)?.[1] ?? 'none');
    };
    const [sqlite, server] = [`sqlite:./${name}.db`, `postgres://u@h/d?schema=${name}`];
    const unavailable = (operation: string, errno: string): StoreError => ({
      code: 'unavailable',
      run_id: null,
      operation,
      errno,
    });
    expect(
      typed(unavailable('list', 'SQLITE_READONLY_ROLLBACK'), sqlite, /rolls it back: (.+) does, and/),
    ).toEqual(['assay', 'store', 'check', sqlite]);
    expect(typed(unavailable('append', '23505'), server, /try again; (.+) names it/)).toEqual([
      'assay',
      'store',
      'check',
      server,
    ]);
    expect(
      typed(
        unavailable('open', '3D000'),
        `postgres://u@h/${encodeURIComponent(name)}?schema=x`,
        /create it there \((.+)\), or/,
      ),
    ).toEqual(['createdb', '--', name]);
  });
});

test('the lock in a folder whose name begins like an option is a path', () => {
  const { remedy } = storeProblem({ code: 'locked', run_id: 'x', owner: 'somebody' }, 'file:-rf').problem;
  expect(remedy).toContain('type: rm -r ./-rf/.locks/x ');
});
