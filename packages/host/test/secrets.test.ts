import { describe, expect, it } from 'vitest';
import { maskedSecrets } from '@assay/host';

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
