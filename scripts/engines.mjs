/**
 * `npm run check:engines`: `scripts/replay-fixtures.mjs` on this Node, on Node 24 and on Bun (JavaScriptCore,
 * a second engine family). The text must be identical. Then the SQLite store's tests on Node 24, which has a
 * driver of its own.
 */
import { join } from 'node:path';
import { bun, node24, withoutRuntime } from './lib/cache.mjs';
import { prepare } from './lib/prepare.mjs';
import { capture, run } from './lib/run.mjs';

prepare();
const lanes = [
  [`Node ${process.versions.node}`, process.execPath],
  ['Node 24', node24()],
  ['Bun', bun()],
];
let expected = null;
for (const [name, command] of lanes) {
  if (command === null) {
    withoutRuntime(name);
    continue;
  }
  const { code, stdout, stderr } = capture(command, ['scripts/replay-fixtures.mjs']);
  expected ??= stdout;
  if (code === 0 && stdout === expected && stdout !== '') {
    console.log(`${name}: ${stdout.trim().split('\n').length} lines, the same`);
  } else {
    console.log(`${name}: FAILED (exit ${code})\n${stdout}${stderr}`);
    process.exitCode = 1;
  }
}
if (expected !== null) console.log(expected.trim());

const [, [, other]] = lanes;
if (other === null) {
  withoutRuntime('SQLite store on Node 24');
} else {
  const code = run(other, [
    join('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    'packages/store-sqlite',
    '--reporter=dot',
  ]);
  console.log(
    `SQLite store on Node 24, node:sqlite and libsql: ${code === 0 ? 'passed' : `FAILED (exit ${code})`}`,
  );
  if (code !== 0) process.exitCode = 1;
}
