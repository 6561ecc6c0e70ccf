/** Contradictions: derived, claimed, and what settles them. Source: intent I9. */
import { expect, it } from 'vitest';
import { defaultPolicy, type Interpretation } from '@assay/kernel/intent';
import { amount, artifactOf, claimOn, flag, played, policyWith, reading } from './tools.js';

const SEED =
  'Logs must be deleted after 30 days; logs are kept at least one year. The gate opens at ' +
  'dawn. The gate stays shut at night, except for staff.';
const SHORT = claimOn(SEED, 'Logs must be deleted after 30 days', {
  atom: amount('log.retention', '<=', 30, 'd'),
});
const LONG = claimOn(SEED, 'logs are kept at least one year', {
  atom: amount('log.retention', '>=', 1, 'year'),
});
const OPEN = claimOn(SEED, 'The gate opens at dawn', { atom: flag('gate.open') });
const SHUT = {
  ...claimOn(SEED, 'The gate stays shut at night', { modality: 'must_not', atom: flag('gate.open') }),
};

// What is derived, claimed, or settled by the pin or by the commit is locked by five golden runs.
it.each<[string, readonly Interpretation[], readonly object[]]>([
  [
    'what contradicts only where an alias is not given is none',
    [reading('apart', [SHORT, { ...LONG, atom: amount('records.kept', '>=', 1, 'year') }])],
    [],
  ],
  [
    'a pair that is derived anyway is listed once',
    [
      reading('both', [SHORT, LONG], {
        contradictions: [
          [0, 1],
          [1, 0],
        ],
        aliases: [['log.retention', 'x']],
      }),
    ],
    [{ basis: 'derived', state: 'open' }],
  ],
  [
    'an exception or condition keeps two demands of one measure apart',
    [
      reading('gate', [
        OPEN,
        { ...SHUT, scope: { ...SHUT.scope, exception: claimOn(SEED, 'for staff').quote } },
      ]),
    ],
    [{ state: 'resolved', by: 'scope', why: 'polarity', rejected: null }],
  ],
  ['without one they contradict each other', [reading('gate', [OPEN, SHUT])], [{ state: 'open', by: null }]],
  [
    'two readings of the same words are a choice, not a contradiction',
    ['<=', '=', '>'].map((op, index) =>
      reading(`r${index}`, [{ ...SHORT, atom: amount('log.retention', op as '=', 30, 'd') }]),
    ),
    [],
  ],
])('%s', (_, readings, expected) => {
  const policy = policyWith({ proposers: ['a'], min_score: 0, contradiction_budget: 9 });
  const run = played(SEED, { a: readings }, policy);
  const open = expected.filter((one) => 'state' in one && one.state === 'open').length;
  expect(artifactOf(run, 'blueprint')?.['contradictions']).toMatchObject(expected);
  expect(run.step.run.graph.edges().filter(({ kind }) => kind === 'contradicts')).toHaveLength(open);
});

it('never settled by confidence: it weighs in a score and leaves the contradiction open', () => {
  const { weights } = defaultPolicy;
  const none = Object.fromEntries(Object.keys(weights).map((criterion) => [criterion, 0]));
  const run = played(
    SEED,
    { a: [reading('both', [SHORT, LONG])] },
    policyWith({
      proposers: ['a'],
      min_score: 0,
      contradiction_budget: 9,
      weights: { ...none, confidence: 1 },
    }),
  );
  expect(artifactOf(run, 'blueprint')?.['contradictions']).toMatchObject([{ state: 'open' }]);
});
