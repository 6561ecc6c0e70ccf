/** ecology/rolling-window (L4): the queue against a list that is scanned. Source: specs/ecology.md B4. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../kernel/tools/laws.js';
import { EMPTY_WINDOW, expire, recordUse } from '../src/mechanisms/index.js';
import { fitsAt } from '../src/mechanisms/window.js';

const WIDTH = 60;
const LIMIT = 20;
const steps = fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 12 })), { maxLength: 40 });

describe('ecology/rolling-window', () => {
  it('used is the sum over (now - width, now], never above the limit, and fits when it says', () => {
    fc.assert(
      fc.property(steps, (given) => {
        const list: [number, number][] = [];
        const usedAt = (now: number): number =>
          list.reduce((sum, [at, amount]) => (at > now - WIDTH && at <= now ? sum + amount : sum), 0);
        let window = EMPTY_WINDOW;
        let now = 0;
        for (const [wait, amount] of given) {
          now += wait;
          window = expire(window, now, WIDTH);
          expect(window.used).toBe(usedAt(now));
          const at = fitsAt(window, amount, { limit: LIMIT, now, width: WIDTH });
          let first = now;
          while (usedAt(first) + amount > LIMIT) first += 1;
          expect(at).toBe(first);
          if (at !== now) continue;
          window = recordUse(window, now, amount);
          list.push([now, amount]);
          expect(window.used).toBeLessThanOrEqual(LIMIT);
        }
      }),
      lawRuns('rolling window'),
    );
  });
  it('an entry exactly as old as the window has expired', () => {
    const window = recordUse(EMPTY_WINDOW, 5, 3);
    expect(expire(window, 64, WIDTH).used).toBe(3);
    expect(expire(window, 65, WIDTH).used).toBe(0);
  });
  it('never fits above the limit', () => {
    expect(fitsAt(EMPTY_WINDOW, LIMIT + 1, { limit: LIMIT, now: 0, width: WIDTH })).toBe(null);
  });
});
