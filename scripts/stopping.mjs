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
import { FIRST_SEED, SEEDS } from './stopping/traces.mjs';

/** The page, from the root of the repository. */
const PAGE = 'docs/explanation/scoring.md';

const BEGIN = '<!-- written by node scripts/stopping.mjs --write -->\n';
const END = '<!-- end -->';

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

/** A comparison as one Markdown table: a row for each rule, a column for each family. */
function tableOf(rows) {
  const families = [...new Set(rows.map(({ family }) => family))];
  const lines = [`| rule | ${families.join(' | ')} |`, `| --- |${' --- |'.repeat(families.length)}`];
  for (const rule of new Set(rows.map((row) => row.rule))) {
    const cells = families.map((family) =>
      cellOf(rows.find((row) => row.rule === rule && row.family === family)),
    );
    lines.push(`| ${rule} | ${cells.join(' | ')} |`);
  }
  return `${lines.join('\n')}\n`;
}

/** Where there is a good end, the shares that miss it; else the rounds and calls until the stop. */
function cellOf(row) {
  if (row.finished + row.false_stop + row.delivered_early === 1_000) {
    const missed = [
      [row.false_stop, 'false stops'],
      [row.delivered_early, 'early'],
    ].filter(([share]) => share > 0);
    return missed.map(([share, what]) => `${share / 10} % ${what}`).join(', ') || 'all to the end';
  }
  const never = row.never === 0 ? '' : `; **${row.never / 10} % never**`;
  return `${row.rounds_median}–${row.rounds_most}, ${row.wasted_calls_median}${never}`;
}

/** The page with its table written anew. */
function withTable(page, rows) {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.slice(rest.indexOf(END));
  if (after === undefined) throw new Error(`${PAGE}: no place for the table`);
  return `${before}${BEGIN}\n${tableOf(rows)}\n${after}`;
}
