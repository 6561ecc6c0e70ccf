/** `npm run types`: compiles the packages and type-checks every test, tool and bench against them. */
import { join } from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { node } from './lib/run.mjs';

prepare();
process.exit(node(join('node_modules', 'typescript', 'bin', 'tsc'), ['-p', 'tsconfig.tests.json']));
