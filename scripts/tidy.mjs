/**
 * `npm run tidy`: the determinism, import and house rules over the whole tree. Exit 1 where one is broken.
 * `-- --write` first writes the list of public names, and lowers the bounds of the house to what is reached.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, root } from './lib/run.mjs';
import { BOUNDS } from './tidy/figures.mjs';
import { NAMES, judgeTree } from './tidy/tree.mjs';

if (process.argv.includes('--write')) {
  const { names, figures, bounds } = judgeTree(root);
  writeFileSync(join(root, NAMES), names);
  const reached = Object.entries(figures).map(([name, figure]) => [
    name,
    Math.min(figure, bounds[name] ?? figure),
  ]);
  writeFileSync(join(root, BOUNDS), `${JSON.stringify(Object.fromEntries(reached), null, 2)}\n`);
}
const { faults, files, pure, modules, imports } = judgeTree(root);
const listed = capture('git', [
  'ls-files',
  '-co',
  '--exclude-standard',
  ...['/', '/**/'].flatMap((below) => ['ts', 'tsx'].map((end) => `packages/*/src${below}*.${end}`)),
])
  .stdout.trim()
  .split('\n');
if (new Set(listed).size !== modules)
  faults.push({
    path: 'packages',
    line: 1,
    rule: 'seen-whole',
    message: `git lists ${listed.length} modules, not ${modules}`,
  });
for (const { path, line, rule, message } of faults) console.log(`${path}:${line}  ${rule}  ${message}`);
console.log(
  `tidy: ${files} files, ${pure} of them pure; ${modules} modules and ${imports} imports ` +
    `of packages; ${faults.length} faults`,
);
process.exit(faults.length === 0 ? 0 : 1);
