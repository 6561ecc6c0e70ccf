/**
 * Benches: a target is compared with the exact figure; what is printed is rounded, and a target's figure
 * never for the better.
 */
import { describe, expect, it } from 'vitest';
import { atLeast, atMost, shown } from '../bench/lib/targets.mjs';

describe('a target', () => {
  it('is missed by what rounds to its bound, and says so in its figure', () => {
    expect([atMost('a', '', 50.0004, 50, 'ms'), atMost('a', '', 50, 50, 'ms')]).toMatchObject([
      { figure: 50.001, met: false },
      { figure: 50, met: true },
    ]);
    expect([
      atLeast('a', '', 44_999.9996, 45_000, '/s'),
      atLeast('a', '', 45_000, 45_000, '/s'),
    ]).toMatchObject([
      { figure: 44_999.999, met: false },
      { figure: 45_000, met: true },
    ]);
  });

  it('stays as it is where its report is rounded for print', () => {
    const targets = [atMost('a', '', 50.0004, 50, 'ms')];
    expect(shown({ ms: 50.0004, each: [{ us: 1.2345 }], name: 'x', none: null, targets })).toEqual({
      ms: 50,
      each: [{ us: 1.23 }],
      name: 'x',
      none: null,
      targets,
    });
    expect(shown({ ms: 50.6 }, 0)).toEqual({ ms: 51 });
  });
});
