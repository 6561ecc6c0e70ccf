/**
 * What is mutated, area by area, and the tests that must kill it, as globs below `packages`.
 *
 * Left out everywhere: tests that start processes, and those whose subject is a size or a count of runs (a
 * million records, 65,536 open requests, every small world): each takes longer than an area's other tests
 * together.
 */
const KERNEL = 'packages/kernel/src';

const CONTROLLER = 'packages/controller/src';

/** Laws run this often instead of 1,000 times and more. */
export const RUNS = 30;

/** Files of tests that no area runs. */
export const NOT_RUN = [
  '**/test/types/**',
  '**/laws-list.test.ts',
  '**/graph/scale.test.ts',
  '**/second-verifier.test.ts',
  'testing/test/**',
  '**/001-4.5-run-and-replay.test.ts',
  '**/test/intent/**',
];

/** Single tests that no area runs, by their full names. */
export const SKIPPED = [
  /16 MiB/,
  /65,?536/,
  /canonical\/idempotent/,
  /bytes of a line are kept/,
  /16,777,216 bytes are a line/,
  /key of 17 million units/,
  /measured on bytes (?:262,14[45]|commas in a string|size and depth come before)/,
  /what a line measures marks/,
  /limits size: UTF-8 bytes of the canonical text/,
  /most of them get some text from the naive encoder/,
  /stops at once at a value shared exponentially often/,
  /each of them has one root and refuses/,
  /holds (?:100|50),000 entries/,
  /grows past any first size/,
  /each field of each record, down to the last scalar/,
  /no byte of it can change/,
  /every byte prefix is empty, cut inside a line/,
  /no byte of a small ledger can change/,
  /L and n recomputed from the records alone, over random runs/,
  /the largest proposal fits a record line/,
  /refuses what would not fit a line, so that every record it h/,
  /are what their script makes/,
  /reads back as what was written, whatever happened/,
];

/** The areas: folders mutated, and folders of tests. */
export const AREAS = {
  canonical: {
    mutate: [`${KERNEL}/canonical`, `${KERNEL}/hash`],
    tests: [
      'kernel/test/unit/{canonical,hash}/**',
      'kernel/test/unit/ledger/record.test.ts',
      'kernel/test/laws/{canonical,read}.test.ts',
      'kernel/test/contract/001-{2.1,4.1}*',
      'kernel/test/vectors/**',
      'kernel/test/ledger-integrity/scan.test.ts',
    ],
  },
  ledger: {
    mutate: [`${KERNEL}/ledger`],
    tests: [
      'kernel/test/unit/ledger/**',
      'kernel/test/laws/ledger*',
      'kernel/test/contract/001-{2.2,4.2}*',
      'kernel/test/vectors/committed*',
      'kernel/test/ledger-integrity/**',
    ],
  },
  graph: {
    mutate: [`${KERNEL}/graph`, `${KERNEL}/collections`],
    tests: [
      'kernel/test/unit/{graph,collections}/**',
      'kernel/test/laws/dag*',
      'kernel/test/contract/001-{2.5,4.3}*',
    ],
  },
  machine: {
    mutate: [`${KERNEL}/machine`, `${KERNEL}/replay`],
    tests: [
      'kernel/test/{machine,replay}/**',
      'kernel/test/contract/001-2.7*',
      'verifier/test/{recorded,verdicts,files}.test.ts',
    ],
  },
  // The Markdown of blueprints, packs and refusals shows what `kernel/src/intent` makes, which no area
  // mutates.
  verifier: {
    mutate: [
      ...['diff', 'fixtures', 'verify'].map((name) => `packages/verifier/src/${name}`),
      ...['escape', 'github', 'junit', 'reasons', 'terminal'].map(
        (name) => `packages/views/src/${name === 'escape' ? 'escape' : 'verdicts'}/${name}.ts`,
      ),
    ],
    tests: ['verifier/test/**', 'views/test/!(markdown)*.ts'],
  },
  attest: {
    mutate: ['packages/attest/src'],
    tests: ['attest/test/**'],
  },
  ggs: {
    mutate: [`${CONTROLLER}/ggs`, `${CONTROLLER}/guard`],
    tests: ['controller/test/{ggs,guard}/**', 'controller/test/loop/{goldens,rounds}.test.ts'],
  },
  loop: {
    mutate: [`${CONTROLLER}/loop`, `${CONTROLLER}/protocol`, `${CONTROLLER}/policy`],
    tests: ['controller/test/{loop,laws}/**', 'controller/test/{evidence,roles}.test.ts'],
  },
  memory: {
    mutate: [`${CONTROLLER}/memory`],
    tests: ['controller/test/memory/**'],
  },
};

/**
 * The sample: the writers of canonical text, the digest, the graph, and the hashes and links of records.
 */
export const SHORT = {
  mutate: [
    `${KERNEL}/canonical/canonicalize.ts`,
    `${KERNEL}/canonical/compose.ts`,
    `${KERNEL}/canonical/encode.ts`,
    `${KERNEL}/text.ts`,
    `${KERNEL}/hash`,
    `${KERNEL}/graph`,
    `${KERNEL}/ledger/chain.ts`,
    `${KERNEL}/ledger/record.ts`,
  ],
  tests: [
    'kernel/test/unit/{hash,graph}/**',
    'kernel/test/unit/canonical/{compose,mutants,text,plainly,numbers-and-text,odd-values,hostile}.test.ts',
    'kernel/test/unit/ledger/{record,chain,mutants*}.test.ts',
    'kernel/test/laws/{canonical,dag}.test.ts',
    'kernel/test/contract/001-{2.1,2.5,4.1,4.3}*',
  ],
};

/** The area that `ASSAY_MUTATION_AREA` names. */
export function chosenArea() {
  const name = process.env.ASSAY_MUTATION_AREA ?? 'short';
  const area = name === 'short' ? SHORT : AREAS[name];
  if (area === undefined) throw new Error(`no area ${name}: one of ${Object.keys(AREAS).join(', ')}`);
  return { name, ...area };
}
