import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { orThrow } from '@assay/kernel';
import { findDriver } from '@assay/store-sqlite';
import { assay, document, temporaryFolder, lackingPackage } from './lib/assay.ts';

const folder = temporaryFolder();
const REQUEST = 'Keep audit logs for [90|120] days.';
const at = (name: string): string => `sqlite:${join(folder, name)}`;

/** A process in which no driver is found. */
const withoutDriver = {
  NODE_OPTIONS: [
    lackingPackage('libsql').NODE_OPTIONS,
    ...(process.getBuiltinModule('node:sqlite') === undefined ? [] : ['--no-experimental-sqlite']),
  ].join(' '),
};

async function edit(path: string, sql: string): Promise<void> {
  const db = orThrow(await findDriver()).open(path);
  db.exec(sql);
  db.close();
}

describe('--store sqlite:PATH', () => {
  test('doctor names the driver; a check makes no database: a missing one is exit 5', async () => {
    const { name, version } = orThrow(await findDriver());
    expect((await document(['doctor'])).json).toMatchObject({
      checks: expect.arrayContaining([
        { check: 'sqlite', state: 'works', detail: `${name}, SQLite ${version}` },
      ]),
    });
    const missing = await assay(['store', 'check', at('none.db')]);
    expect([missing.code, missing.stderr]).toEqual([
      5,
      expect.stringContaining('assay: store_missing: no such store'),
    ]);
    expect(existsSync(join(folder, 'none.db'))).toBe(false);
  });

  test(
    'a run of a name that is none, put there by other means, is one that does not hold: exit ' +
      '3 where it is listed and where it is copied, and it stays',
    async () => {
      const path = join(folder, 'named.db');
      expect((await assay(['run', REQUEST, '--set', 'run_id=x', '--store', `sqlite:${path}`])).code).toBe(0);
      await edit(path, "UPDATE runs SET run_id = '../../etc'");
      const before = readFileSync(path);
      expect(await assay(['store', 'list', `sqlite:${path}`])).toMatchObject({
        code: 3,
        stdout: expect.stringMatching(/^\.\.\/\.\.\/etc .* broken +store_run_id/),
      });
      expect(
        await assay(['store', 'copy', `sqlite:${path}`, `file:${join(folder, 'of-named')}`]),
      ).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('assay: source_invalid: '),
      });
      expect([existsSync(join(folder, 'of-named')), readFileSync(path).equals(before)]).toEqual([
        false,
        true,
      ]);
    },
  );
});

describe('without a driver', () => {
  test('the command works, also with files; doctor says what to type', async () => {
    expect(
      (await assay(['run', REQUEST, '--store', `file:${join(folder, 'files')}`], { env: withoutDriver }))
        .code,
    ).toBe(0);
    const { code, stdout } = await assay(['doctor'], { env: withoutDriver });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/sqlite +not tried +.*; type: npm install libsql@0\.5\.29/),
    ]);
  });

  test('a store in SQLite is exit 2 with the line to type, and nothing is made', async () => {
    for (const args of [
      ['run', REQUEST, '--store', at('undriven.db')],
      ['store', 'check', at('undriven.db')],
    ]) {
      const { code, stderr } = await assay(args, { env: withoutDriver });
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(
          new RegExp(
            String.raw`^assay: package: .*libsql is not installed\n {2}place .*\n {2}remedy {2}type: npm ` +
              String.raw`install libsql@0\.5\.29`,
          ),
        ),
      ]);
    }
    expect(existsSync(join(folder, 'undriven.db'))).toBe(false);
  });
});
