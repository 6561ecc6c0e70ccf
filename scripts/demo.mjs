/**
 * `npm run demo`: installs and builds where needed, then runs `assay demo`. Further arguments go to it:
 * `npm run demo -- "a request of your own"`.
 */
import { join } from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { node } from './lib/run.mjs';

prepare();
process.exit(node(join('packages', 'cli', 'bin', 'assay.mjs'), ['demo', ...process.argv.slice(2)]));
