/**
 * What would let a refused call through, derived again from the state before it; never recorded. Source: gate/G11.
 *
 * @module
 */
import { cutText, field, isObject, type Json } from '@assay/kernel';
import { findText, testAt, type Condition } from '../policy/conditions.js';
import { concerns, listTests, type Called } from '../policy/judge.js';
import { renderCondition, type Budget, type Rule } from '../policy/policy.js';
import { book, findRoom, listBudgets } from './budgets.js';
import type { GateEvent } from './events.js';
import { listLabels, type GateState } from './state.js';

/**
 * The smallest change that would let a call through.
 *
 * - `drop`: the rules that refuse it
 * - `meet`: a rule that allows or asks, where only bounds do not hold or fields are absent, and these conditions
 * - `add`: a rule for its tool; `text`: what no rule allows, null for the whole tool, "" if it is no text
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
  | { readonly t: 'add'; readonly tool: string; readonly text: string | null }
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
      const found = policy.rules
        .filter((rule) => rule.effect !== 'deny' && concerns(rule, call, labels))
        .map((rule) => ({
          rule,
          failing: listTests(rule, call.input).filter(([, , holds]) => holds !== 'yes'),
        }))
        .toSorted((a, b) => a.failing.length - b.failing.length);
      const near = found.find(({ failing }) =>
        failing.every(([at, test]) => isNear(test as Json, call.input, at)),
      );
      const texts = found.flatMap(({ failing }) => failing.map(([at]) => findText(call.input, at)));
      return near === undefined
        ? {
            t: 'add',
            tool: call.tool,
            text: found.length === 0 ? null : (texts.find((text) => text !== null) ?? ''),
          }
        : { t: 'meet', rule: near.rule, conditions: near.failing.map(([at, condition]) => [at, condition]) };
    }
    default:
      return { t: 'none', why: event.why };
  }
}

/** Tests that bound a value or a place. The others name values, and a hint at them would lead to another call. */
const BOUNDS = ['min', 'max', 'max_length', 'glob', 'host'];

/** True where a condition only bounds a field, or the field is absent and no command. */
function isNear(condition: Json, input: Json, at: string): boolean {
  const isAbsent = testAt(input, at, { absent: true }, 'some') === 'yes';
  const names = isObject(condition) ? Object.keys(condition) : ['is'];
  return names.every((name) => {
    const inner = name === 'not' && isObject(condition) ? field(condition, name) : undefined;
    if (inner !== undefined) return isNear(inner, input, at);
    return name === 'absent' || (isAbsent ? name !== 'command' : BOUNDS.includes(name));
  });
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
      const rule = `the rule ${quoteRules([flip.rule])}`;
      return flip.rule.effect === 'ask'
        ? `No rule allows this call. By ${rule}, a person would be asked if ${conditions.join(' and ')}.`
        : `No rule allows this call; ${rule} would if ${conditions.join(' and ')}.`;
    }
    case 'add':
      if (flip.text === null) return 'No rule allows this tool.';
      return `No rule allows ${flip.text === '' ? 'this call' : `"${cutText(flip.text, TEXT_MAX)}"`}.`;
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

/** Longest text of a call that a sentence shows, in UTF-16 units. */
const TEXT_MAX = 80;

/** The names of rules, in quotation marks. */
export function quoteRules(rules: readonly Rule[]): string {
  return rules.map(({ id }) => `"${id}"`).join(', ');
}

function renderWait(us: number): string {
  const seconds = Math.ceil(us / 1_000_000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}
