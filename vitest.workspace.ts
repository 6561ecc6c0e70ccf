import { readdirSync, readFileSync } from 'node:fs';

/**
 * The list of test projects. Vitest 4 ignores a file of this name by itself, so
 * `vitest.config.ts` feeds the list to `test.projects`.
 */
const FOLDER = new URL('packages/', import.meta.url);
const packages = readdirSync(FOLDER).filter((name) => name !== 'consumer-check');

/** Where each entry's source is, by what its package exports, so that tests (and mutants) run against the sources. */
export const sources: Readonly<Record<string, string>> = Object.fromEntries(
  packages.flatMap((name) => {
    const { exports } = JSON.parse(readFileSync(new URL(`${name}/package.json`, FOLDER), 'utf8')) as {
      readonly exports: Readonly<Record<string, { readonly default?: string }>>;
    };
    return Object.entries(exports).flatMap(([entry, { default: built = '' }]) => {
      const [, path] = /^\.\/dist\/(.*)\.js$/.exec(built) ?? [];
      return path === undefined
        ? []
        : [[`@assay/${name}${entry.slice(1)}`, `packages/${name}/src/${path}.ts`]];
    });
  }),
);

/** Test files that mock modules or load one twice, which needs a process of their own and the sources. */
const isolated = 'packages/host/test/{notes-durable.long,notes-growth,notes-torn,two-copies}.test.ts';

/** Two projects: in one, modules are transformed and loaded once for the files of all packages. */
const projects = [
  {
    name: 'shared',
    include: [...packages.map((name) => `packages/${name}/test/**/*.test.ts`), 'test/**/*.test.ts'],
    exclude: [isolated],
    isolate: false,
  },
  { name: 'isolated', include: [isolated], exclude: [], isolate: true },
];
export default projects;
