/**
 * `node scripts/mutation/survivors.mjs graph ledger`: the survivors of the last runs of these areas as Markdown.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

for (const name of process.argv.slice(2)) {
  const { files } = JSON.parse(readFileSync(join(root, 'reports', `mutation-${name}.json`), 'utf8'));
  const all = Object.values(files).flatMap(({ mutants }) => mutants);
  const count = (...statuses) => all.filter(({ status }) => statuses.includes(status)).length;
  const [killed, lost] = [count('Killed', 'Timeout'), count('Survived', 'NoCoverage')];
  const broken = count('RuntimeError');
  const ended =
    broken === 0
      ? ''
      : ` ${broken} more end the process, by a list that grows without end, and are counted as neither.`;
  console.log(
    `\n### ${name}: ${((100 * killed) / (killed + lost)).toFixed(1)} %\n\n${killed + lost} ` +
      `mutants, ${killed} killed (${count('Timeout')} by time-out), ${lost} ` +
      `survived.${ended}\n\n| place | mutation |\n| --- | --- |`,
  );
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const lines = source.split('\n');
    for (const {
      status,
      location: { start, end },
      replacement,
    } of mutants.toSorted(
      (a, b) =>
        a.location.start.line - b.location.start.line || a.location.start.column - b.location.start.column,
    )) {
      if (status !== 'Survived' && status !== 'NoCoverage') continue;
      const before =
        start.line === end.line
          ? lines[start.line - 1].slice(start.column - 1, end.column - 1)
          : `${lines[start.line - 1].slice(start.column - 1)} …`;
      const mutation = `${code(before)} → ${code(replacement ?? '')}`;
      console.log(`| \`${file.replace(/^packages\//, '')}:${start.line}\` | ${mutation} |`);
    }
  }
}

function code(text) {
  const flat = text.replaceAll(/\s+/g, ' ').replaceAll('`', '´').replaceAll('|', '¦');
  return `\`${(flat.length > 70 ? `${flat.slice(0, 69)}…` : flat) || ' '}\``;
}
