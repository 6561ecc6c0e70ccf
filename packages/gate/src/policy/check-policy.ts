/**
 * What of a policy does nothing, or less than it seems to. Every finding is certain; that there is none proves nothing.
 *
 * @module
 */
import { admit, isArray, isObject, orThrow, type Json } from '@assay/kernel';
import {
  isLike,
  isPlainPath,
  listPatterns,
  OPERATORS,
  testValue,
  type Condition,
  type Patterns,
  type Scalar,
  type Tests,
} from './conditions.js';
import type { Effect, Policy, Rule } from './policy.js';

/**
 * A finding on the rule or budget `id`. `never`: it matches no call; `needless`: another rule does all that it does;
 * `label`: nothing comes of what it marks; `unbounded`: the budget holds nothing before a call.
 */
export type PolicyFinding = {
  readonly id: string;
  readonly kind: 'never' | 'needless' | 'label' | 'unbounded';
  readonly because: string;
};

/** What of a policy can never match, is made needless by another rule, or holds nothing. Source: gate/G22. */
export function checkPolicy(policy: Policy): readonly PolicyFinding[] {
  const { rules, budgets, bounds, principals } = policy;
  const marked = new Set(rules.flatMap(({ marks }) => marks ?? []));
  const asked = new Set(rules.flatMap(({ after }) => after ?? []));
  const findings: PolicyFinding[] = [];
  for (const [at, rule] of rules.entries()) {
    const { id, after, marks, effect } = rule;
    const never =
      findImpossible(rule) ??
      (after !== null && !marked.has(after) ? `no rule gives the label "${after}"` : null) ??
      (principals !== null && rule.principals !== null && !meets(rule.principals, principals)
        ? 'the policy lets no such principal call'
        : null);
    const wider = rules.find((other, place) => other !== rule && covers(other, rule, place < at));
    if (never !== null) findings.push({ id, kind: 'never', because: never });
    else if (wider !== undefined)
      findings.push({ id, kind: 'needless', because: `"${wider.id}" matches every call that it matches` });
    else if (marks !== null && (effect === 'deny' || !asked.has(marks)))
      findings.push({
        ...{ id, kind: 'label' },
        because:
          effect === 'deny' ? 'a deny rule lets nothing through to mark' : `no rule speaks after "${marks}"`,
      });
  }
  for (const { id, unit, tools } of budgets)
    if (unit !== 'calls' && !bounds.some((bound) => bound.unit === unit && meets(bound.tools, tools)))
      findings.push({
        id,
        kind: 'unbounded',
        because: `no bound says what a call can cost in ${unit}, so calls at the same time can pass it`,
      });
  return findings;
}

/** True where a rule makes another needless: as strict or stricter, and it matches whatever that one matches. */
function covers(wide: Rule, narrow: Rule, isBefore: boolean): boolean {
  if (wide.effect !== narrow.effect && wide.effect !== 'deny') return false;
  const isSame = wide.effect === narrow.effect;
  return (
    listPatterns(narrow.tools).every((tool) => isLike(wide.tools, tool)) &&
    (wide.principals === null ||
      listPatterns(narrow.principals ?? '*').every((each) => isLike(wide.principals ?? [], each))) &&
    (wide.after === null || wide.after === narrow.after) &&
    (!isSame || narrow.marks === null || narrow.marks === wide.marks) &&
    wide.when.every(([at, test]) => narrow.when.some(([own, same]) => own === at && isEqual(test, same))) &&
    // Of two that say the same, the later one is needless.
    (isBefore || !isSame || !covers(narrow, wide, true))
  );
}

function isEqual(a: Condition, b: Condition): boolean {
  return orThrow(admit(a as Json)).text === orThrow(admit(b as Json)).text;
}

/** False where no text can match both: one of them has no `*`, and the other does not match it. */
function meets(a: Patterns, b: Patterns): boolean {
  return listPatterns(a).some((one) =>
    listPatterns(b).some((other) =>
      one.includes('*') ? other.includes('*') || isLike(one, other) : isLike(other, one),
    ),
  );
}

/** Why no input meets the conditions of a rule; null where one may. */
function findImpossible({ when, effect }: Rule): string | null {
  for (const [pointer, condition] of when) {
    const why = explainImpossible(condition, effect);
    if (why !== null) return `${pointer} ${why}`;
  }
  return null;
}

function explainImpossible(condition: Condition, effect: Effect): string | null {
  const given = condition as Json;
  const {
    is,
    in: list,
    absent,
    min,
    max,
    glob,
    host,
    command,
  }: Tests = isObject(given) ? given : { in: isArray(given) ? (given as readonly Scalar[]) : [given] };
  const fixed = is === undefined ? list : [is];
  const excluded = fixed?.every((value) => {
    const holds = testValue(condition, value, effect === 'allow' ? 'every' : 'some');
    return effect === 'allow' ? holds !== 'yes' : holds === 'no';
  });
  if (excluded === true) return 'is no value that its tests let through';
  if (
    absent === true &&
    isObject(given) &&
    Object.keys(given).some((name) => !['absent', 'not'].includes(name))
  )
    return 'is absent, and has to be something';
  if (min !== undefined && max !== undefined && min > max) return `is at least ${min} and at most ${max}`;
  const isOdd = (patterns: Patterns | undefined, test: (pattern: string) => boolean): boolean =>
    patterns !== undefined && listPatterns(patterns).every(test);
  if (isOdd(glob, (pattern) => !isPlainPath(pattern)))
    return 'has a path pattern with . .. // \\ or %, and no such path is judged';
  if (isOdd(host, (pattern) => !/^[a-z0-9.*-]+$/i.test(pattern)))
    return 'has a host pattern that no host fits: write it like *.example.com';
  return isOdd(command, (pattern) => OPERATORS.test(pattern))
    ? 'has a command with ; & | < > or brackets, and each part of a command is judged alone'
    : null;
}
