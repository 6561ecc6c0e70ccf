import fc from 'fast-check';
import { orThrow } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../kernel/tools/laws.ts';
import { book, type Use } from '../src/machine/budgets.js';
import { findFlip, renderFlip, type Flip, type Refused } from '../src/machine/flip.js';
import { startState, type GateState } from '../src/machine/state.js';
import { judge } from '../src/policy/judge.js';
import { readPolicy, type Policy, type PolicyFile } from '../src/policy/policy.js';
import { calls, labels, policies } from '../tools/arbitraries.js';

const read = (policy: PolicyFile): Policy => orThrow(readPolicy(policy));
const principal = 'main';
const call = { principal, tool: 'send_email', input: { to: 'a@b.example' } };
const refusal = (more: Partial<Refused>): Refused =>
  ({
    ...{ t: 'denied', n: 1, at: 0, why: 'no_rule', rules: [], ...more },
  }) as Refused;
const find = (policy: PolicyFile, more: Partial<Refused>): Flip =>
  findFlip(startState(read(policy)), call, refusal(more));

/** A state in which a budget is used up as `use` says. */
function spend(policy: Policy, use: Use): GateState {
  const state = startState(policy);
  return { ...state, used: policy.budgets.reduce((used, { id }) => used.set(id, use), state.used) };
}

describe('what would let a refused call through', () => {
  it('gate/what-would-let-a-call-through-does', () => {
    fc.assert(
      fc.property(policies, calls, labels, (given, asked, known) => {
        const policy = read(given);
        const { verdict, why, rules } = judge(policy, asked, known);
        fc.pre(verdict === 'deny');
        const state = startState(policy);
        const marked = { ...state, principals: state.principals.set(asked.principal, known) };
        const flip = findFlip(marked, asked, refusal({ why, rules: rules.map(({ id }) => id) }));
        if (flip.t === 'drop') {
          const left = policy.rules.filter((rule) => !flip.rules.includes(rule));
          const after = judge({ ...policy, rules: left }, asked, known);
          expect([after.verdict, after.why]).not.toEqual(['deny', 'rule']);
        } else if (flip.t === 'add') {
          const added = judge(read({ ...given, allow: [...(given.allow ?? []), flip.tool] }), asked, known);
          expect(added.why).not.toBe('no_rule');
        } else if (flip.t === 'meet') {
          const when = flip.rule.when.filter(([at]) => !flip.conditions.some(([failing]) => failing === at));
          const met = policy.rules.map((rule) => (rule === flip.rule ? { ...rule, when } : rule));
          expect(judge({ ...policy, rules: met }, asked, known).verdict).not.toBe('deny');
        } else {
          expect(flip).toMatchObject({ t: 'judge' });
          expect((flip as { at: readonly string[] }).at).not.toEqual([]);
        }
      }),
      lawRuns('gate flips'),
    );
  });

  it('a budget that is raised, or waited for, as long as it says has room, and not before', () => {
    const amounts = fc.array(fc.tuple(fc.nat(50), fc.nat(3)), { maxLength: 6 });
    fc.assert(
      fc.property(amounts, fc.nat(4), fc.nat(90), (given, max, part) => {
        const parts = [...new Map(given)].map(([at, amount]) => [at, amount] as const);
        const used = parts.reduce((sum, [, amount]) => sum + amount, 0);
        const whole = spend(read({ gate: 1, budgets: [{ id: 'b', max }] }), { used, held: 0, parts: [] });
        const rolling = spend(read({ gate: 1, budgets: [{ id: 'b', max, window: '60s' }] }), {
          used,
          held: 0,
          parts,
        });
        const at = part * 1_000_000;
        const short = (state: GateState, time: number) => book(state.policy, state.used, call, time).shortage;
        if (short(whole, at) !== null) {
          const flip = findFlip(whole, call, refusal({ why: 'budget', budget: 'b', at }));
          const raise = flip as Extract<Flip, { readonly t: 'raise' }>;
          const raised = (by: number) => read({ gate: 1, budgets: [{ id: 'b', max: max + by }] });
          expect(short({ ...whole, policy: raised(raise.by) }, at)).toBeNull();
          expect(short({ ...whole, policy: raised(raise.by - 1) }, at)).not.toBeNull();
        }
        if (short(rolling, at) !== null) {
          const flip = findFlip(rolling, call, refusal({ why: 'rate', budget: 'b', at }));
          const { until_us } = flip as Extract<Flip, { readonly t: 'wait' }>;
          if (until_us === null) expect(max).toBe(0);
          else {
            expect(short(rolling, until_us)).toBeNull();
            expect(short(rolling, until_us - 1)).not.toBeNull();
          }
        }
      }),
      lawRuns('gate shortages'),
    );
  });

  it('is told in one sentence', () => {
    const when = { '/to': { like: '*@us.example' } };
    const told = [
      find({ gate: 1 }, {}),
      find({ gate: 1, allow: [{ tool: 'send_email', when }] }, {}),
      find({ gate: 1, allow: [{ tool: 'send_email', when: { '/to': { max_length: 5 } } }] }, {}),
      find({ gate: 1, ask: [{ id: 'cc', tool: 'send_email', when: { '/cc': { like: '*@us' } } }] }, {}),
      find({ gate: 1, ask: [{ tool: 'send_email', when: { '/to': { command: 'git push' } } }] }, {}),
      find({ gate: 1, ask: [{ tool: 'send_email', when: { '/cc': { command: 'git push' } } }] }, {}),
      find({ gate: 1, deny: ['send_email'] }, { why: 'rule', rules: ['deny send_email'] }),
      find(
        { gate: 1, deny: [{ tool: '*', when: { '/to/x': 'y' } }] },
        { why: 'unjudged', rules: ['deny * if /to/x is y'] },
      ),
      find({ gate: 1, budgets: [{ max: 0 }] }, { why: 'budget', budget: '0 calls' }),
      find({ gate: 1, budgets: [{ max: 0, window: '1m' }] }, { why: 'rate', budget: '0 calls in 1m' }),
      find({ gate: 1 }, { why: 'closing' }),
    ].map(renderFlip);
    expect(told).toEqual([
      'No rule allows this tool.',
      'No rule allows "a@b.example".',
      'No rule allows this call; the rule "allow send_email if /to max_length 5" would if /to max_length 5.',
      'No rule allows this call. By the rule "cc", a person would be asked if /cc like *@us.',
      'No rule allows "a@b.example".',
      'No rule allows this call.',
      'Refused by the rule "deny send_email".',
      'The policy cannot judge /to/x: give the value in plain form.',
      'The budget "0 calls" is used up: it lacks 1 calls.',
      'The budget "0 calls in 1m" is used up.',
      'The gate is closing.',
    ]);
  });
});
