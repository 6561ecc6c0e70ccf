/** TRY, BUILD, HIRE, denied calls and failed dependencies. Source: specs D.8 E5. */
import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import { defaultPolicy, type Bodies, type Policy } from '../../src/index.js';
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
        ? { value: { kind: 'command', name: 'person-made', command: ['make'] } }
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

  const limits = { ...defaultPolicy.limits, builds: 0 };

  it.each(['no_port', 'nothing_new'])('a resolver that answers %s is left without a try', (failed) => {
    const { asked, events, state, outcome } = played({ limits }, ({ kind, body }) => {
      if (kind === 'hire') return { value: { kind: 'command', name: 'mend', command: ['mend'] } };
      return (body as Bodies['resolve']).resolver === 'mend' ? { value: made(0) } : { failed };
    });
    expect([outcome, asked]).toEqual(['success', ['resolve', 'hire', 'resolve']]);
    expect(events.filter(({ t }) => t === 'attempt')).toHaveLength(1);
    expect(state.nodes.get('goal')?.missing).toEqual(failed === 'no_port' ? ['model-0'] : []);
  });

  it('a command that was delivered and cannot be run here is asked for again', () => {
    let asks = 0;
    const { asked, outcome } = played({ limits }, ({ kind, body }) => {
      if (kind !== 'hire')
        return (body as Bodies['resolve']).resolver === 'second' ? { value: made(0) } : { failed: 'no_port' };
      asks += 1;
      return { value: { kind: 'command', name: asks === 1 ? 'first' : 'second', command: ['mend'] } };
    });
    expect([outcome, asked]).toEqual(['success', ['resolve', 'hire', 'resolve', 'hire', 'resolve']]);
  });

  it('a person does it, is asked what it came to, and what they did is checked', () => {
    const { asked, state, outcome } = played({ limits }, ({ kind, body }) => {
      if (kind === 'hire') return { value: { kind: 'person' } };
      if (kind === 'done') return { value: { amounts: [], minutes: null, note: 'by hand' } };
      if (kind !== 'verify') return { failed: 'nothing_new' };
      const [check] = (body as Bodies['verify']).constraints;
      const holds = { constraint: check?.id ?? '', passed: true, sigma_ppm: 0, detail: '', repair: null };
      return { value: { verdict: null, checks: [holds] } };
    });
    expect([outcome, asked]).toEqual(['success', ['resolve', 'hire', 'done', 'verify']]);
    expect([...state.resolvers].some(([id]) => id === 'person')).toBe(false);
  });

  it('who says no ends that branch: what does not wait for it goes on, and nobody is asked again', () => {
    const task = (id: string, after: readonly string[]): Json => ({
      ...{ id, title: id, after, method: id, minutes: 1, confidence: 900_000 },
    });
    const tasks = [task('a', []), task('b', []), task('c', ['b']), task('d', ['a']), task('e', ['c', 'd'])];
    const lists = { needs: [], measures: [], couples: [], questions: [] };
    const { asked, state, outcome } = played({ limits }, ({ kind, body }) => {
      if (kind === 'hire') return { value: { kind: 'decline', why: 'no' } };
      const { node } = body as Bodies['resolve'];
      if (node === 'goal') return { value: { tasks, carries: [['a', ['unit']]], ...lists } };
      return node === 'goal/a' ? { failed: 'nothing_new' } : { value: made(0) };
    });
    expect([outcome, state.ending?.reasons]).toEqual(['refused', ['declined']]);
    expect(asked.filter((kind) => kind === 'hire')).toHaveLength(1);
    const ends = ['a', 'b', 'c', 'd', 'e'].map((id) => state.nodes.get(`goal/${id}`)?.status);
    expect(ends).toEqual(['infeasible', 'resolved', 'resolved', 'infeasible', 'infeasible']);
  });
});
