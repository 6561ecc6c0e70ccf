/** Random runs of a library. */
import fc from 'fast-check';
import type { Json, Request } from '@assay/kernel';
import type { MachineArbitraries } from '@assay/testing';
import type { LibraryRow, LibraryState } from '../src/library/index.js';
import type { LibraryAsk } from '../src/library/state.js';

const TAGS = ['mending', 'parse_html'] as const;
const digest = fc.nat(3).map((n) => String(n).repeat(64).slice(0, 64) as never);
const word = fc.constantFrom('write the parser', 'Write  the parser', 'render a page', '', '__proto__');
const goal = fc.record({
  summary: word,
  signature: fc.constantFrom([], [['logic', 'software'] as const]),
});
const id = fc.constantFrom('model-0', 'html-parser', '__proto__x');

/** Any row. */
export const rows: fc.Arbitrary<LibraryRow> = fc.oneof(
  fc.record({ id, tag: fc.constantFrom(...TAGS), by: fc.constantFrom(null, 'actor:human') }).map(
    ({ id: name, tag, by }): LibraryRow => ({
      t: 'resolver',
      resolver: {
        id: name.replaceAll('_', 'x'),
        label: name,
        type: 'digital',
        capabilities: [tag],
        bound: {},
        built_by: by,
        composed_of: [],
      },
    }),
  ),
  fc
    .record({
      goal,
      resolver: id,
      sigma: fc.nat(1_000_000),
      ok: fc.boolean(),
      index: fc.integer({ min: 1, max: 3 }),
      constraints: fc.array(digest, { maxLength: 2 }),
    })
    .map(
      ({ goal: kind, resolver, sigma, ok, index, constraints }): LibraryRow => ({
        t: 'attempt',
        goal: kind,
        node: 'goal/t1',
        index,
        capability: 'mending',
        constraints,
        resolver,
        verdict: ok ? 'SAT' : 'UNSAT',
        sigma_ppm: sigma,
        failure_mode: ok ? null : 'failed_unit',
      }),
    ),
  fc
    .record({ goal, resolver: id, estimated: fc.nat(9), actual: fc.nat(20) })
    .map((each): LibraryRow => ({ t: 'estimate', row: 'cost', unit: 'cents', ...each })),
  fc
    .record({
      fingerprint: digest,
      status: fc.constantFrom('requested', 'delivered', 'declined', 'withdrawn'),
    })
    .map(
      (each): LibraryRow =>
        ({ t: 'capability', capability: 'mending', resolver: null, ...each }) as LibraryRow,
    ),
  fc.record({ resolver: id, output: digest }).map((each): LibraryRow => ({ t: 'produced', ...each })),
  fc.constantFrom<LibraryRow>(
    { t: 'edge', from: 'html-parser', relation: 'built_by', to: 'actor:human' },
    { t: 'alias', tag: 'scraping', is: 'parse_html' },
  ),
);

/** What somebody may bring. */
export function answers({ kind }: Request<LibraryAsk>): fc.Arbitrary<Json> {
  const fit: fc.Arbitrary<Json> =
    kind === 'end'
      ? fc.constant({})
      : fc.array(rows, { maxLength: 4 }).map((list) => ({ rows: list }) as unknown as Json);
  return fc.oneof(
    { weight: 9, arbitrary: fit },
    { weight: 1, arbitrary: fc.constantFrom<Json>(null, { rows: [{ t: 'edge' }] }, 0.5) },
  );
}

/** All of it, for `machineLaws`. Standing invitations have no bound: somebody ends it. */
export function libraryArbitraries(): MachineArbitraries<LibraryState, LibraryAsk> {
  return {
    genesis: fc.constant({ run_id: 'library', ts_base: 'T', policy: {}, input: {} }),
    answer: answers,
    stepsMax: 16,
  };
}
