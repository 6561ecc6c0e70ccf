/** Laws of flips, intent I12: what is reported changes the winner, and nothing smaller in its family does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashCanonical, orThrow, type Digest, type Json } from '@assay/kernel';
import {
  CRITERIA,
  defaultPolicy,
  parsePin,
  rankAnswers,
  renderAtom,
  type Grounds,
  type Interpretation,
  type SlotAnswer,
} from '@assay/kernel/intent';
import { applyChange, type Change } from '../../src/intent/flip.js';
import { explainAnswers } from '../../src/intent/explain.js';
import { WEIGHT_MAX, type Criterion } from '../../src/intent/policy.js';
import { lawRuns } from '../../tools/laws.js';
import { readings } from './arbitraries.js';
import { amount, claimOn, flag, native, reading } from './tools.js';
import { findFlips } from '../../src/intent/flip.js';

/** Of each draw every smaller change is tried. */
const runs = lawRuns('intent-flips', 0.4);
const SEED =
  'Uploads must finish within 2 s. The app must not store card data. Logs should be kept ' +
  'for 30 days, at most 5 MB each.';
const hash = (value: Json): Digest => orThrow(hashCanonical(value, native));
const CONTEXT = { run_id: 'r', hash };
const PINS: readonly Json[] = [null, { no_card: true }, { 'log.retention': '>= 6 months', card: false }];

const answer = (slot: string, given: readonly Interpretation[]): SlotAnswer => ({
  t: 'answered',
  slot,
  source: 'synthetic',
  proposer: `fixture:${slot}`,
  proposal_hash: 'x',
  confidence_ppm: null,
  readings: given,
});
const pinned = (pin: Json): Grounds['pin'] => {
  const parsed = parsePin(pin);
  if (parsed._tag === 'Left') throw new Error(parsed.left.code);
  return parsed.right;
};

/** Small weights, so that every smaller change can be tried. */
const weights = fc
  .tuple(...CRITERIA.map(() => fc.nat(12)))
  .map(
    (list) =>
      Object.fromEntries(CRITERIA.map((criterion, index) => [criterion, list[index] ?? 0])) as Record<
        Criterion,
        number
      >,
  )
  .filter((all) => Object.values(all).some((weight) => weight > 0));
const grounds: fc.Arbitrary<Grounds> = fc
  .tuple(readings(SEED), readings(SEED), weights, fc.constantFrom(...PINS))
  .map(([a, b, given, pin]) => ({
    seedText: SEED,
    policy: { ...defaultPolicy, proposers: ['a', 'b'], weights: given },
    pin: pinned(pin),
    answers: [answer('a', a), answer('b', b)],
  }));

const TWO_SIDED =
  'Keep invoices for 10 years. Delete invoices after 7 years. Uploads must finish within 2 s.';
const KEEP = claimOn(TWO_SIDED, 'Keep invoices for 10 years', {
  atom: amount('invoice.retention', '=', 10, 'year'),
});
const DELETE = claimOn(TWO_SIDED, 'Delete invoices after 7 years', {
  atom: amount('invoice.retention', '=', 7, 'year'),
});
const SIDES = [
  KEEP,
  DELETE,
  { ...KEEP, modality: 'must_not' as const },
  claimOn(TWO_SIDED, 'Uploads must finish within 2 s', { atom: amount('upload.time', '<=', 2, 's') }),
];

/** Readings of a request that contradicts itself: many hold both sides, each on words of its own. */
const sided = fc
  .array(fc.subarray(SIDES, { minLength: 1 }), { minLength: 2, maxLength: 4 })
  .map((all) => all.map((claims, index) => reading(`r${index}`, claims)));
const twoSided: fc.Arbitrary<Grounds> = fc
  .tuple(sided, sided, weights, fc.constantFrom<Json>(null, { 'upload.time': '<= 2 s' }))
  .map(([a, b, given, pin]) => ({
    seedText: TWO_SIDED,
    policy: { ...defaultPolicy, proposers: ['a', 'b'], weights: given },
    pin: pinned(pin),
    answers: [answer('a', a), answer('b', b)],
  }));
/**
 * Pins by hand: for what the readings of both arbitraries say, that and its opposite, if there is one (a year
 * has no exact one).
 */
const TRIED: readonly (readonly [said: string, pins: readonly { readonly [key: string]: Json }[]])[] = [
  ['invoice.retention = 10 year', [{ 'invoice.retention': '10 year' }]],
  ['invoice.retention = 7 year', [{ 'invoice.retention': '7 year' }]],
  ['upload.time <= 2 s', [{ 'upload.time': '<= 2 s' }, { 'upload.time': '> 2 s' }]],
  ['log.retention = 30 d', [{ 'log.retention': '30 d' }]],
  ['log.retention >= 1 year', [{ 'log.retention': '>= 1 year' }, { 'log.retention': '< 1 year' }]],
  ['card = true', [{ card: true }, { card: false }, { no_card: true }]],
  ['card = false', [{ card: true }, { card: false }, { no_card: true }]],
  [
    'x in EU',
    [{ x: { op: 'in', value: 'EU', unit: null } }, { x: { op: 'not_in', value: 'EU', unit: null } }],
  ],
];

/** What a run's readings say, questions left out. */
const said = ({ answers }: Grounds): ReadonlySet<string> =>
  new Set(
    answers
      .flatMap((one) => (one.t === 'answered' ? one.readings : []))
      .flatMap(({ commits }) =>
        commits.flatMap(({ kind, atom }) => (atom === null || kind === 'question' ? [] : [renderAtom(atom)])),
      ),
  );

/** Whether a person could write that pin beside those of the run. */
function isWritable(given: Grounds, change: Change): boolean {
  const added = change.t === 'pin_added' ? pinned(change.pin) : [];
  return (
    added.length > 0 && added.every((one) => given.pin.every((other) => other.atom.key !== one.atom.key))
  );
}

/**
 * Whether the reading that won before still does: as slot and place, since a removed commit changes what it
 * says.
 */
function isChanged(given: Grounds, change: Change): boolean {
  const [before] = rankAnswers(given, CONTEXT).kept;
  const [after] = rankAnswers(applyChange(given, change), CONTEXT).kept;
  if (before === undefined || after === undefined) return false;
  const { from, index, key } = before.candidate;
  // The same commitments, from whichever slot, are the same winner.
  return (
    after.candidate.key !== key &&
    !after.supporters.some((one) => one.from.slot === from.slot && one.index === index)
  );
}

const weightTo = (given: Grounds, criterion: Criterion, to: number): Change => ({
  t: 'weight',
  criterion,
  from: given.policy.weights[criterion],
  to,
});

describe('laws of flips', () => {
  it('flips/change-the-winner: applying any reported flip makes the named reading win', () => {
    fc.assert(
      fc.property(fc.oneof(grounds, twoSided), (given) => {
        const flips = findFlips(given, CONTEXT);
        return Object.values(flips ?? {}).every(({ flip }) => {
          if (flip === null) return true;
          const [after] = rankAnswers(applyChange(given, flip.change), CONTEXT).kept;
          return (
            isChanged(given, flip.change) &&
            after?.candidate.reading.name === flip.winner.name &&
            after.candidate.from.slot === flip.winner.slot &&
            after.candidate.index === flip.winner.index
          );
        });
      }),
      runs,
    );
  });

  it(
    'flips/weight-smallest: no weight changed by less changes the winner, and where none is ' +
      'reported none within 40 does',
    () => {
      fc.assert(
        fc.property(grounds, (given) => {
          const flip = findFlips(given, CONTEXT)?.weight.flip ?? null;
          if (rankAnswers(given, CONTEXT).kept.length === 0) return flip === null;
          const size =
            flip === null ? 40 : flip.change.t === 'weight' ? Math.abs(flip.change.to - flip.change.from) : 0;
          for (const criterion of CRITERIA) {
            const from = given.policy.weights[criterion];
            for (let step = 1; step < size; step += 1) {
              for (const to of [from - step, from + step]) {
                const isValid =
                  to >= 0 &&
                  to <= WEIGHT_MAX &&
                  CRITERIA.some((other) => (other === criterion ? to : given.policy.weights[other]) > 0);
                if (isValid && isChanged(given, weightTo(given, criterion, to))) return false;
              }
            }
          }
          return true;
        }),
        { ...runs, numRuns: Math.ceil(runs.numRuns / 10) },
      );
    },
  );

  it(
    'flips/none-means-none: without a proposal flip no slot, without a commit flip no commit ' +
      'changes the winner',
    () => {
      fc.assert(
        fc.property(grounds, (given) => {
          const flips = findFlips(given, CONTEXT);
          if (flips === null) return true;
          const slots =
            given.answers.filter((one) => one.t === 'answered' && one.readings.length > 0).length > 1
              ? ['a', 'b']
              : [];
          const proposals = slots.map((slot): Change => ({ t: 'proposal_removed', slot }));
          const commits = given.answers.flatMap((one) =>
            one.t === 'answered'
              ? one.readings.flatMap(({ commits: all }, index) =>
                  all.map((_, commit): Change => ({ t: 'commit_removed', slot: one.slot, index, commit })),
                )
              : [],
          );
          const none = (changes: readonly Change[]): boolean =>
            changes.every((change) => !isChanged(given, change));
          return (
            (flips.proposal.flip !== null || none(proposals)) && (flips.commit.flip !== null || none(commits))
          );
        }),
        runs,
      );
    },
  );

  it(
    'flips/pin-none-means-none: without a pin flip no pin that a reading says, and no ' +
      'opposite of one, changes the winner',
    () => {
      let both = 0;
      fc.assert(
        fc.property(fc.oneof(grounds, twoSided), (given) => {
          const flips = findFlips(given, CONTEXT);
          if (flips === null) return true;
          const own = rankAnswers(given, CONTEXT).kept[0]?.candidate.reading.commits ?? [];
          if (own.includes(KEEP) && own.includes(DELETE)) both += 1;
          const texts = said(given);
          const changes = TRIED.filter(([text]) => texts.has(text)).flatMap(([, pins]) =>
            pins.map((pin): Change => ({ t: 'pin_added', pin })),
          );
          return (
            flips.pin.flip !== null ||
            !flips.pin.searched_all ||
            changes.every((change) => !isWritable(given, change) || !isChanged(given, change))
          );
        }),
        runs,
      );
      // A law about winners that hold both sides says nothing where none does.
      expect(both).toBeGreaterThan(0);
    },
  );

  it('flips/pin-two-sided: a winner that holds both sides of a contradiction falls over a pin on either', () => {
    const both = [KEEP, DELETE];
    const given: Grounds = {
      seedText: TWO_SIDED,
      policy: { ...defaultPolicy, proposers: ['a'] },
      pin: [],
      answers: [answer('a', [reading('both', both), reading('seven', [DELETE])])],
    };
    expect(rankAnswers(given, CONTEXT).kept[0]?.candidate.reading.name).toBe('both');
    const found = findFlips(given, CONTEXT)?.pin;
    expect(found).toMatchObject({
      flip: { change: { t: 'pin_added' }, winner: { name: 'seven' } },
      searched_all: true,
    });
    expect(pinned(found?.flip?.change.t === 'pin_added' ? found.flip.change.pin : null)).toEqual([
      { modality: 'must', atom: DELETE.atom },
    ]);
  });

  it('flips/weight-at-full-size: with the default weights the last step decides, the one before does not', () => {
    const upload = claimOn(SEED, 'Uploads must finish within 2 s', {
      atom: amount('upload.time', '<=', 2, 's'),
    });
    const logs = claimOn(SEED, 'Logs should be kept for 30 days', {
      modality: 'should',
      atom: amount('log.retention', '=', 30, 'd'),
    });
    const given: Grounds = {
      seedText: SEED,
      policy: { ...defaultPolicy, proposers: ['a'] },
      pin: [],
      answers: [answer('a', [reading('upload', [upload]), reading('both', [upload, logs])])],
    };
    const flip = findFlips(given, CONTEXT)?.weight.flip;
    if (flip?.change.t !== 'weight') throw new Error('no flip');
    const { criterion, from, to } = flip.change;
    const direction = Math.sign(to - from);
    expect(Math.abs(to - from)).toBeGreaterThan(10);
    expect(isChanged(given, flip.change)).toBe(true);
    expect(isChanged(given, weightTo(given, criterion, to - direction))).toBe(false);
  });

  it('flips/pin: what another reading holds against the winner is a pin that flips it', () => {
    const short = claimOn(SEED, 'Logs should be kept for 30 days', {
      atom: amount('log.retention', '=', 30, 'd'),
    });
    const other = { ...short, atom: flag('log.kept') };
    const given: Grounds = {
      seedText: SEED,
      policy: { ...defaultPolicy, proposers: ['a'] },
      pin: [],
      answers: [answer('a', [reading('thirty', [short]), reading('kept', [other])])],
    };
    expect(findFlips(given, CONTEXT)?.pin.flip).toMatchObject({
      change: { t: 'pin_added', pin: { 'log.kept': true } },
      winner: { name: 'kept' },
    });
    const held: Grounds = {
      ...given,
      answers: [answer('a', [reading('kept', [other]), reading('thirty', [short])])],
      policy: { ...given.policy, weights: { ...defaultPolicy.weights, coverage: 0, specificity: 0 } },
    };
    expect(findFlips(held, CONTEXT)?.pin.flip).toMatchObject({
      change: { t: 'pin_added' },
      winner: { name: 'thirty' },
    });
  });

  it(
    'explanations/add-up: contributions come to the total but for what rounding down takes, ' +
      'and repeat exactly',
    () => {
      fc.assert(
        fc.property(grounds, (given) => {
          const explained = explainAnswers(given, CONTEXT);
          const isWhole = explained.readings.every(({ total, parts }) => {
            if (total === null) return parts.length === 0;
            const sum = parts.reduce((all, { contribution }) => all + contribution, 0);
            return sum <= total && total - sum < CRITERIA.length;
          });
          return isWhole && JSON.stringify(explained) === JSON.stringify(explainAnswers(given, CONTEXT));
        }),
        runs,
      );
    },
  );
});
