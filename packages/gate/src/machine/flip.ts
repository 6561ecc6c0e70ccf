/**
 * What would let a refused call through, derived again from the state before it; never recorded. Source: gate/G11.
 *
 * @module
 */
import type { Condition } from '../policy/conditions.js';
import { concerns, listTests, type Called } from '../policy/judge.js';
import { renderCondition, type Budget, type Rule } from '../policy/policy.js';
import { book, findRoom, listBudgets } from './budgets.js';
import type { GateEvent } from './events.js';
import { listLabels, type GateState } from './state.js';

/**
 * The smallest change that would let a call through.
 *
 * - `drop`: the rules that refuse it
 * - `meet`: the nearest rule that would let it through, and its conditions that do not hold
 * - `add`: a rule for its tool
 * - `judge`: the pointers whose values cannot be judged
 * - `raise`: the budget, by how much
 * - `wait`: the budget, the time of the call, and when there is room, microseconds since 1970; null: never
 * - `none`: nothing about the call
 */
export type Flip =
  | { readonly t: 'drop'; readonly rules: readonly Rule[] }
  | {
      readonly t: 'meet';
      readonly rule: Rule;
      readonly conditions: readonly (readonly [pointer: string, condition: Condition])[];
    }
  | { readonly t: 'add'; readonly tool: string }
  | { readonly t: 'judge'; readonly at: readonly string[] }
  | { readonly t: 'raise'; readonly budget: Budget; readonly by: number }
  | { readonly t: 'wait'; readonly budget: Budget; readonly at: number; readonly until_us: number | null }
  | { readonly t: 'none'; readonly why: 'principal' | 'principals' | 'closing' | 'in_flight' };

/** A call that was refused, or would have been. */
export type Refused = Extract<GateEvent, { readonly t: 'denied' | 'watched' }>;

/** What would let a call through. `state`: before the call; `event`: its decision. */
export function findFlip(state: GateState, call: Called, event: Refused): Flip {
  const { policy } = state;
  const named = policy.rules.filter(({ id }) => event.rules.includes(id));
  switch (event.why) {
    case 'budget':
    case 'rate':
      return findShortage(state, call, event);
    case 'rule':
      return { t: 'drop', rules: named };
    case 'unjudged': {
      const tests = named.flatMap((rule) => listTests(rule, call.input));
      return {
        t: 'judge',
        at: [...new Set(tests.filter(([, , holds]) => holds === 'open').map(([at]) => at))],
      };
    }
    case 'no_rule': {
      const labels = listLabels(state, call.principal);
      const near = policy.rules
        .filter((rule) => rule.effect !== 'deny' && concerns(rule, call, labels))
        .map((rule) => ({
          rule,
          failing: listTests(rule, call.input).filter(([, , holds]) => holds !== 'yes'),
        }))
        .toSorted((a, b) => a.failing.length - b.failing.length)[0];
      return near === undefined
        ? { t: 'add', tool: call.tool }
        : { t: 'meet', rule: near.rule, conditions: near.failing.map(([at, condition]) => [at, condition]) };
    }
    default:
      return { t: 'none', why: event.why };
  }
}

function findShortage({ policy, used }: GateState, call: Called, { at, budget: id }: Refused): Flip {
  const { shortage, by } = book(policy, used, call, at);
  const budget = shortage ?? policy.budgets.find((each) => each.id === id);
  if (budget === undefined) return { t: 'none', why: 'in_flight' };
  const [, key = ''] = listBudgets(policy, call).find(([each]) => each === budget) ?? [];
  return budget.windowUs === null
    ? { t: 'raise', budget, by }
    : { t: 'wait', budget, at, until_us: findRoom(budget, used.get(key), by, at) };
}

/** The same in one sentence, for a model or a person. */
export function renderFlip(flip: Flip): string {
  switch (flip.t) {
    case 'drop':
      return `Refused by the rule ${quoteRules(flip.rules)}.`;
    case 'meet': {
      const conditions = flip.conditions.map(([at, condition]) => `${at} ${renderCondition(condition)}`);
      return `The rule ${quoteRules([flip.rule])} would let it through if ${conditions.join(' and ')}.`;
    }
    case 'add':
      return `No rule allows the tool ${flip.tool}.`;
    case 'judge':
      return `The policy cannot judge ${flip.at.join(', ')}: give the value in plain form.`;
    case 'raise':
      return `The budget "${flip.budget.id}" is used up: it lacks ${flip.by} ${flip.budget.unit}.`;
    case 'wait': {
      const { budget, at, until_us: until } = flip;
      return `The budget "${budget.id}" is used up${until === null ? '' : ` for ${renderWait(until - at)}`}.`;
    }
    case 'none':
      return {
        principal: 'This principal may not call tools here.',
        principals: 'Too many principals have called.',
        closing: 'The gate is closing.',
        in_flight: 'Too many calls are under way.',
      }[flip.why];
  }
}

/** The names of rules, in quotation marks. */
export function quoteRules(rules: readonly Rule[]): string {
  return rules.map(({ id }) => `"${id}"`).join(', ');
}

function renderWait(us: number): string {
  const seconds = Math.ceil(us / 1_000_000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}
