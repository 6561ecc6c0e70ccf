/**
 * `npm run tidy`: the determinism, import and house rules over the whole tree. Exit 1 where one is broken.
 * `-- --write` first writes the list of public names.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/run.mjs';
import { NAMES, judgeTree } from './tidy/tree.mjs';

if (process.argv.includes('--write')) writeFileSync(join(root, NAMES), judgeTree(root).names);
const { faults, files, pure, modules, imports } = judgeTree(root);
for (const { path, line, rule, message } of faults) console.log(`${path}:${line}  ${rule}  ${message}`);
console.log(
  `tidy: ${files} files, ${pure} of them pure; ${modules} modules and ${imports} imports ` +
    `of packages; ${faults.length} faults`,
);
process.exit(faults.length === 0 ? 0 : 1);
