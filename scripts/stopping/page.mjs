/**
 * The table of docs/explanation/scoring.md.
 *
 * @module
 */

/** The page, from the root of the repository. */
export const PAGE = 'docs/explanation/scoring.md';

const BEGIN = '<!-- written by node scripts/stopping.mjs --write -->\n';
const END = '<!-- end -->';

/** The rows of a comparison as one Markdown table. */
export function tableOf(rows) {
  const lines = [
    '| family | rule | stops in round: median, latest | calls too many, median |' +
      ' false stops | handed over early | runs to its end |',
    '| --- | --- | --- | --- | --- | --- | --- |',
  ];
  let family = '';
  for (const row of rows) {
    const isHealthy = row.finished + row.false_stop + row.delivered_early === 1_000;
    lines.push(
      `| ${row.family === family ? '' : row.family} | ${row.rule} | ${row.rounds_median}, ` +
        `${row.rounds_most} | ${isHealthy ? '' : row.wasted_calls_median} | ` +
        `${percent(row.false_stop)} | ${percent(row.delivered_early)} | ` +
        `${isHealthy ? percent(row.finished) : `**${percent(row.never)}**`.replace('****', '')} ` +
        '|',
    );
    family = row.family;
  }
  return `${lines.join('\n')}\n`;
}

/** The page with its table written anew. */
export function withTable(page, rows) {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.slice(rest.indexOf(END));
  if (after === undefined) throw new Error(`${PAGE}: no place for the table`);
  return `${before}${BEGIN}\n${tableOf(rows)}\n${after}`;
}

/** A share; nothing for none. */
function percent(permille) {
  return permille === 0 ? '' : `${permille / 10} %`;
}
