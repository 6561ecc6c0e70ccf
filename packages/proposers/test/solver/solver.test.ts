/** The solver as a port: what it answers, and what it does not. Its values: solver.long.test.ts. */
import { SOLVER_PROPOSER } from '../../src/solver/port.js';
import { orThrow, type Json, type Request } from '@assay/kernel';
import { parsePlan } from '@assay/planner/schedule';
import { solverPort, suggest } from '@assay/proposers/solver';
import { describe, expect, it } from 'vitest';
import { agentPlan } from '../../../planner/tools/examples.ts';

const signal = new AbortController().signal;
const asked = { best: [], seconds: 20, signal } as const;

describe('the solver', () => {
  it('ends at once where nobody waits', async () => {
    const plan = orThrow(parsePlan(agentPlan()));
    const gone = AbortSignal.abort();
    expect(await suggest(plan, { ...asked, signal: gone, unfinished: 'substitutions' })).toEqual({
      _tag: 'Left',
      left: { code: 'no_answer' },
    });
  });
});

describe('the port', () => {
  const call = { key: 'k', signal };
  const request = (body: Json): Request =>
    ({ id: '1.0', kind: 'choose', accepts: ['tool'], attempts: 1, body }) as Request;

  it('answers `choose` as a tool, with names and integers', async () => {
    const port = solverPort();
    expect([port.source, port.proposer]).toEqual(['tool', SOLVER_PROPOSER]);
    const { value, failure } = await port.perform(
      request({ node: 'n', plan: agentPlan(), best: [], unfinished: 'substitutions' }),
      call,
    );
    expect(failure).toBeUndefined();
    const { choice, weights, unit } = value as {
      readonly choice: readonly (readonly [string, string])[];
      readonly weights: readonly (readonly [string, number])[];
      readonly unit: number;
    };
    expect(choice.find(([task]) => task === 't8')).toEqual(['t8', 'a']);
    expect([unit, ...weights.map(([, n]) => n)].every((n) => Number.isSafeInteger(n) && n >= 0)).toBe(true);
  });

  it('fails finally on a body that holds no plan', async () => {
    for (const body of [null, {}, { plan: { plan: 1 }, best: [], unfinished: 'cost' }] as readonly Json[])
      expect(await solverPort().perform(request(body), call)).toMatchObject({
        failure: { code: 'malformed', final: true },
      });
  });
});
