/** `npm run lint`: oxlint with its type-aware rules over the tree; arguments are passed on. Any finding is exit 1. */
import { join } from 'node:path';
import { install } from './lib/prepare.mjs';
import { node } from './lib/run.mjs';

install();
process.exit(node(join('node_modules', 'oxlint', 'bin', 'oxlint'), ['--type-aware', '--deny-warnings', ...process.argv.slice(2)]));
