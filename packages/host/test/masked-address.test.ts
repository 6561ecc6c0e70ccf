import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskedAddress } from '@assay/host';
import { draws } from '../../kernel/tools/laws.ts';

describe('maskedAddress', () => {
  it.each([
    ['postgres://app:secret@db/runs', 'postgres://app:***@db/runs'],
    ['postgres://app@db/runs?schema=a&sslmode=require', 'postgres://app@db/runs?schema=a&sslmode=require'],
    ['postgres://app:a@b:c@db/runs', 'postgres://app:***@db/runs'],
    ['postgres://app:a/b?c@db/runs', 'postgres://app:***@db/runs'],
    [
      'postgres://db/runs?password=x&schema=a&token=y#z=1',
      'postgres://db/runs?password=***&schema=a&token=***#z=***',
    ],
    ['redis://:secret@host', 'redis://:***@host'],
    ['app:secret@host', 'app:***@host'],
    ['postgres:app:secret@host/runs', 'postgres:***@host/runs'],
    ['postgres://app:secret/runs', 'postgres://app:***'],
    ['postgres://db:5432/runs', 'postgres://db:5432/runs'],
    ['postgres://[::1]:5432/runs', 'postgres://[::1]:5432/runs'],
    ['file:./a@b:c?d=e', 'file:./a@b:c?d=e'],
    ['./runs', './runs'],
    ['', ''],
  ])('%s', (url, shown) => {
    expect(maskedAddress(url)).toBe(shown);
  });

  it('shows no password, whatever stands around it', () => {
    const part = fc.string({ maxLength: 8 });
    fc.assert(
      fc.property(
        fc.constantFrom('postgres', 'postgresql', 'redis', 'https'),
        fc.stringMatching(/^[a-z]{0,5}$/),
        part,
        part,
        part,
        (scheme, user, before, after, rest) => {
          expect(maskedAddress(`${scheme}://${user}:${before}C4N4RY${after}@${rest}`)).not.toContain(
            'C4N4RY',
          );
        },
      ),
      { seed: 20261122, numRuns: draws(2_000) },
    );
  });
});
