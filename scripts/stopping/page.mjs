/**
 * The table of docs/explanation/scoring.md.
 *
 * @module
 */

/** The page, from the root of the repository. */
export const PAGE = 'docs/explanation/scoring.md';

const BEGIN = '<!-- written by node scripts/stopping.mjs --write -->\n';
const END = '<!-- end -->';

/** A comparison as one Markdown table: a row for each rule, a column for each family. */
export function tableOf(rows) {
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
export function withTable(page, rows) {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.slice(rest.indexOf(END));
  if (after === undefined) throw new Error(`${PAGE}: no place for the table`);
  return `${before}${BEGIN}\n${tableOf(rows)}\n${after}`;
}
