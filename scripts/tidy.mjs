/**
 * `npm run tidy`: the determinism, import and house rules over the whole tree. Exit 1 where one is broken.
 */
import { root } from './lib/run.mjs';
import { judgeTree } from './tidy/tree.mjs';

const { faults, files, pure, modules, imports } = judgeTree(root);
for (const { path, line, rule, message } of faults) console.log(`${path}:${line}  ${rule}  ${message}`);
console.log(
  `tidy: ${files} files, ${pure} of them pure; ${modules} modules and ${imports} imports of packages; ${faults.length} faults`,
);
process.exit(faults.length === 0 ? 0 : 1);
