/**
 * `npm run check:consumers`: packs what would be published, installs it into an empty folder and uses it
 * there: Node as it is, Node without code from strings, Node 24, a bare context, chromium; then the
 * kernel's own tests against the packed kernel. Every lane must print the same lines.
 */
import { tmpdir } from 'node:os';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { node24, withoutRuntime } from '../../scripts/lib/cache.mjs';
import { packAll } from '../../scripts/lib/pack.mjs';
import { install, prepare } from '../../scripts/lib/prepare.mjs';
import { capture, root, run } from '../../scripts/lib/run.mjs';
import { bundle, runBare, runChromium } from './lib/browser.mjs';
import { copyUses, installInto } from './lib/install.mjs';

const STRICT = '--disallow-code-generation-from-strings';

prepare();
install('scripts/checks');
const work = mkdtempSync(join(tmpdir(), 'assay-consumer-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
const packages = packAll(join(work, 'tarballs'));
const folder = join(work, 'consumer');
console.log(`${packages.length} packages installed ${installInto(folder, packages)}: ${packages.map(({ name }) => name).join(', ')}`);
copyUses(folder);

const entries = packages.flatMap(({ name, manifest }) => Object.keys(manifest.exports).filter((entry) => entry !== './package.json').map((entry) => `${name}${entry.slice(1)}`));
const other = node24();
let expected = null;
let failures = 0;

for (const [name, command, flags] of [['Node', process.execPath, []], [`Node ${STRICT}`, process.execPath, [STRICT]], ['Node 24', other, []], [`Node 24 ${STRICT}`, other, [STRICT]]]) {
  if (command === null) withoutRuntime(name);
  else {
    lane(name, () => {
      output(command, [...flags, 'entries.mjs', ...entries]);
      return output(command, [...flags, 'plain.mjs']);
    });
  }
}
const code = await bundle(folder);
lane(`bundle in a bare context (${code.length} bytes)`, () => runBare(code));
await laneAsync('bundle in chromium', () => runChromium(code));
lane('the kernel\'s tests against the packed kernel', () => {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const exit = run(process.execPath, [vitest, 'run', '--config', 'vitest.packed.ts', '--reporter=dot'], { env: { ...process.env, ASSAY_PACKED_KERNEL: join(folder, 'node_modules', '@assay', 'kernel') } });
  if (exit !== 0) throw new Error(`vitest ended with ${exit}`);
  return expected;
});
process.exitCode = failures > 0 ? 1 : process.exitCode;

function output(command, args) {
  const { code: exit, stdout, stderr } = capture(command, args, { cwd: folder });
  if (exit !== 0) throw new Error(`exit ${exit}\n${stdout}${stderr}`);
  return stdout.trim();
}

function lane(name, work) {
  try {
    settle(name, work());
  } catch (error) {
    fail(name, error);
  }
}

async function laneAsync(name, work) {
  try {
    const lines = await work();
    if (lines === null) console.log(`${name}: not there, not run`);
    else settle(name, lines);
  } catch (error) {
    fail(name, error);
  }
}

function settle(name, lines) {
  expected ??= lines;
  if (lines === expected) console.log(`${name}: same lines`);
  else fail(name, new Error(`other lines:\n${lines}\ninstead of:\n${expected}`));
}

function fail(name, error) {
  failures += 1;
  console.log(`${name}: FAILED\n${error.message}`);
}
