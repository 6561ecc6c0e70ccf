/**
 * Which package may import which. Imports point inward only: a package imports packages of a strictly
 * lower level. Pure packages run anywhere JavaScript runs, so they import no Node module.
 *
 * @module
 */

/** Level of each package; outward is higher. A package missing here fails the check. */
export const LEVELS = {
  kernel: 0,
  verifier: 1,
  attest: 1,
  host: 2,
  testing: 3,
  'store-sqlite': 3,
  'store-postgres': 3,
  effector: 3,
  fleet: 4,
  controller: 4,
  ecology: 4,
  gate: 4,
  planner: 5,
  models: 6,
  views: 6,
  proposers: 7,
  mcp: 8,
  explorer: 8,
  cli: 9,
  'consumer-check': 10,
};

/** Packages held to the determinism rules. */
export const PURE = [
  'kernel',
  'planner',
  'controller',
  'ecology',
  'gate',
  'verifier',
  'attest',
  'views',
  'testing',
];

/** Folders of shell packages held to them as well. */
const PURE_FOLDER = /^packages\/proposers\/src\/(?:language|tasks)\//;

/**
 * Folders of pure packages that are shells, and the entries that lead to them: who plays and where things are kept
 * (`shell`), what models are asked (`prompts`), what needs Node (`node`), the table of machines, what tries stores.
 */
const SHELL = /^(?:sandbox\/)?(?:(?:[a-z]+-)?shell|prompts|node|machines|store-contract)(?:\.ts$|\/|$)/;

/** True for a source file of a pure package that is a shell. */
function isShellFile(path) {
  const place = path.replace(/^packages\/[^/]+\/src\//, '');
  return SHELL.test(place) && !path.startsWith('packages/testing/src/machines/');
}

/** True for a specifier that leads to a shell: a package that is none of the pure ones, or an entry of its shell. */
export function isShellEntry(specifier) {
  const [, name, ...entry] = specifier.split('/');
  if (PURE_FOLDER.test(`packages/${name}/src/${entry.join('/')}/`)) return false;
  return !PURE.includes(name) || SHELL.test(entry.join('/')) || (name === 'gate' && entry.length === 0);
}

/** True for a source file held to the determinism rules. */
export function isPureFile(path) {
  const name = /^packages\/([^/]+)\/src\//.exec(path)?.[1];
  if (PURE_FOLDER.test(path)) return true;
  return name !== undefined && PURE.includes(name) && !isShellFile(path);
}

/** Third-party modules that only one folder may import, so that every other entry stays without them. */
export const CONFINED = {
  zod: {
    within: /^packages\/(?!kernel|verifier|planner|controller|ecology|attest)/,
    reason: 'zod lives where a library asks for it',
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
