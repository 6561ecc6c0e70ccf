/**
 * `npm run check:consumers`: packs what would be published, installs it into an empty folder and uses it
 * there: Node as it is, Node without code from strings, Node 24, a bare context, chromium; then the command
 * as installed, and the kernel's own tests against the packed kernel. Lanes of the same use must print the
 * same lines.
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
console.log(
  `${packages.length} packages installed ${installInto(folder, packages)}: ` +
    `${packages.map(({ name }) => name).join(', ')}`,
);
copyUses(folder);

const entries = packages.flatMap(({ name, manifest }) =>
  Object.keys(manifest.exports)
    .filter((entry) => typeof manifest.exports[entry] === 'object')
    .map((entry) => `${name}${entry.slice(1)}`),
);
const other = node24();
/** What the first lane of each use printed. */
const expected = new Map();
let failures = 0;

for (const [name, node, flags] of [
  ['Node', process.execPath, []],
  [`Node ${STRICT}`, process.execPath, [STRICT]],
  ['Node 24', other, []],
  [`Node 24 ${STRICT}`, other, [STRICT]],
]) {
  if (node === null) withoutRuntime(name);
  else {
    lane(name, () => {
      output(node, [...flags, 'entries.mjs', ...entries]);
      return output(node, [...flags, 'plain.mjs']);
    });
    lane(`${name}, the command`, () => command(node, flags), 'command');
  }
}
const code = await bundle(folder);
lane(`bundle in a bare context (${code.length} bytes)`, () => runBare(code));
await laneAsync('bundle in chromium', () => runChromium(code));
lane("the kernel's tests against the packed kernel", () => {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const exit = run(process.execPath, [vitest, 'run', '--config', 'vitest.packed.ts', '--reporter=dot'], {
    env: { ...process.env, ASSAY_PACKED_KERNEL: join(folder, 'node_modules', '@assay', 'kernel') },
  });
  if (exit !== 0) throw new Error(`vitest ended with ${exit}`);
  return expected.get('scenario');
});
process.exitCode = failures > 0 ? 1 : process.exitCode;

function output(command, args) {
  const { code: exit, stdout, stderr } = capture(command, args, { cwd: folder });
  if (exit !== 0) throw new Error(`exit ${exit}\n${stdout}${stderr}`);
  return stdout.trim();
}

/** A run by the installed command, its verification, and what the command says of its installation. */
function command(node, flags) {
  const assay = (...args) =>
    output(node, [...flags, join('node_modules', '@assay', 'cli', 'bin', 'assay.mjs'), ...args]);
  const run = assay(
    'run',
    'Keep audit logs for 90 days.',
    '--set',
    'run_id=consumer',
    '--set',
    'ts_base=check',
    '-o',
    'out',
    '--json',
  );
  const [{ head_line: head }, { checks }] = [JSON.parse(run), JSON.parse(assay('doctor', '--json'))];
  const verdicts = assay('verify', join('out', 'run.ledger.jsonl'), '--head', head);
  const packages = checks.find(({ check }) => check === 'packages');
  if (packages?.state !== 'works') throw new Error(`doctor: ${JSON.stringify(packages)}`);
  return [head, verdicts, packages.detail].join('\n');
}

function lane(name, work, use) {
  try {
    settle(name, work(), use);
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

function settle(name, lines, use = 'scenario') {
  if (!expected.has(use)) expected.set(use, lines);
  if (lines === expected.get(use)) console.log(`${name}: same lines`);
  else fail(name, new Error(`other lines:\n${lines}\ninstead of:\n${expected.get(use)}`));
}

function fail(name, error) {
  failures += 1;
  console.log(`${name}: FAILED\n${error.message}`);
}
