/** What does not go as planned. Source: specs D.8 E5; dec-K6, dec-K7, dec-K12, dec-K19, dec-K45. */
import type { Json, Request } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { defaultPolicy, type Bodies, type Body } from '../../src/index.js';
import { CHECK, gap, made, played, type Said } from '../../tools/play.js';

const RUBRIC = {
  ...CHECK,
  id: 'good',
  type: 'semantic',
  title: 'it is good',
  payload: { t: 'rubric', text: 'it is good' },
};
const task = (id: string, after: readonly string[] = []): Json => ({
  id,
  title: `task ${id}`,
  after,
  minutes: 1,
  confidence: 900_000,
});
const split = (tasks: readonly Json[], carries: Json = [], needs: Json = []): Json => ({
  tasks,
  carries,
  needs,
  measures: [],
  couples: [],
  questions: [],
});
const judged = (
  { body }: Request<Body>,
  sigma_ppm: number,
  more: { readonly verdict?: string } = {},
): Said => ({
  value: {
    verdict: more.verdict ?? null,
    checks: (body as Bodies['verify']).constraints.map(({ id }) => ({
      constraint: id,
      passed: true,
      sigma_ppm,
      detail: '',
      repair: null,
    })),
  },
});
const nodeIn = ({ body }: Request<Body>): string => (body as Bodies['resolve']).node;
const whole = (kind: string): Said | null =>
  kind === 'consistency'
    ? { value: { conflicts: [] } }
    : kind === 'assemble'
      ? { value: { artifact: { format: 'text', summary: 'all', content: 'all' } } }
      : null;

describe('E5', () => {
  it('a verdict that the checks do not bear is recorded and ignored', () => {
    const { events, outcome } = played(
      {},
      (request) =>
        request.kind === 'verify'
          ? judged(request, 300_000, { verdict: 'SAT' })
          : request.kind === 'hire'
            ? { denied: true }
            : { value: request.kind === 'gap' ? gap : made(0) },
      [RUBRIC],
    );
    expect(events).toContainEqual({ t: 'mismatch', node: 'goal', said: 'SAT', derived: 'UNSAT' });
    expect(outcome).not.toBe('success');
  });

  it('a cycle is rejected with its place, and a second answer mends it', () => {
    let first = true;
    const { codes, outcome } = played({}, (request) => {
      const isRoot = request.kind === 'resolve' && nodeIn(request) === 'goal';
      if (!isRoot) return whole(request.kind) ?? { value: made(0) };
      const isWrong = first;
      first = false;
      const tasks = isWrong ? [task('a', ['b']), task('b', ['a'])] : [task('a'), task('b', ['a'])];
      return { value: split(tasks, [['b', ['unit']]]), ...(isWrong ? { isWrong: true as const } : {}) };
    });
    expect([codes, outcome]).toEqual([['bad_plan'], 'success']);
  });

  it('a look-up that finds only the resolver that failed is a miss: a person is asked', () => {
    const { asked, outcome } = played(
      { limits: { ...defaultPolicy.limits, tries: 1, builds: 1 } },
      ({ kind }) => {
        if (kind === 'gap')
          return { value: { ...(gap as object), capability: 'decompose', estimate: { usd: 9 } } };
        return kind === 'hire' ? { value: { kind: 'decline', why: 'no' } } : { value: made(1) };
      },
    );
    expect(outcome).toBe('refused');
    expect(asked.at(-1)).toBe('hire');
  });

  it('what a library says was declined is asked of nobody', () => {
    const policy = { library: true, limits: { ...defaultPolicy.limits, tries: 1, builds: 0 } };
    const first = played(policy, ({ kind }) => {
      if (kind === 'library')
        return { value: { resolvers: [], capabilities: [], aliases: [], history: '', off: [] } };
      return kind === 'hire' ? { value: { kind: 'decline', why: 'no' } } : { value: made(1) };
    });
    const [[fingerprint, found] = ['', null]] = first.state.capabilities.sorted();
    expect([first.asked.at(-1), found?.status]).toEqual(['hire', 'declined']);
    const known = { fingerprint, capability: found?.tag ?? '', status: 'declined', resolver: null };
    const second = played(policy, ({ kind }) =>
      kind === 'library'
        ? { value: { resolvers: [], capabilities: [known], aliases: [], history: '', off: [] } }
        : { value: made(1) },
    );
    expect([second.outcome, second.asked]).toEqual(['refused', ['library', 'resolve']]);
  });

  it('0.70 times 0.70 is below 0.50: the gate closes, opens the deeper again, twice, and then refuses', () => {
    const { events, state } = played(
      { limits: { ...defaultPolicy.limits, tries: 9 } },
      (request) => {
        if (request.kind === 'verify') return judged(request, 700_000);
        const depth = nodeIn(request).split('/').length;
        return { value: depth < 3 ? split([task('a')], [['a', ['good']]]) : made(0) };
      },
      [RUBRIC],
    );
    const gates = events.filter(({ t }) => t === 'gated');
    expect(gates).toHaveLength(3);
    expect(gates[0]).toMatchObject({ node: 'goal/a', sigma_path_ppm: 490_000 });
    expect(events.filter(({ t }) => t === 'reopened').map((event) => 'node' in event && event.node)).toEqual([
      'goal/a',
      'goal/a',
    ]);
    expect(state.ending).toEqual({ status: 'refused', reasons: ['confidence_floor'] });
  });

  it('what waits for a task that cannot be done cannot be done, nor can the goal', () => {
    const { state, outcome } = played(
      { limits: { ...defaultPolicy.limits, tries: 1, builds: 0, reopens_node: 0 } },
      (request) => {
        if (request.kind === 'hire') return { value: { kind: 'decline', why: 'no' } };
        if (nodeIn(request) === 'goal')
          return {
            value: split(
              [task('a'), task('b', ['a'])],
              [
                ['a', ['unit']],
                ['b', ['unit']],
              ],
            ),
          };
        return { value: made(1) };
      },
    );
    expect(outcome).toBe('refused');
    expect(['goal/a', 'goal/b', 'goal'].map((key) => state.nodes.get(key)?.reason)).toEqual([
      'declined',
      'dependency_infeasible',
      'declined',
    ]);
  });

  it('a survey that comes when its plan is gone changes nothing: the goal is planned anew', () => {
    const payload = { t: 'cap', unit: 'usd', op: '<=', bound: 50, margin: null, otherwise: null };
    const cap = { ...CHECK, id: 'usd', domain: 'cost', scope: 'aggregate', payload };
    const priced = (id: string, usd: number, after: readonly string[] = []): Json => ({
      ...(task(id, after) as object),
      amounts: { usd },
    });
    let plans = 0;
    const { asked, outcome } = played(
      { budget: { usd: 1_000 }, limits: { ...defaultPolicy.limits, parallel: 2, tries: 1, builds: 0 } },
      (request) => {
        if (request.kind === 'hire') return { denied: true };
        if (request.kind === 'survey') return { value: { approaches: [], figures: [], values: [] } };
        if (nodeIn(request) === 'goal/a') return { denied: true };
        if (nodeIn(request) === 'goal/b') return { value: made(0), spent: { usd: 40 } };
        plans += 1;
        const tasks = [priced('a', 10), priced('b', 10), priced('c', 30, ['a', 'b'])];
        return { value: plans === 1 ? split(tasks) : made(0) };
      },
      [cap],
    );
    expect(asked).toEqual(['resolve', 'resolve', 'resolve', 'hire', 'survey', 'resolve']);
    expect(outcome).toBe('success');
  });

  it('two contradictions below one node open it again once, and what they bring binds', () => {
    let found = 0;
    const coupling = (id: string): Json => ({ ...RUBRIC, id, title: id, payload: { t: 'rubric', text: id } });
    const { events, outcome, state } = played({}, (request) => {
      if (request.kind === 'verify') return judged(request, 900_000);
      if (request.kind === 'consistency') {
        found += 1;
        const nodes = (request.body as Bodies['consistency']).outputs.map(({ node }) => node);
        const conflicts = ['x', 'y'].map((id) => ({ nodes, constraints: [coupling(id)], detail: id }));
        return { value: { conflicts: found === 1 ? conflicts : [] } };
      }
      if (request.kind === 'resolve' && nodeIn(request) === 'goal') {
        const carried = found === 0 ? ['unit'] : ['unit', 'x', 'y'];
        return { value: split([task('a'), task('b', ['a'])], [['b', carried]]) };
      }
      return whole(request.kind) ?? { value: made(0) };
    });
    expect(outcome).toBe('success');
    expect(events.filter(({ t }) => t === 'reopened')).toHaveLength(1);
    expect(state.nodes.get('goal')?.core).toEqual(['unit', 'x', 'y']);
  });

  it('a tool that has failed here is not taken again, not even from a person', () => {
    let said = 0;
    const { codes, outcome } = played(
      { limits: { ...defaultPolicy.limits, tries: 1, builds: 0 } },
      ({ kind }) => {
        if (kind !== 'hire') return { value: made(1) };
        said += 1;
        return said === 1
          ? { value: { kind: 'command', name: 'model-0', command: ['true'] }, isWrong: true }
          : { value: { kind: 'decline', why: 'no' } };
      },
    );
    expect([codes, outcome]).toEqual([['name_taken'], 'refused']);
  });
});
