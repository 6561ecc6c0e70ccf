/**
 * The list of test projects. Vitest 4 ignores a file of this name by itself, so
 * `vitest.config.ts` feeds the list to `test.projects`.
 */
const packages: readonly string[] = [
  'kernel',
  'verifier',
  'views',
  'attest',
  'planner',
  'controller',
  'ecology',
  'gate',
  'testing',
  'host',
  'store-sqlite',
  'store-postgres',
  'proposers',
  'models',
  'effector',
  'mcp',
  'explorer',
  'cli',
];

/** Path of each package's source entry, so that tests (and mutants) run against the sources. */
export const sources: Readonly<Record<string, string>> = {
  '@assay/controller/shell': 'packages/controller/src/shell/index.ts',
  '@assay/controller/memory-shell': 'packages/controller/src/memory-shell/index.ts',
  '@assay/planner/shell': 'packages/planner/src/shell/index.ts',
  '@assay/planner/library-shell': 'packages/planner/src/library-shell/index.ts',
  '@assay/host/shared-run': 'packages/host/src/shared-run.ts',
  '@assay/proposers/language': 'packages/proposers/src/language/index.ts',
  '@assay/proposers/task-rules': 'packages/proposers/src/task-rules.ts',
  '@assay/proposers/tasks': 'packages/proposers/src/tasks/index.ts',
  '@assay/models/control': 'packages/models/src/control/index.ts',
  '@assay/views/documents': 'packages/views/src/documents/index.ts',
  '@assay/views/machines': 'packages/views/src/machines/index.ts',
  '@assay/testing/tally': 'packages/testing/src/machines/tally.ts',
  '@assay/testing/tally-view': 'packages/testing/src/machines/tally-view.ts',
  '@assay/testing/node': 'packages/testing/src/node.ts',
  '@assay/planner/library-view': 'packages/planner/src/library-view/index.ts',
  '@assay/planner/library': 'packages/planner/src/library/index.ts',
  '@assay/planner/picture': 'packages/planner/src/picture/index.ts',
  '@assay/planner/schemas': 'packages/planner/src/schemas/index.ts',
  '@assay/planner/view': 'packages/planner/src/view/index.ts',
  '@assay/host/store-file': 'packages/host/src/store-file/index.ts',
  '@assay/testing/store-contract': 'packages/testing/src/store-contract/index.ts',
  '@assay/proposers/solver': 'packages/proposers/src/solver/index.ts',
  '@assay/ecology/sandbox': 'packages/ecology/src/sandbox/index.ts',
  '@assay/ecology/sandbox/id': 'packages/ecology/src/sandbox/engine/id.ts',
  '@assay/ecology/sandbox/node': 'packages/ecology/src/sandbox/node.ts',
  '@assay/ecology/schemas': 'packages/ecology/src/schemas/index.ts',
  '@assay/ecology/view': 'packages/ecology/src/view/index.ts',
  '@assay/ecology/mechanisms': 'packages/ecology/src/mechanisms/index.ts',
  '@assay/gate/machine': 'packages/gate/src/machine/index.ts',
  '@assay/gate/schemas': 'packages/gate/src/schemas/index.ts',
  '@assay/gate/view': 'packages/gate/src/view/index.ts',
  '@assay/planner/schedule': 'packages/planner/src/schedule/index.ts',
  '@assay/controller/memory': 'packages/controller/src/memory/index.ts',
  '@assay/controller/evidence': 'packages/controller/src/evidence/index.ts',
  '@assay/controller/steps': 'packages/controller/src/steps/index.ts',
  '@assay/attest/node': 'packages/attest/src/node.ts',
  '@assay/controller/view': 'packages/controller/src/view/index.ts',
  '@assay/controller/memory-view': 'packages/controller/src/memory-view/index.ts',
  '@assay/controller/schemas': 'packages/controller/src/schemas/index.ts',
  '@assay/controller/audit': 'packages/controller/src/audit/index.ts',
  '@assay/verifier/impact': 'packages/verifier/src/impact/index.ts',
  '@assay/explorer/build': 'packages/explorer/src/build/index.ts',
  '@assay/explorer/page': 'packages/explorer/src/page/index.ts',
  '@assay/verifier/attacks': 'packages/verifier/src/attacks/index.ts',
  '@assay/host/copy': 'packages/host/src/copy/index.ts',
  '@assay/host/files': 'packages/host/src/files/index.ts',
  '@assay/host/testing': 'packages/host/src/testing/index.ts',
  '@assay/kernel/fork': 'packages/kernel/src/replay/fork.ts',
  '@assay/kernel/hash-only': 'packages/kernel/src/ledger/hash-only.ts',
  '@assay/kernel/intent': 'packages/kernel/src/intent/index.ts',
  '@assay/kernel/intent-view': 'packages/kernel/src/intent-view/index.ts',
  '@assay/kernel/view': 'packages/kernel/src/view/index.ts',
  '@assay/kernel/shape': 'packages/kernel/src/shape/index.ts',
  '@assay/kernel/schemas': 'packages/kernel/src/schemas/index.ts',
  '@assay/kernel/reference': 'packages/kernel/src/reference/index.ts',
  ...Object.fromEntries(packages.map((name) => [`@assay/${name}`, `packages/${name}/src/index.ts`])),
};

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
