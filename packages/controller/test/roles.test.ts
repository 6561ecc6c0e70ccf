import { describe, expect, it } from 'vitest';
import { isRouted, MESSAGE_KINDS, PARTIES, ROLES, ROUTES } from '../src/protocol/roles.js';
import { message } from '../src/loop/asking.js';

describe('the routing table', () => {
  it('lists eight actors (dec-B5)', () => {
    expect(ROLES).toHaveLength(8);
  });

  it('names each route once, between known parties', () => {
    const seen = new Set(ROUTES.map(({ from, to, kind }) => `${from} ${to} ${kind}`));
    expect(seen.size).toBe(ROUTES.length);
    for (const { from, to } of ROUTES)
      expect([PARTIES.includes(from), PARTIES.includes(to)]).toEqual([true, true]);
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
    expect(ROUTES.filter(({ to, kind }) => to === 'R5' && kind === 'Megram').map(({ from }) => from)).toEqual(
      ['R7'],
    );
    expect(ROUTES.filter(({ kind }) => kind === 'FinalResult').map(({ from }) => from)).toEqual(['R7']);
  });

  it('lets R4b tell R7 alone: what is to be done about a rejection is not its to say (002 "Key Invariants")', () => {
    expect([...new Set(ROUTES.filter(({ from }) => from === 'R4b').map(({ to }) => to))]).toEqual(['R7']);
    expect(ROUTES.filter(({ to }) => to === 'R2').map(({ from, kind }) => `${from} ${kind}`)).toEqual([
      'R1 TaskSpec',
      'R5 MemoryRecall',
      'R7 PlanDirective',
    ]);
  });

  it('is all there is: a message that it does not list is a defect, whichever rule would send it (dec-B2)', () => {
    const tried = PARTIES.flatMap((from) =>
      PARTIES.flatMap((to) => MESSAGE_KINDS.map((kind) => ({ from, to, kind }))),
    );
    const sent = tried.filter(({ from, to, kind }) => {
      try {
        return message(from, to, kind as 'UserInput', { text: '', turns: 0 }).kind === kind;
      } catch (defect) {
        expect(defect).toMatchObject({ name: 'InvariantError', label: 'controller/route' });
        return false;
      }
    });
    expect(tried.length).toBe(PARTIES.length ** 2 * MESSAGE_KINDS.length);
    expect(sent.map(({ from, to, kind }) => `${from} ${to} ${kind}`).toSorted()).toEqual(
      ROUTES.map(({ from, to, kind }) => `${from} ${to} ${kind}`).toSorted(),
    );
  });

  it('lets R2 alone ask memory, and R5 answer nobody else: work gets what the plan gives it (003, "Memory")', () => {
    expect(
      ROUTES.filter(({ to, kind }) => to === 'R5' && kind !== 'Megram').map(
        ({ from, kind }) => `${from} ${kind}`,
      ),
    ).toEqual(['R2 MemoryQuery']);
    expect(ROUTES.filter(({ from }) => from === 'R5').map(({ to, kind }) => `${to} ${kind}`)).toEqual([
      'R2 MemoryRecall',
    ]);
  });
});
