/** A pin on a word of a sentence, and what the sentence says of it. */
import { orThrow } from '@assay/kernel';
import { parsePin, type Claim } from '@assay/kernel/intent';
import { proposeByRules } from '@assay/rules';
import { describe, expect, it } from 'vitest';
import { bodyOf } from './tools.ts';

const flagsIn = (text: string, key: string): readonly (string | undefined)[] => {
  const readings = proposeByRules(bodyOf(text, orThrow(parsePin({ [key]: true }))))
    .value as unknown as readonly { readonly commits: readonly Claim[] }[];
  return (readings[0]?.commits ?? []).map(({ atom }) => atom?.key);
};

describe('a pinned flag', () => {
  it.each([
    ['The page must not track visitors.', 'page'],
    ['The server must store no passwords.', 'server'],
  ])('is not set where it only names what acts: %s', (text, key) => {
    expect(flagsIn(text, key)).toEqual([undefined]);
  });

  it.each([
    ['The app must work offline.', 'offline'],
    ['Dark mode must be supported.', 'dark_mode'],
    ['The page must not track visitors.', 'track'],
  ])('is set where the sentence says it: %s', (text, key) => {
    expect(flagsIn(text, key)).toEqual([key]);
  });
});
