import { describe, expect, it } from 'vitest';
import { holdsSecret, maskedSecrets } from '@assay/host';

describe('maskedSecrets', () => {
  const key = 'sk-canary-$1+(a)/7f3b';
  it.each([
    ['http://host/v1', 'http://host/v1'],
    [`http://host/${key}/v1/${key}`, 'http://host/***/v1/***'],
    [`http://host/${key.toUpperCase()}`, 'http://host/***'],
    [`http://host/${encodeURIComponent(key)}/v1`, 'http://host/***/v1'],
    [`http://host/${encodeURIComponent(key).toLowerCase()}/v1`, 'http://host/***/v1'],
    // A stretch of it, or another form, takes all of the text with it.
    [`http://host/${key.slice(0, 12)}`, '***'],
    [`http://host/${Buffer.from(key).toString('base64')}`, '***'],
    ['', ''],
  ])('%s is shown as %s', (text, shown) => {
    expect(maskedSecrets(text, [key])).toBe(shown);
  });

  it('leaves short secrets, which cannot be told from other text, and takes the longest of several first', () => {
    expect(maskedSecrets('http://host/short', ['short', ''])).toBe('http://host/short');
    expect(maskedSecrets('Bearer abcdefgh', ['abcdefgh', 'Bearer abcdefgh'])).toBe('***');
  });
});

describe('eight characters of a secret in base64', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  // Every byte before and behind it, so that no letter it shares with a neighbour can be relied on.
  const around = ['', 'x', 'xy', 'xyz', '\u007f', '~~'].flatMap((before) =>
    ['', 'a', 'bc', '\u0000', '~~~'].map((behind) => [before, behind] as const),
  );
  it.each(['Tr0ub4d0', 'zzzzzzzz', 'a/b+c==d'])(
    'a key of exactly eight, %s, is found at all three alignments',
    (key) => {
      for (const [before, behind] of around)
        expect([before, behind, holdsSecret(base64(`${before}${key}${behind}`), [key])]).toEqual([
          before,
          behind,
          true,
        ]);
      expect(holdsSecret(base64(`x${key}`).replaceAll('+', '-').replaceAll('/', '_'), [key])).toBe(true);
    },
  );

  it('any eight in a row of a longer key are found, and six are not', () => {
    const key = 'q8Zr-T5vXw2Lk9';
    for (let at = 0; at + 8 <= key.length; at += 1)
      for (const [before, behind] of around)
        expect(holdsSecret(base64(`${before}${key.slice(at, at + 8)}${behind}`), [key])).toBe(true);
    for (let at = 0; at + 6 <= key.length; at += 1)
      for (const [before, behind] of around)
        expect(holdsSecret(base64(`${before}${key.slice(at, at + 6)}${behind}`), [key])).toBe(false);
  });
});
