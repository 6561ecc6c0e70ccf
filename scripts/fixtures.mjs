/**
 * `node scripts/fixtures.mjs`: writes the golden fixtures anew from their committed genesis and answers.
 *
 * `--check` writes nothing and fails where a file differs or is missing. With `CI=true` nothing is written
 * unless `--force` is given: a golden changes by hand, with its reason in the commit.
 */
import { prepareGoldens, writeGoldens } from './lib/goldens.mjs';

prepareGoldens();
const { TALLY } = await import('./fixtures/tally.mjs');
const { filesOf } = await import('./fixtures/write.mjs');

writeGoldens('fixtures', TALLY, filesOf);
