/**
 * Every forgery is caught by the check that claims it, at the record it names; its twin passes; and with the
 * named check or rule switched off it passes too. What no check of a file can show is asserted as a miss.
 */
import { describe, expect, test } from 'vitest';
import { forgeries, largeForgeries, twins } from '../scripts/forgeries/list.mjs';
import { laxIntegrity } from './lib/lax-integrity.ts';
const all = [...forgeries(), ...largeForgeries()];
describe('lax', () => {
  test.each(twins())('$name', ({ bytes }) => { expect(laxIntegrity(bytes, [])).toBeNull(); });
  test.each(all)('$name', ({ bytes, caught, off }) => {
    expect(laxIntegrity(bytes, [])).toEqual(caught.check === 'integrity' ? { code: caught.code, record: caught.record } : null);
    expect(laxIntegrity(bytes, off.rules ?? [])).toBeNull();
    for (const rule of off.rules ?? []) if (off.rules.length > 1) expect(laxIntegrity(bytes, off.rules.filter((r) => r !== rule)), rule).not.toBeNull();
  });
});
