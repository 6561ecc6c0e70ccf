import { describe, expect, it } from 'vitest';
import { isRouted, PARTIES, ROLES, ROUTES } from '../src/index.js';

describe('the routing table', () => {
  it('lists eight actors (dec-B5)', () => {
    expect(ROLES).toHaveLength(8);
  });

  it('names each route once, between known parties', () => {
    const seen = new Set(ROUTES.map(({ from, to, kind }) => `${from} ${to} ${kind}`));
    expect(seen.size).toBe(ROUTES.length);
    for (const { from, to } of ROUTES) expect([PARTIES.includes(from), PARTIES.includes(to)]).toEqual([true, true]);
  });

  it('gives the auditor no way to a role, and no role a way to the auditor (law-U2, dec-B6)', () => {
    for (const role of ROLES) {
      for (const { kind } of ROUTES) {
        expect(isRouted('R6', role, kind)).toBe(false);
        expect(isRouted(role, 'R6', kind)).toBe(false);
      }
    }
  });

  it('lets R7 alone write to memory and alone end a task (law-M6, law-G12)', () => {
    expect(ROUTES.filter(({ to, kind }) => to === 'R5' && kind === 'Megram').map(({ from }) => from)).toEqual(['R7']);
    expect(ROUTES.filter(({ kind }) => kind === 'FinalResult').map(({ from }) => from)).toEqual(['R7']);
  });
});
