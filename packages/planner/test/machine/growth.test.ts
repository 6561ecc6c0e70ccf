/** TRY, BUILD, HIRE, denied calls and failed dependencies. Source: specs D.8 E5. */
import { describe, expect, it } from 'vitest';
import { defaultPolicy, type Policy } from '../../src/index.js';
import { gap, made, played, tool } from '../../tools/play.js';

describe('TRY, BUILD, HIRE', () => {
  it('an exhausted resolver leads to a build, whose tool then does the work', () => {
    const { asked, events, outcome } = played(
      { limits: { ...defaultPolicy.limits, tries: 1 } },
      ({ kind, body }) => {
        if (kind === 'gap') return { value: gap };
        const { resolver, kind: of } = body as { readonly resolver: string; readonly kind: string };
        return {
          value: of === 'build' ? made(0, tool('mender', ['mending'])) : made(resolver === 'mender' ? 0 : 1),
        };
      },
    );
    expect(asked).toEqual(['resolve', 'gap', 'resolve', 'resolve']);
    expect(
      events.filter(({ t }) => t === 'attempt').map((event) => 'verdict' in event && event.verdict),
    ).toEqual(['UNSAT', 'SAT', 'SAT']);
    expect(outcome).toBe('success');
  });

  it('without builds a person is asked once; the tool is registered and used; no is the end', () => {
    const policy = { limits: { ...defaultPolicy.limits, tries: 1, builds: 0 } };
    const hired = played(policy, ({ kind, body }) =>
      kind === 'hire'
        ? { value: { kind: 'resolver', resolver: tool('person-made', ['decompose']) } }
        : { value: made((body as { readonly resolver: string }).resolver === 'person-made' ? 0 : 1) },
    );
    expect([hired.outcome, hired.asked]).toEqual(['success', ['resolve', 'hire', 'resolve']]);
    expect(hired.state.resolvers.get('person-made')?.built_by).toBe('actor:human');
    const declined = played(policy, ({ kind }) =>
      kind === 'hire' ? { value: { kind: 'decline', why: 'no' } } : { value: made(1) },
    );
    expect([declined.outcome, declined.state.ending?.reasons]).toEqual(['refused', ['declined']]);
  });

  it('a step that is denied keeps what the step before it has spent', () => {
    const [model, ...others] = defaultPolicy.resolvers;
    const second = { ...(model ?? others[0]), id: 'model-1' } as Policy['resolvers'][number];
    const { asked, state, outcome } = played(
      { budget: { usd: 100 }, resolvers: [...defaultPolicy.resolvers, second] },
      ({ kind, body }) => {
        if (kind === 'route') return { value: { steps: ['tools-0', 'model-0', 'model-1'] } };
        if (kind === 'hire') return { value: { kind: 'decline', why: 'no' } };
        return (body as { readonly step: number }).step === 0
          ? { value: made(0), spent: { usd: 7 } }
          : { denied: true };
      },
    );
    expect([outcome, asked]).toEqual(['refused', ['route', 'resolve', 'resolve', 'hire']]);
    expect(state.nodes.get('goal')?.account.spent).toEqual([7]);
    expect(state.nodes.get('goal')?.attempts).toBe(0);
  });

  it('too little money is a question to a person, and what they grant goes to the root', () => {
    const [model] = defaultPolicy.resolvers;
    const priced = { ...model, bound: { usd: 30 } } as Policy['resolvers'][number];
    const { asked, state, outcome } = played({ budget: { usd: 10 }, resolvers: [priced] }, ({ kind }) =>
      kind === 'hire'
        ? { value: { kind: 'increase_budget', grants: { usd: 60 } } }
        : { value: made(0), spent: { usd: 5 } },
    );
    expect([outcome, asked]).toEqual(['success', ['hire', 'resolve']]);
    expect(state.nodes.get('goal')?.account).toMatchObject({ granted: [70], spent: [5], reserved: [0] });
  });
});
