/** `node solve-child.mjs FOLDER PACE_MS`: drives the goal of `solving.mjs` over files, a line for each group. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { drive } from '@assay/host';
import { planner } from '@assay/planner';
import { fileStore } from '@assay/host/store-file';
import { SOLVING, solvingPorts } from './solving.mjs';

const [folder] = process.argv.slice(2);
const [workspace, kept] = ['workspace', 'kept'].map((name) => join(folder, name));
for (const each of [workspace, kept]) mkdirSync(each, { recursive: true });
const store = fileStore(join(folder, 'runs'));
const calls = (key) => appendFileSync(join(folder, 'calls.txt'), `${key}\n`);
const driven = await drive(planner, SOLVING, {
  store,
  ports: await solvingPorts({ workspace, folder: kept, store }, calls),
  onEvent: ({ type }) => {
    if (type === 'append') process.stdout.write('group\n');
  },
});
await store.close();
if (driven._tag === 'Left') {
  process.stderr.write(`${JSON.stringify(driven.left)}\n`);
  process.exitCode = 2;
} else process.exitCode = driven.right.end === 'success' ? 0 : 1;
