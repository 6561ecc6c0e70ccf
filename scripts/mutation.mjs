/**
 * `npm run mutation -- --short`: the fixed sample of the nightly run; `--area canonical` (ledger, graph, machine,
 * verifier): one area; `--long`, or nothing: all areas one after another. Fails below 90 % killed.
 * Other arguments go to Stryker (`--area graph --mutate packages/kernel/src/graph/order.ts`).
 */
import { join } from 'node:path';
import { install } from './lib/prepare.mjs';
import { node, root } from './lib/run.mjs';
import { AREAS } from './mutation/areas.mjs';

const TOOLS = join(root, 'scripts', 'mutation');
const given = process.argv.slice(2);
const at = given.indexOf('--area');
const names = given.includes('--short') ? ['short'] : at === -1 ? Object.keys(AREAS) : [given[at + 1]];
const rest = given.filter(
  (argument, index) =>
    argument !== '--short' && argument !== '--long' && (at === -1 || (index !== at && index !== at + 1)),
);

install();
install('scripts/mutation');
let failed = 0;
for (const name of names) {
  const started = Date.now();
  const code = node(
    join(TOOLS, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js'),
    ['run', join(TOOLS, 'stryker.config.mjs'), ...rest],
    { env: { ...process.env, ASSAY_MUTATION_AREA: name } },
  );
  console.log(`mutation, ${name}: exit ${code}, ${Math.round((Date.now() - started) / 1000)} s`);
  if (code !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
