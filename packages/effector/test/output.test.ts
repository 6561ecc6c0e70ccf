import { describe, expect } from 'vitest';
import { fc, it as law } from '@fast-check/vitest';
import { headTail, OUTPUT_CHARACTERS } from '../src/tool-call.js';
import { draws } from '../../kernel/tools/laws.ts';

const SEED = { seed: 20_260_311, numRuns: draws(1_000) };
const text = fc.string({
  unit: fc.constantFrom('a', '\n', 'é', '😀', '\u{1F469}\u200D', '中'),
  minLength: 90,
  maxLength: 300,
  size: 'max',
});

describe('head and tail', () => {
  law.prop([text, fc.integer({ min: 100, max: 200 })], SEED)(
    'effector/head-and-tail: a text that fits is itself; another is its head, a count and ' +
      'its tail, within the bound and well formed',
    (whole, most) => {
      const shown = headTail(whole, most);
      if (whole.length <= most) {
        expect(shown).toBe(whole);
        return;
      }
      const [, head = '', count = '', tail = ''] =
        /^(.*)\n\[… (\d+) characters left out …\]\n(.*)$/s.exec(shown) ?? [];
      expect(shown.length).toBeLessThanOrEqual(most);
      expect(shown.isWellFormed()).toBe(true);
      expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
      expect(head.length + Number(count) + tail.length).toBe(whole.length);
      expect(Math.abs(head.length - tail.length)).toBeLessThanOrEqual(2);
      // A pair at each cut and a mark that got shorter: nothing else is given away.
      expect(shown.length).toBeGreaterThanOrEqual(most - 4);
    },
  );

  law('by default 4,000 characters are shown, as 003 §R3 has it', () => {
    expect(OUTPUT_CHARACTERS).toBe(4_000);
    expect(headTail('x'.repeat(4_000))).toBe('x'.repeat(4_000));
    expect(headTail('x'.repeat(4_001)).length).toBeLessThanOrEqual(4_000);
  });
});
