/**
 * `npm run check:explorer`: the pages of the explorer in Chromium. Without one it says so in a line; under
 * `CI=true` that is a failure.
 */
import { join } from 'node:path';
import { CHROMIUM } from '../packages/consumer-check/lib/browser.mjs';
import { install, prepare } from './lib/prepare.mjs';
import { node } from './lib/run.mjs';

prepare();
install(join('scripts', 'checks'));
if (CHROMIUM === undefined) {
  console.log('explorer: there is no chromium here, so its pages were not tested (apt-get install chromium)');
  process.exit(process.env.CI === 'true' ? 1 : 0);
}
process.exit(
  node('--test', ['--test-reporter=spec', join('packages', 'explorer', 'test', 'browser', 'explorer.mjs')]),
);
