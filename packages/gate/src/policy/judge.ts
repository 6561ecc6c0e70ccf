/**
 * What the rules of a policy say of a call. Order never matters. Source: gate/G5, gate/G6.
 *
 * @module
 */
import { compareText, type Json } from '@assay/kernel';
import { holdAll, isLike, readAmountAt, testAt, type Condition, type Holds } from './conditions.js';
import type { Effect, Policy, Rule } from './policy.js';

/** A call as the rules see it. */
export type Called = { readonly principal: string; readonly tool: string; readonly input: Json };

/** What the rules say, why, and which rules said it. */
type Said = {
  readonly verdict: Effect;
  readonly why: 'rule' | 'no_rule' | 'unjudged';
  readonly rules: readonly Rule[];
};
/** The same, with the labels that the call gives to its principal once it is let through. */
export type Judged = Said & { readonly marks: readonly string[] };

/** True where a rule speaks of the tool, the principal and what was done before, whatever the input. */
export function concerns(rule: Rule, { tool, principal }: Called, labels: readonly string[]): boolean {
  return (
    isLike(rule.tools, tool) &&
    (rule.principals === null || isLike(rule.principals, principal)) &&
    (rule.after === null || labels.includes(rule.after))
  );
}

/** Each condition of a rule, and whether it holds of the input of a call. */
export function listTests(
  { effect, when }: Rule,
  input: Json,
): readonly (readonly [pointer: string, condition: Condition, holds: Holds])[] {
  const quantifier = effect === 'allow' ? 'every' : 'some';
  return when.map(([pointer, condition]) => [
    pointer,
    condition,
    testAt(input, pointer, condition, quantifier),
  ]);
}

/**
 * Judges a call by the rules alone. `labels`: those that its principal has. The call gets the strictest verdict that it
 * could get if the unknown were known.
 */
export function judge(policy: Policy, call: Called, labels: readonly string[]): Judged {
  const found: Record<Effect, Record<Holds, Rule[]>> = {
    deny: { yes: [], no: [], open: [] },
    ask: { yes: [], no: [], open: [] },
    allow: { yes: [], no: [], open: [] },
  };
  for (const rule of policy.rules)
    if (concerns(rule, call, labels)) {
      const holds = holdAll(listTests(rule, call.input).map(([, , each]) => each));
      found[rule.effect][holds].push(rule);
    }
  // A rule that lets a call through marks it, also where a stricter one has the last word.
  const marks = [...found.ask.yes, ...found.allow.yes].flatMap((rule) => rule.marks ?? []);
  return { ...weigh(policy, found), marks: [...new Set(marks)].toSorted(compareText) };
}

function weigh(policy: Policy, { deny, ask, allow }: Readonly<Record<Effect, ByHolds>>): Said {
  if (deny.yes.length > 0) return { verdict: 'deny', why: 'rule', rules: deny.yes };
  const rest = judgeUndenied(policy, ask, allow);
  return deny.open.length > 0 && rest.verdict !== 'deny'
    ? { verdict: policy.unjudged, why: 'unjudged', rules: deny.open }
    : rest;
}

type ByHolds = Readonly<Record<Holds, readonly Rule[]>>;

function judgeUndenied({ otherwise }: Policy, ask: ByHolds, allow: ByHolds): Said {
  if (ask.yes.length > 0) return { verdict: 'ask', why: 'rule', rules: ask.yes };
  if (allow.yes.length > 0)
    return ask.open.length > 0
      ? { verdict: 'ask', why: 'unjudged', rules: ask.open }
      : { verdict: 'allow', why: 'rule', rules: allow.yes };
  const near = [...ask.open, ...allow.open];
  return { verdict: otherwise, why: near.length > 0 ? 'unjudged' : 'no_rule', rules: near };
}

/** Whether a call of a tool could be let through, by a person or at once, whatever its input and what came before. */
export function canAllow(policy: Policy, tool: string, principal: string): boolean {
  const speak = policy.rules.filter(
    (rule) => isLike(rule.tools, tool) && (rule.principals === null || isLike(rule.principals, principal)),
  );
  const isStopped = speak.some(
    ({ effect, when, after }) => effect === 'deny' && when.length === 0 && after === null,
  );
  if (policy.isObserving) return true;
  return !isStopped && (policy.otherwise === 'ask' || speak.some(({ effect }) => effect !== 'deny'));
}

/** What a call may cost at most in a unit: the least of the bounds that speak of it, null where none does. */
export function findBound({ bounds }: Policy, { tool, input }: Called, unit: string): number | null {
  if (unit === 'calls') return 1;
  const found = bounds
    .filter((bound) => bound.unit === unit && isLike(bound.tools, tool))
    .map(({ max, at, times }) => {
      const amount = at === null ? null : readAmountAt(input, at);
      const cost = amount === null ? max : amount * times;
      return Number.isSafeInteger(cost) ? Math.min(max, cost) : max;
    });
  return found.length === 0 ? null : Math.min(...found);
}
