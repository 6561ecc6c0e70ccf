/** Negations that forbid nothing, conditions left out and claims called assumptions: none of these wins. */
import { describe, expect, it } from 'vitest';
import {
  evaluatePack,
  readFacts,
  parseEvidence,
  PACK_FORMAT,
  salientUnits,
  scanText,
  SeedText,
  type Atom,
  type Check,
  type Claim,
} from '@assay/kernel/intent';
import { amount, claimOn, eventsOf, flag, played, policyWith, quoteOf, reading } from './tools.js';

const loose = policyWith({ proposers: ['a'], min_score: 0, contradiction_budget: 9 });
/** Total of one reading of a text, run alone. */
const total = (text: string, ...commits: readonly Claim[]): number =>
  Number(eventsOf(played(text, { a: [reading('r', commits)] }, loose), 'scored')[0]?.['total'] ?? -1);
const idleIn = (text: string): readonly string[] => {
  const { seed, scoring } = readFacts(text);
  return scoring.idle.map((quote) => seed.slice(quote).replace(/\.$/, ''));
};

describe('a negation that forbids nothing', () => {
  it.each([
    ['Upload at most 20 files so the disk does not fill up.', ['so the disk does not fill up']],
    ['Keep it shut because it does not lock, and do not lean on it.', ['because it does not lock']],
    ['Use 2 cores in order not to block others.', ['in order not to block others']],
    ['The lift must not fail to stop.', ['not fail']],
    ['Smoking is no longer forbidden.', ['no longer forbidden']],
    [
      'Badges are not required. You need not knock. No one has to stay.',
      ['not required', 'need not', 'No one has to'],
    ],
  ])('%s', (text, expected) => {
    expect(idleIn(text)).toEqual(expected);
  });

  it.each([
    'The door sticks, so do not open it.',
    'It is hot so nobody must touch it.',
    'The tank leaks, so it does not go out.',
    'Guests must not be required to pay.',
    'Do not store more than 5 files.',
  ])('forbids: %s', (text) => {
    expect(idleIn(text)).toEqual([]);
  });

  it.each([
    [
      'Upload at most 20 files so the disk does not fill up.',
      'Upload at most 20 files',
      amount('files.count', '<=', 20, 'file'),
    ],
    [
      'The parcel must not fail to arrive within 2 days.',
      'must not fail to arrive within 2 days',
      amount('parcel.arrive', '<=', 2, 'd'),
    ],
    [
      'A maximum of 500 EUR must not be exceeded.',
      'A maximum of 500 EUR must not be exceeded',
      amount('maximum.cost', '<=', 500, 'EUR'),
    ],
    [
      'The level must not fall below a minimum of 2 m.',
      'The level must not fall below a minimum of 2 m',
      amount('level.length', '>=', 2, 'm'),
    ],
    [
      'A speed of 30 km/h must never be exceeded.',
      'A speed of 30 km/h must never be exceeded',
      amount('speed.rate', '<=', 30, 'km/h'),
    ],
    [
      'Write at most 10 lines because long mails are not read.',
      'Write at most 10 lines',
      amount('lines.count', '<=', 10, 'line'),
    ],
  ])('the opposite of what is asked does not win: %s', (text, words, atom) => {
    expect(total(text, claimOn(text, words, { atom, modality: 'must_not' }))).toBeLessThan(
      total(text, claimOn(text, words, { atom })),
    );
  });

  it.each([
    [
      'No one has to order more than 3 items.',
      'No one has to order more than 3 items',
      amount('items.count', '>', 3, 'item'),
    ],
    [
      'You need not pay more than 5 EUR.',
      'You need not pay more than 5 EUR',
      amount('pay.cost', '>', 5, 'EUR'),
    ],
    ['Smoking is no longer forbidden.', 'Smoking is no longer forbidden', flag('smoking')],
  ])('what is left to do is no demand and no prohibition: %s', (text, words, atom) => {
    const left = total(text, claimOn(text, words, { atom, modality: 'may' }));
    expect(total(text, claimOn(text, words, { atom, modality: 'must_not' }))).toBeLessThan(left);
    if (atom.value !== true) expect(total(text, claimOn(text, words, { atom }))).toBeLessThan(left);
  });
});

describe('what a reading leaves out', () => {
  const text = 'If the battery is low, the app must beep within 5 s.';
  const claim = claimOn(text, 'the app must beep within 5 s', { atom: amount('app.beep', '<=', 5, 's') });
  const kept: Claim = {
    ...claim,
    scope: { ...claim.scope, condition: quoteOf(text, 'If the battery is low') },
  };

  it('a condition left out is a unit less', () => {
    expect(total(text, claim)).toBeLessThan(total(text, kept));
  });

  it('claims called assumptions account for nothing', () => {
    expect(total(text, { ...kept, kind: 'assumption' })).toBeLessThan(total(text, kept));
  });
});

describe('a bare number behind a word', () => {
  const unitsOf = (seed: string): readonly string[] =>
    salientUnits(new SeedText(seed), scanText(seed))
      .filter(({ kind, holds }) => kind === 'quantity' && holds === null)
      .map(({ quote }) => new SeedText(seed).slice(quote));

  it.each([
    ['learning rate 0.001', ['0.001']],
    ['Train with batch size 64 and dropout 0.2.', ['64', '0.2']],
    ['In room 12, on page 3 of 2026, Firefox 120, the 14th, version 1.2.3.', []],
    ['1. Open the lid. 2 h later close it.', []],
  ])('is listed where nobody claims it, and scores nothing: %s', (seed, expected) => {
    expect(unitsOf(seed)).toEqual(expected);
    expect(readFacts(seed).scoring.total).toBe(readFacts(seed.replaceAll(/ (64|0\.\d+)/g, '')).scoring.total);
  });
});

describe('evidence in other words', () => {
  const judge = (threshold: Atom, observed: number, unit: string): readonly unknown[] => {
    const check: Check = {
      id: 'c',
      claim: 'c',
      modality: 'must',
      method: 'test',
      text: '',
      threshold,
      waits_for: [],
    };
    const evidence = parseEvidence([{ check_id: 'c', observed, unit, source: '' }]);
    if (evidence._tag === 'Left') throw new Error(evidence.left.code);
    return evaluatePack(
      { format: PACK_FORMAT, seed_hash: 'a'.repeat(64), blueprint_hash: 'a'.repeat(64), checks: [check] },
      evidence.right,
    ).checks.map(({ status }) => status);
  };

  it('months, quarters and years are exact among themselves', () => {
    expect(judge(amount('lease.time', '=', 10, 'year'), 120, 'month')).toEqual(['pass']);
    expect(judge(amount('lease.time', '=', 10, 'year'), 119, 'month')).toEqual(['fail']);
    expect(judge(amount('lease.time', '<=', 18, 'month'), 6, 'quarter')).toEqual(['pass']);
    expect(judge(amount('lease.time', '>', 1, 'year'), 4, 'quarter')).toEqual(['fail']);
  });

  it('a unit may be written as in a sentence', () => {
    expect(judge(amount('lease.time', '>=', 2, 'year'), 3, 'years')).toEqual(['pass']);
    expect(judge(amount('hall.seat', '>=', 40, 'seat'), 41, 'seats')).toEqual(['pass']);
    expect(judge(amount('load.time', '<=', 2, 's'), 3, 'seconds')).toEqual(['fail']);
    expect(judge(amount('load.time', '<=', 2, 's'), 3, 'kg')).toEqual(['missing']);
  });
});
