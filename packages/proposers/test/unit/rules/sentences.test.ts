import { describe, expect, it } from 'vitest';
import { outcomeOf, sentencesIn, type Outcome } from './sentences.ts';

/** The sentences of a folder that come to something, as `file: text`. */
function comingTo(folder: string, ...outcomes: readonly Outcome[]): readonly string[] {
  return [...sentencesIn(folder)].flatMap(([name, sentences]) => sentences.filter((one) => outcomes.includes(outcomeOf(one))).map(({ text }) => `${name}: ${text}`));
}

describe('sentences that set out to mislead', () => {
  it('every one of them is annotated', () => {
    expect([...sentencesIn('first').values()].flat().length).toBeGreaterThanOrEqual(200);
  });

  it('no check asks for the opposite, or for what no sentence asks', () => {
    expect(comingTo('first', 'opposite', 'wrong')).toEqual([]);
  });

  it('what is not found is asked about', () => {
    expect(comingTo('first', 'lost')).toEqual([]);
  });
});
