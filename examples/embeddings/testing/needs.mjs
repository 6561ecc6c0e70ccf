/**
 * What an example's test needs from outside, as options of `node:test`: where it is missing the test is
 * skipped with one line that says what it takes; with `CI=true` nothing is skipped, and the test fails on
 * what is missing.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const isCI = process.env['CI'] === 'true';

/** Server of the tests that need one: `ASSAY_TEST_POSTGRES`; under CI the one that every test uses. */
export const server =
  process.env['ASSAY_TEST_POSTGRES'] || (isCI ? 'postgres://postgres@127.0.0.1:5432/test' : null);

/** For tests that load a package of the folder's own lock. */
export function needs(folder, name) {
  const isThere = existsSync(join(folder, 'node_modules', ...name.split('/'), 'package.json'));
  return {
    skip:
      isThere || isCI ? false : `${name} is not installed: npm ci in this folder, or npm run check:examples`,
  };
}

/** For tests that need a PostgreSQL server; with `more`, both. */
export function needsServer(more = { skip: false }) {
  return more.skip !== false || server !== null
    ? more
    : { skip: 'no server: ASSAY_TEST_POSTGRES=postgres://USER@HOST:PORT/DATABASE names one' };
}
