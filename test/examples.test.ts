/**
 * What the examples promise: short programs, frameworks that are theirs alone, and a machine that keeps the
 * laws.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Json } from '@assay/kernel';
import { machineLaws, registerLaws } from '@assay/testing';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { refunds } from '../examples/embeddings/refunds/machine.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EMBEDDINGS = join('examples', 'embeddings');
/** Folders that are no example of their own: what all of them decide by, and what their tests share. */
const SHARED = ['refunds', 'testing'];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const files = (folder: string): readonly string[] => readdirSync(join(ROOT, folder)).sort();
const examples = files(EMBEDDINGS).filter((name) => !SHARED.includes(name));

describe.for(examples)('examples/embeddings/%s', (name) => {
  const folder = join(EMBEDDINGS, name);

  test('pins what it needs in a lock of its own, and the repository installs none of it', () => {
    if (!existsSync(join(ROOT, folder, 'package.json'))) return;
    const manifest = JSON.parse(read(join(folder, 'package.json'))) as {
      private?: boolean;
      license?: string;
      scripts?: object;
      dependencies: Record<string, string>;
    };
    const lock = JSON.parse(read(join(folder, 'package-lock.json'))) as {
      packages: Record<string, { dependencies?: object }>;
    };
    expect(manifest).toMatchObject({ private: true, license: 'Apache-2.0' });
    for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(lock.packages['']?.dependencies).toEqual(manifest.dependencies);
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: readonly string[] };
    expect(workspaces).toEqual(['packages/*', '!packages/consumer-check']);
  });
});

test('the frameworks are in no manifest of the root or of a package', () => {
  const manifests = [
    'package.json',
    ...files('packages').map((name) => join('packages', name, 'package.json')),
  ]
    .map(read)
    .join('\n');
  // DBOS is an engine of fleets too.
  for (const framework of ['@langchain/', '@temporalio/', 'xstate'])
    expect(manifests).not.toContain(`"${framework}`);
});

const order = fc.constantFrom('A-17', 'B-2', '__proto__');
const cents = fc.integer({ min: 0, max: 300 });
const genesis = fc.record({
  run_id: fc.constant('law'),
  ts_base: fc.constant('law'),
  policy: fc.record({ limit: cents, budget: cents }),
  input: fc.record({ ticket: fc.string(), paid: fc.array(fc.tuple(order, cents), { maxLength: 4 }) }),
});
const answer = ({ kind }: { readonly kind: string }): fc.Arbitrary<Json> => {
  if (kind === 'approval') return fc.record({ approved: fc.boolean() });
  if (kind === 'pay') return fc.record({ receipt: fc.string() });
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ tool: fc.constant('refund'), order, cents }) },
    { weight: 1, arbitrary: fc.constant({ tool: 'close' }) },
  );
};
// `bound`: each order is called for once, by three attempts at the call, two at the approval and three at the
// payment; then three attempts at the last call.
registerLaws(
  { describe, it },
  'refunds',
  machineLaws(refunds, {
    genesis,
    answer,
    bound: ({ input }) => ((input as { paid: readonly unknown[] }).paid.length + 1) * 8,
  }),
  { runs: 100 },
);

test('npm run check:examples refuses a name that is none, wherever it stands, before anything is run', () => {
  for (const named of [['nosuch'], ['langgraph', 'nosuch'], ['langgraph', 'ai-sdk', 'refunds']]) {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, 'scripts', 'examples.mjs'), ...named],
      { encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining(`has no folder ${named.at(-1) ?? ''} with tests`),
    ]);
  }
});
