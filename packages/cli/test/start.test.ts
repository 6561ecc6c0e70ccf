/** How little a command loads, and what a small run takes as a whole. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isBundled } from '../../../scripts/lib/bundle.mjs';
import { requestText } from '../../../scripts/lib/requests.mjs';
import { argv, assay, POLL, ROOT, spawned, temporaryFolder } from './lib/assay.ts';
import { findOverrun, loading } from './lib/measured.ts';

const BUNDLE = join(ROOT, 'packages', 'cli', 'dist', 'bundle');
const folder = temporaryFolder();
const request = join(folder, 'request.txt');
writeFileSync(
  request,
  requestText('rfp-school-meals')
    .split(/(?<=\s)/)
    .slice(0, 300)
    .join(''),
);
type Manifest = { readonly name: string } & {
  readonly [kind in 'dependencies' | 'peerDependencies']?: Readonly<Record<string, string>>;
};
let calls = 0;
/** The run that the target of 300 ms speaks of, each time into a folder of its own. */
const run = (): readonly string[] => [
  ...argv`run ${request} --proposer rules --set run_id=r --set ts_base=t`,
  ...argv`-o ${join(folder, `out-${(calls += 1)}`)}`,
];
const third = (url: string): string | undefined => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];

describe('what is loaded', () => {
  test.each([
    ['help', ['--help'], 6, ['commander']],
    ['a head', ['head', POLL], 18, ['@noble/hashes', 'commander']],
    ['a verification', ['verify', POLL], 24, ['@noble/hashes', 'commander', 'fp-ts']],
    ['a run with results', run(), 25, ['@noble/hashes', 'commander']],
  ])('for %s: few files, no package that it does not use', async (_, args, files, packages) => {
    const { code, stderr, loaded } = await loading(args, folder);
    expect([code, stderr]).toEqual([0, '']);
    expect([...new Set(loaded.map(third).filter((name) => name !== undefined))].sort()).toEqual(packages);
    expect(loaded.length).toBeGreaterThan(1);
    expect(loaded.length, loaded.join('\n')).toBeLessThanOrEqual(files);
  });

  test('of our own code a run loads at most 1.03 megabytes, all of it from the bundle', async () => {
    const { loaded } = await loading(run(), folder);
    const own = loaded.filter((url) => third(url) === undefined).map((url) => fileURLToPath(url));
    const [bin, ...chunks] = own;
    expect(bin).toBe(join(ROOT, 'packages', 'cli', 'bin', 'assay.mjs'));
    for (const path of chunks) expect(path.startsWith(BUNDLE)).toBe(true);
    expect(own.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThan(1_030_000);
  });
});

describe('the bundle', () => {
  test('is of what was compiled last; if not, npm run build', () => {
    expect(isBundled()).toBe(true);
  });

  test("imports only what the command's manifest declares, in the version that every package of ours names", () => {
    const texts = readdirSync(BUNDLE).map((name) => readFileSync(join(BUNDLE, name), 'utf8'));
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/^(?:import|export)\b[^"\n]* ?"([^".][^"]*)";$|\bimport\("([^".][^"]*)"\)/gm)].map(
        ([, fixed, lazy]) => fixed ?? lazy ?? '',
      ),
    );
    const names = new Set(
      imported
        .filter((name) => !name.startsWith('node:'))
        .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name),
    );
    expect([...names].sort()).toEqual([
      '@assay/explorer',
      '@assay/fleet',
      '@assay/mcp',
      '@assay/models',

      '@assay/store-postgres',
      '@noble/ed25519',
      '@noble/hashes',
      'commander',
      'fast-json-stable-stringify',
      'fp-ts',
      'libsql',
      'minisearch',
      'pure-rand',
      'simple-statistics',
      'yaml',
      'zod',
    ]);
    const manifests = readdirSync(join(ROOT, 'packages')).map(
      (name) => JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')) as Manifest,
    );
    const versions = (name: string, of: readonly Manifest[]): readonly string[] => [
      ...new Set(
        of.flatMap(({ dependencies, peerDependencies }) =>
          [dependencies?.[name], peerDependencies?.[name]].filter((version) => version !== undefined),
        ),
      ),
    ];
    const own = manifests.filter(({ name }) => name === '@assay/cli');
    for (const name of names)
      expect([name, versions(name, own)]).toEqual([name, [expect.stringMatching(/^\d/)]]);
    for (const name of names) expect([name, versions(name, manifests)]).toEqual([name, versions(name, own)]);
  });

  test('a stack trace names the function and its chunk', async () => {
    const { stderr } = await spawned(['head', 'no-such-file', '--verbose']);
    expect(stderr).toMatch(/^ {6}at async head \(file:.*\/dist\/bundle\/head\.js:\d+:\d+\)$/m);
  });
});

test(
  'a run of 300 words takes less than 300 ms of CPU, the whole process (one of five; on a ' +
    'slow machine, seven times a bare Node)',
  async () => {
    expect(await findOverrun((env) => assay(run(), { env }), folder, 300, 7)).toBeNull();
  },
);
