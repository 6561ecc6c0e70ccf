/**
 * `npm run lint`: oxlint with its type-aware rules over the tree; arguments are passed on. Any finding is
 * exit 1.
 */
import { join } from 'node:path';
import { build, install } from './lib/prepare.mjs';
import { node, root } from './lib/run.mjs';

const TOOLS = join('scripts', 'lint');

install();
install(TOOLS);
// Types across packages come from what is built; where something does not compile, the rest is still judged.
build();
const bin = (...path) => join(root, TOOLS, 'node_modules', ...path);
const given = process.argv.slice(2);
const isWriting = given.includes('--write');
const formatted = node(bin('@biomejs', 'biome', 'bin', 'biome'), [
  'format',
  '.',
  ...(isWriting ? ['--write'] : []),
]);
if (isWriting || formatted !== 0) process.exit(formatted);
// The linter looks for its type checker from the working folder; ours is in a folder of its own.
const env = {
  ...process.env,
  OXLINT_TSGOLINT_PATH: bin(
    `@oxlint-tsgolint/${process.platform}-${process.arch}`,
    process.platform === 'win32' ? 'tsgolint.exe' : 'tsgolint',
  ),
};
process.exit(
  node(bin('oxlint', 'bin', 'oxlint'), ['--type-aware', '--deny-warnings', ...given], {
    env,
  }),
);
