import { describe, expect, it } from 'vitest';
import { outcomeOf, sentencesIn, type Outcome } from './sentences.ts';

/** The sentences of a folder that come to something, as `file: text`. */
function comingTo(folder: string, ...outcomes: readonly Outcome[]): readonly string[] {
  return [...sentencesIn(folder)].flatMap(([name, sentences]) =>
    sentences.filter((one) => outcomes.includes(outcomeOf(one))).map(({ text }) => `${name}: ${text}`),
  );
}

describe('sentences that set out to mislead', () => {
  it('last: no check asks for the opposite', () => {
    expect(comingTo('last', 'opposite')).toEqual([]);
  });

  it.each([
    ['first', 200],
    ['blind', 80],
    ['last', 50],
    ['second', 200],
  ] as const)('%s: every one of them is annotated, and there are %i or more', (folder, least) => {
    expect([...sentencesIn(folder).values()].flat().length).toBeGreaterThanOrEqual(least);
  });

  it.each(['first', 'blind', 'found', 'second'])(
    '%s: no check asks for the opposite, or for what its sentence does not ask',
    (folder) => {
      expect(comingTo(folder, 'opposite', 'wrong')).toEqual([]);
    },
  );

  it.each(['first', 'blind', 'found'])('%s: what is not found is asked about', (folder) => {
    expect(comingTo(folder, 'lost')).toEqual([]);
  });
});
