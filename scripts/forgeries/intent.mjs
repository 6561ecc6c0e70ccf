/**
 * A request decided on readings written by hand, and a forgery of it that only a kept head shows; the others are
 * recipes.
 *
 * @module
 */
import { advance, openRun, orThrow } from '@assay/kernel';
import { defaultPolicy, intent } from '@assay/kernel/intent';
import { fileOf, linesOf } from './forge.mjs';
import { headLine, pair, rewritten } from './rewrites.mjs';

const SEED =
  'Keep audit logs at least 6 months. Do not store card data. Reports go to the auditor within 10 days.';
/** The name of the honest run. */
export const INTENT_TWIN = 'twin-intent';

/** A claim with a quote of the seed. */
function claim(kind, modality, words, atom) {
  const start = SEED.indexOf(words);
  return {
    kind,
    modality,
    quote: { start, end: start + words.length },
    atom,
    scope: { actor: null, condition: null, exception: null },
  };
}

const RETENTION = claim('requirement', 'must', 'Keep audit logs at least 6 months', {
  key: 'audit_log.retention',
  op: '>=',
  value: { n: 6, scale: 0 },
  unit: 'month',
});
const CARDS = claim('constraint', 'must_not', 'Do not store card data', null);
/** Readings written by hand. */
const READINGS = [
  { name: 'both', assumptions: [], intent_summary: 'two demands', commits: [RETENTION, CARDS] },
  {
    name: 'retention-only',
    assumptions: ['Card data is another project.'],
    intent_summary: 'one demand',
    commits: [RETENTION],
  },
];

/** One request decided on readings written by hand: its records. */
export function decided(readings = READINGS) {
  const first = orThrow(
    openRun(intent, {
      run_id: 'intent',
      ts_base: '2026-11-22',
      policy: { ...defaultPolicy, proposers: ['by-hand'] },
      input: { seed_text: SEED, pin: null },
    }),
  );
  const answer = {
    request_id: '1.0',
    source: 'synthetic',
    proposer: 'fixture:by-hand',
    confidence: null,
    value: readings,
    failure: null,
    at_us: null,
    spent: {},
    cites: [],
    provenance: {},
  };
  return [...first.records, ...orThrow(advance(first.run, answer)).records];
}

/** The winning reading left out: what follows is derived again, and only a kept head tells. */
export function intentForgeries() {
  return pair(
    rewritten(
      'intent-reading-left-out',
      'the winning reading never proposed, everything derived again',
      decided(READINGS.slice(1)),
      decided(),
      INTENT_TWIN,
    ),
  );
}

/** The honest run. */
export function intentTwins() {
  const honest = decided();
  return [
    {
      name: INTENT_TWIN,
      what: 'a request decided on readings written by hand',
      bytes: fileOf(linesOf(honest)),
      head: headLine(honest),
    },
  ];
}
