/** Contradictions: derived, claimed, and what settles them. Source: intent I9. */
import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import type { Claim, Interpretation } from '@assay/kernel/intent';
import {
  amount,
  artifactOf,
  claimOn,
  flag,
  played,
  policyWith,
  reading,
  reasonsOf,
  type Played,
} from './tools.js';

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

const run = (readings: readonly Interpretation[], pin: Json = null, budget = 9): Played =>
  played(
    SEED,
    { a: readings },
    policyWith({ proposers: ['a'], min_score: 0, contradiction_budget: budget }),
    pin,
  );
const listed = (given: Played): unknown => artifactOf(given, 'blueprint')?.['contradictions'];
const edges = (given: Played): number =>
  given.step.run.graph.edges().filter(({ kind }) => kind === 'contradicts').length;

describe('contradictions', () => {
  it('derived: both sides committed and open; only these count against the budget', () => {
    const both = [reading('both', [SHORT, LONG])];
    expect(listed(run(both))).toMatchObject([
      { basis: 'derived', why: 'interval', state: 'open', by: null, rejected: null },
    ]);
    expect(edges(run(both))).toBe(1);
    expect(reasonsOf(run(both, null, 0))).toEqual(['contradiction_budget']);
  });

  it('claimed: a proposer points at two claims; an edge and a question, and no count against the budget', () => {
    const pointed = run([reading('pointed', [SHORT, OPEN], { contradictions: [[1, 0]] })], null, 0);
    expect(listed(pointed)).toMatchObject([{ basis: 'claimed', why: 'proposed', state: 'open' }]);
    expect(edges(pointed)).toBe(1);
    expect(artifactOf(pointed, 'blueprint')?.['questions']).toMatchObject([
      { class: 'conflict', raised_by: { text: 'The gate opens at dawn' }, settled_by: 'which_side' },
    ]);
  });

  it('claimed: what contradicts only under an alias is claimed, never derived', () => {
    const renamed: Claim = { ...LONG, atom: amount('records.kept', '>=', 1, 'year') };
    expect(listed(run([reading('apart', [SHORT, renamed])], null, 0))).toEqual([]);
    const aliased = run(
      [
        reading('aliased', [SHORT, renamed], {
          aliases: [
            ['records.kept', 'x'],
            ['x', 'log.retention'],
          ],
        }),
      ],
      null,
      0,
    );
    expect(listed(aliased)).toMatchObject([{ basis: 'claimed', why: 'alias', state: 'open' }]);
  });

  it('claimed and derived: a pair that is derived anyway is listed once', () => {
    expect(
      listed(
        run([
          reading('both', [SHORT, LONG], {
            contradictions: [
              [0, 1],
              [1, 0],
            ],
            aliases: [['log.retention', 'x']],
          }),
        ]),
      ),
    ).toMatchObject([{ basis: 'derived' }]);
  });

  it('settled by the commit: the reading that drops one side names what it rejects', () => {
    const chosen = run([reading('keep-first', [SHORT]), reading('keep-second', [LONG])], null, 0);
    expect(listed(chosen)).toMatchObject([
      {
        state: 'resolved',
        by: 'commit',
        basis: 'derived',
        rejected: { reading: 'keep-second', text: 'logs are kept at least one year', atom: LONG.atom },
      },
    ]);
    expect(edges(chosen)).toBe(0);
  });

  it('settled by the pin: the side that the pin excludes is the rejected one', () => {
    const pinned = run(
      [reading('keep-second', [LONG]), reading('keep-first', [SHORT])],
      { 'log.retention': '<= 30 days' },
      0,
    );
    expect(listed(pinned)).toMatchObject([
      { state: 'resolved', by: 'pin', rejected: { reading: 'keep-second' } },
    ]);
  });

  it('settled by scopes: an exception or condition keeps two demands of one measure apart', () => {
    const apart = { ...SHUT, scope: { ...SHUT.scope, exception: claimOn(SEED, 'for staff').quote } };
    expect(listed(run([reading('gate', [OPEN, apart])], null, 0))).toMatchObject([
      { state: 'resolved', by: 'scope', why: 'polarity', rejected: null },
    ]);
    expect(reasonsOf(run([reading('gate', [OPEN, SHUT])], null, 0))).toEqual(['contradiction_budget']);
  });

  it('never settled by confidence: it weighs in a score and leaves the contradiction open', () => {
    const policy = policyWith({
      proposers: ['a'],
      min_score: 0,
      contradiction_budget: 9,
      weights: {
        coverage: 0,
        grounding: 0,
        disclosure: 0,
        pin: 0,
        agreement: 0,
        specificity: 0,
        order: 0,
        confidence: 1,
      },
    });
    expect(listed(played(SEED, { a: [reading('both', [SHORT, LONG])] }, policy))).toMatchObject([
      { state: 'open' },
    ]);
  });

  it('two readings of the same words are a choice, not a contradiction', () => {
    const other = { ...SHORT, atom: amount('log.retention', '=', 30, 'd') };
    const longer = { ...SHORT, atom: amount('log.retention', '>', 30, 'd') };
    expect(
      listed(
        run([reading('at-most', [SHORT]), reading('exactly', [other]), reading('more', [longer])], null, 0),
      ),
    ).toEqual([]);
  });
});
