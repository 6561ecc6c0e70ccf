import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { serverOf } from './tools/server-of.js';

it('the server of the tests is the one that is named, under CI else its own, and an empty name is none', () => {
  expect(serverOf({ ASSAY_TEST_POSTGRES: 'postgres://h/d', CI: 'true' })).toBe('postgres://h/d');
  expect([serverOf({}), serverOf({ ASSAY_TEST_POSTGRES: '' }), serverOf({ CI: 'false' })]).toEqual([
    null,
    null,
    null,
  ]);
  const own = serverOf({ CI: 'true' });
  expect(own).toMatch(/^postgres:/);
  expect(serverOf({ ASSAY_TEST_POSTGRES: '', CI: 'true' })).toBe(own);
});

it('where none is named, one line says that its tests are not run, whichever of them are asked for', () => {
  const { CI: _ci, ASSAY_TEST_POSTGRES: _named, ...env } = process.env;
  const files = ['loss', 'conflicts', 'reading'].map(
    (name) => `packages/store-postgres/test/${name}.test.ts`,
  );
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', ...files, '--maxWorkers=1'],
    {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      env: { ...env, NO_COLOR: '1' },
      encoding: 'utf8',
    },
  );
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.includes('ASSAY_TEST_POSTGRES'));
  expect([status, lines]).toEqual([
    0,
    [
      'PostgreSQL is not tested here: set ' +
        'ASSAY_TEST_POSTGRES=postgres://USER@HOST:PORT/DATABASE (CI=true requires a server)',
    ],
  ]);
});
