/**
 * The chosen tests and the sources they reach, as one script, so that a fresh copy of all of it is one call.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { rolldown } from 'rolldown';
import { chosenArea, NOT_RUN, RUNS } from './areas.mjs';

/** Loaded once and shared by every copy. */
const SHARED = ['fast-check', '@noble/hashes/sha2.js', '@noble/curves/ed25519.js'];
/** Packages whose tests an area may name. */
const TESTED = ['kernel', 'verifier', 'views', 'testing', 'attest', 'controller'];
const SUITE = '\0suite';

/** Paths of the chosen test files, from the repository's root. */
function testFiles(root) {
  const { tests } = chosenArea();
  const files = TESTED.flatMap((name) =>
    readdirSync(join(root, 'packages', name, 'test'), { recursive: true }).map(
      (file) => `packages/${name}/test/${file.replaceAll('\\', '/')}`,
    ),
  );
  return files
    .filter(
      (file) =>
        file.endsWith('.test.ts') &&
        tests.some((test) => test.test(file)) &&
        !NOT_RUN.some((test) => test.test(file)),
    )
    .toSorted();
}

function packageSources(root) {
  const entries = [
    ['@assay/testing/node', 'testing/src/node.ts'],
    ['@assay/attest/node', 'attest/src/node.ts'],
    ['@assay/verifier/impact', 'verifier/src/impact/index.ts'],
    ['@assay/verifier/attacks', 'verifier/src/attacks/index.ts'],
    ['@assay/kernel/intent-view', 'kernel/src/intent-view/index.ts'],
    ['@assay/kernel/view', 'kernel/src/view/index.ts'],
    ['@assay/kernel/fork', 'kernel/src/replay/fork.ts'],
    ['@assay/kernel/hash-only', 'kernel/src/ledger/hash-only.ts'],
    ['@assay/kernel/shape', 'kernel/src/shape/index.ts'],
    ...['audit', 'memory'].map((name) => [`@assay/controller/${name}`, `controller/src/${name}/index.ts`]),
    ...['intent', 'reference', 'schemas'].map((name) => [
      `@assay/kernel/${name}`,
      `kernel/src/${name}/index.ts`,
    ]),
    ...[...TESTED, 'host'].map((name) => [`@assay/${name}`, `${name}/src/index.ts`]),
  ];
  return new Map(entries.map(([name, path]) => [name, join(root, 'packages', path)]));
}

/** Test code as mutation testing runs it: it says which file it is, and its laws run few times. */
function testCode(code, id, root) {
  const named = `globalThis.__suite.file(${JSON.stringify(relative(root, id).replaceAll('\\', '/'))});\n`;
  const place = code
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
    .replaceAll(/\bnumRuns: *[\d_]+/g, `numRuns: ${RUNS}`);
  return id.endsWith('.test.ts') ? named + place : place;
}

/** A function that evaluates everything anew: all tests are registered with `globalThis.__suite`. */
export async function bundleTests(root) {
  const sources = packageSources(root);
  const entry = testFiles(root)
    .map((file) => `import ${JSON.stringify(join(root, file))};`)
    .join('\n');
  const bundle = await rolldown({
    input: '\0entry',
    platform: 'node',
    external: [/^node:/, ...SHARED],
    logLevel: 'silent',
    treeshake: false,
    plugins: [
      {
        name: 'assay',
        resolveId(name, importer) {
          if (name === '\0entry') return name;
          if (name === 'vitest') return SUITE;
          if (sources.has(name)) return sources.get(name);
          if (
            importer !== undefined &&
            name.startsWith('.') &&
            name.endsWith('.js') &&
            importer.endsWith('.ts')
          )
            return join(importer, '..', name.replace(/\.js$/, '.ts'));
          return null;
        },
        load(id) {
          if (id === '\0entry') return entry;
          if (id === SUITE)
            return (
              'export const { describe, it, test, expect, beforeAll, afterAll, beforeEach, afterEach, ' +
              'expectTypeOf } = globalThis.__suite.api;'
            );
          if (/\/packages\/[^/]+\/(?:test|tools)\/.*\.ts$/.test(id))
            return { code: testCode(readFileSync(id, 'utf8'), id, root), moduleType: 'ts' };
          return null;
        },
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false });
  await bundle.close();
  const script = new Script(`(function (require, module, exports) { "use strict"; ${output[0].code}\n})`, {
    filename: 'assay-tests.cjs',
  });
  const local = createRequire(join(root, 'package.json'));
  const shared = new Map(
    await Promise.all(
      SHARED.map(async (name) => [
        name,
        {
          __esModule: true,
          ...(await import(
            name === 'fast-check'
              ? pathToFileURL(local.resolve(name)).href
              : pathToFileURL(createRequire(join(root, 'packages/kernel/package.json')).resolve(name)).href
          )),
        },
      ]),
    ),
  );
  return () => {
    const module = { exports: {} };
    script.runInThisContext()((name) => shared.get(name) ?? local(name), module, module.exports);
  };
}
