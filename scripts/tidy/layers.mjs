/**
 * Which package may import which. Imports point inward only: a package imports packages of a strictly
 * lower level. Pure packages run anywhere JavaScript runs, so they import no Node module.
 *
 * @module
 */

/** Level of each package; outward is higher. A package missing here fails the check. */
export const LEVELS = {
  kernel: 0,
  planner: 1,
  controller: 1,
  ecology: 1,
  sandbox: 1,
  verifier: 1,
  attest: 1,
  views: 2,
  testing: 2,
  rules: 2,
  host: 3,
  'store-contract': 4,
  'store-file': 4,
  'store-sqlite': 4,
  'store-postgres': 4,
  proposers: 4,
  'proposer-solver': 4,
  effector: 4,
  agent: 5,
  'proposer-llm': 5,
  mcp: 6,
  explorer: 6,
  export: 5,
  cli: 7,
  'consumer-check': 8,
};

/** Packages held to the determinism rules. */
export const PURE = [
  'kernel',
  'planner',
  'controller',
  'ecology',
  'sandbox',
  'verifier',
  'attest',
  'views',
  'rules',
  'testing',
];

/** Files of pure packages that are shells: the Node entries of testing, attest and sandbox, the table of machines. */
export function isShellFile(path) {
  return /^packages\/(?:(?:testing|attest|sandbox)\/src\/node(?:\.ts$|\/)|views\/src\/machines\/)/.test(path);
}

/** True for a source file held to the determinism rules. */
export function isPureFile(path) {
  const name = /^packages\/([^/]+)\/src\//.exec(path)?.[1];
  return name !== undefined && PURE.includes(name) && !isShellFile(path);
}

/** Third-party modules that only one folder may import, so that every other entry stays without them. */
export const CONFINED = {
  zod: {
    within: new RegExp(
      String.raw`^packages\/(?:kernel|controller|planner|ecology)\/src\/schemas\/|^packages\/(?!kernel|verifier|p` +
        String.raw`lanner|controller|ecology|attest|rules)`,
    ),
    reason: 'zod lives in shells and in the schemas of kernel and machines',
  },
  'fast-json-stable-stringify': {
    within: /^packages\/kernel\/src\/reference\//,
    reason: 'the reference encoder lives in kernel/reference',
  },
};

/** What judges any ledger, and so knows no machine: the machines are given to it. */
export const MACHINE_FREE = {
  within: /^packages\/(?:verifier|attest)\/src\//,
  machines: /^@assay\/(?:kernel\/intent(?:-view)?|controller|planner|ecology|views\/machines)(?:\/|$)/,
};
