/**
 * `npm run mutation`: mutation testing of the kernel and the verifier; fails below 90 % killed.
 * `npm run mutation -- --short`: the fixed sample that CI runs. Other arguments go to Stryker
 * (`npm run mutation -- --mutate packages/kernel/src/graph/graph.ts`).
 */
import { join } from 'node:path';
import { install, prepare } from './lib/prepare.mjs';
import { node, root } from './lib/run.mjs';

const TOOLS = join(root, 'scripts', 'mutation');
const given = process.argv.slice(2);

prepare();
install('scripts/mutation');
const env = { ...process.env, ...(given.includes('--short') ? { ASSAY_MUTATE: 'short' } : {}) };
process.exit(node(join(TOOLS, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js'), ['run', join(TOOLS, 'stryker.config.mjs'), ...given.filter((argument) => argument !== '--short')], { env }));
