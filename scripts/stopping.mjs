/**
 * `node scripts/stopping.mjs [--json | --write] [--seeds N]`: stopping rules on traces of six families.
 * Prints the table of docs/explanation/scoring.md, one JSON document, or writes the table into the
 * page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { root } from './lib/run.mjs';
import { compare } from './stopping/compare.mjs';
import { PAGE, tableOf, withTable } from './stopping/page.mjs';
import { FIRST_SEED, SEEDS } from './stopping/traces.mjs';

const given = process.argv.slice(2);
const unknown = given.find(
  (option, at) => !['--json', '--write', '--seeds'].includes(option) && given[at - 1] !== '--seeds',
);
const seeds = given.includes('--seeds') ? Number(given[given.indexOf('--seeds') + 1]) : SEEDS;
if (unknown !== undefined || !Number.isSafeInteger(seeds) || seeds < 1) {
  console.error('stopping: it takes --json, --write and --seeds N');
  process.exit(2);
}

prepare();
const rows = compare(await import('./stopping/loop-parts.mjs'), seeds);
if (given.includes('--json')) console.log(JSON.stringify({ first_seed: FIRST_SEED, seeds, rows }));
else if (given.includes('--write'))
  writeFileSync(join(root, PAGE), withTable(readFileSync(join(root, PAGE), 'utf8'), rows));
else process.stdout.write(tableOf(rows));
