/**
 * What a reading has to hold of a sentence: all of it or a question, each scope, each half of a choice. Source:
 * language S1–S5.
 */
import { describe, expect, it } from 'vitest';
import { defaultPolicy, readFacts, type Claim, type Scope } from '@assay/kernel/intent';
import { amount, claimOn, eventsOf, flag, played, policyWith, quoteOf, reading } from './tools.js';

const loose = policyWith({ proposers: ['a'], min_score: 0, contradiction_budget: 9 });
type Part = { readonly criterion: string; readonly num: number; readonly den: number };

/** Coverage and grounding of one reading of a text, run alone, as `num/den`. */
function parts(text: string, ...commits: readonly Claim[]): readonly string[] {
  const [scored] = eventsOf(played(text, { a: [reading('r', commits)] }, loose), 'scored');
  const all = (scored?.['parts'] ?? []) as readonly Part[];
  return ['coverage', 'grounding'].map((name) => {
    const found = all.find(({ criterion }) => criterion === name);
    return `${found?.num}/${found?.den}`;
  });
}
const scoped = (text: string, claim: Claim, scope: { readonly [part in keyof Scope]?: string }): Claim => ({
  ...claim,
  scope: {
    actor: null,
    condition: scope.condition === undefined ? null : quoteOf(text, scope.condition),
    exception: scope.exception === undefined ? null : quoteOf(text, scope.exception),
  },
});

describe('words count by whole sentences', () => {
  const text = 'The door must close within 5 s and must not squeak. Paint it.';
  const close = claimOn(text, 'The door must close within 5 s', { atom: amount('door.close', '<=', 5, 's') });
  const squeak = claimOn(text, 'must not squeak', { modality: 'must_not', atom: flag('door.squeak') });
  const asked = claimOn(text, 'squeak', {
    kind: 'question',
    atom: { key: 'question', op: '=', value: 'unread', unit: null },
  });

  it('a sentence that is held in part counts by its numbers, and by its words where the reading asks about it', () => {
    expect(parts(text, close, squeak)).toEqual(['4/4', '2/2']);
    expect(parts(text, close)).toEqual(['1/4', '1/1']);
    expect(parts(text, close, asked)).toEqual(['2/4', '1/1']);
  });

  it('a claim without an atom accounts for nothing and is not borne out', () => {
    expect(parts(text, close, { ...squeak, atom: null })).toEqual(['1/4', '1/2']);
  });

  it('so few words open nothing', () => {
    const words = (seed: string): readonly string[] => readFacts(seed).open.markers.map(({ word }) => word);
    expect(words('Best, Marit')).toEqual([]);
    expect(words('Soon.\n\nMake it nice soon.\n\nBest, Marit')).toEqual(['nice', 'soon']);
  });

  it('of equal totals the reading with fewer demands is first, whatever its name', () => {
    const one = reading('z', [close]);
    const more = reading('a', [close, { ...close, atom: flag('door.close') }]);
    const policy = policyWith({
      proposers: ['a', 'b'],
      min_score: 0,
      weights: { ...defaultPolicy.weights, order: 0, agreement: 0, disclosure: 0 },
    });
    const run = played('The door must close within 5 s.', { a: [more], b: [one] }, policy);
    expect(eventsOf(run, 'chosen')).toMatchObject([{ name: 'z', tie_break: 'demands', margin: 0 }]);
  });

  it('a line above a list has no units of words', () => {
    expect(readFacts('The app must not:\n- track\n- crash within 5 s').scoring.total).toBe(1);
    expect(readFacts('The app must not crash:').scoring.total).toBe(2);
  });
});

describe('scopes', () => {
  it.each([
    ['Where a lift is installed, the W must stop.', 'Where a lift is installed'],
    ['Once the order is paid, the W must stop.', 'Once the order is paid'],
    ['Given a locked door, when the W opens, it must stop.', 'Given a locked door, when the W opens'],
    ['While it rains, if the W is open, it must stop.', 'While it rains, if the W is open'],
  ])('a lead is a condition, and several leads are one: %s', (text, condition) => {
    const claim = claimOn(text, 'must stop', { atom: flag('stop') });
    const [whole, none] = [parts(text, scoped(text, claim, { condition })), parts(text, claim)];
    expect(whole).toEqual([whole[0]?.replace(/^\d+/, whole[0].split('/')[1] ?? ''), '1/1']);
    expect(none[0]?.split('/')[0]).toBe('0');
  });

  it('what picks out before the modal verb is held by a condition on its words', () => {
    const text = 'Orders over 500 EUR must be approved. Trees taller than 10 m must be felled.';
    const approve = claimOn(text, 'Orders over 500 EUR must be approved', { atom: flag('order.approved') });
    const fell = claimOn(text, 'must be felled', { atom: flag('tree.felled') });
    expect(
      parts(
        text,
        scoped(text, approve, { condition: 'over 500 EUR' }),
        scoped(text, fell, { condition: 'taller than 10 m' }),
      ),
    ).toEqual(['4/4', '2/2']);
    expect(parts(text, approve, fell)).toEqual(['0/4', '2/2']);
  });

  it('a negator in an exception does not turn the word before it', () => {
    const text = 'Phones are allowed except in the ward.';
    const claim = claimOn(text, 'Phones are allowed', { modality: 'may', atom: flag('phone.allowed') });
    expect(parts(text, scoped(text, claim, { exception: 'except in the ward' }))).toEqual(['2/2', '1/1']);
  });
});

describe('a choice', () => {
  const joints = [', otherwise ', '; or else ', '. Otherwise, '];

  it.each(joints)('the half behind `%s` holds except where the condition does', (joint) => {
    const text = `If it rains, the roof must close${joint}it must open.`;
    const close = scoped(text, claimOn(text, 'the roof must close', { atom: flag('roof.close') }), {
      condition: 'If it rains',
    });
    const open = claimOn(text, 'it must open', { atom: flag('roof.open') });
    expect(parts(text, close, scoped(text, open, { exception: 'If it rains' }))).toEqual(['4/4', '2/2']);
    for (const wrong of [open, scoped(text, open, { condition: 'If it rains' })]) {
      const [coverage = '', grounding] = parts(text, close, wrong);
      expect(Number(coverage.split('/')[0])).toBeLessThan(4);
      expect(grounding).toBe(wrong === open ? '2/2' : '1/2');
    }
  });

  it('behind `in that case` an exception is the condition, and not the exception', () => {
    const text = 'Keep the copies unless the customer objects; in that case delete them.';
    const remove = claimOn(text, 'delete them', { atom: flag('copies.delete') });
    expect(parts(text, scoped(text, remove, { condition: 'the customer objects' }))[1]).toBe('1/1');
    expect(parts(text, scoped(text, remove, { exception: 'unless the customer objects' }))[1]).toBe('0/1');
  });

  it('`otherwise` in the middle of words makes no half', () => {
    expect(readFacts('Keep it shut unless otherwise agreed by someone else.').scoring.elses).toEqual([]);
  });
});

it('the units of one long sentence are found and held in linear time', () => {
  const seconds = (size: number): number => {
    const text = 'if 5 kg 6 kg 7 s 8 EUR must, otherwise '.repeat(size / 40);
    const claims = Array.from({ length: 400 }, (_, index) =>
      scoped(text, { ...claimOn(text, 'must', { atom: flag(`must.k${index}`) }) }, { condition: 'if 5 kg' }),
    );
    const start = process.cpuUsage().user;
    parts(text, ...claims);
    return (process.cpuUsage().user - start) / 1_000_000;
  };
  seconds(8_192);
  const [half, whole] = [seconds(32_768), seconds(65_536)];
  expect(whole).toBeLessThan(3 * half + 0.2);
});
