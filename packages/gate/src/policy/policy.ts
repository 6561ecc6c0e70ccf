/**
 * The policy of a gate: rules, budgets and bounds as data. Source: gate/G3, gate/G7.
 *
 * @module
 */
import { err, isArray, isObject, ok, type Json, type JsonObject, type Result } from '@assay/kernel';
import {
  anyOf,
  flag,
  integer,
  lazy,
  list,
  matching,
  nullable,
  number,
  oneOf,
  open,
  refined,
  sized,
  table,
  text,
  type Shape,
  type TypeOf,
} from '@assay/kernel/shape';
import { listPatterns, type Condition, type Patterns, type Scalar, type Tests } from './conditions.js';
import { explainFault } from './explain-fault.js';

/** What a rule says of the calls that it matches, the strictest first. */
export const EFFECTS = ['deny', 'ask', 'allow'] as const;
/** One of {@link EFFECTS}. */
export type Effect = (typeof EFFECTS)[number];

/** A rule, read. `when`: each pointer with its condition, of which all must hold. */
export type Rule = {
  readonly id: string;
  readonly effect: Effect;
  readonly tools: Patterns;
  readonly principals: Patterns | null;
  readonly when: readonly (readonly [pointer: string, condition: Condition])[];
  readonly after: string | null;
  readonly marks: string | null;
  readonly reason: string;
};

/** A budget, read. `windowUs`: null for the whole run. */
export type Budget = {
  readonly id: string;
  readonly tools: Patterns;
  readonly unit: string;
  readonly max: number;
  readonly per: 'run' | 'principal';
  readonly windowUs: number | null;
};

/** What one call can cost at most. `at`: where its input says a smaller number, of which `times` is charged. */
export type Bound = {
  readonly tools: Patterns;
  readonly unit: string;
  readonly max: number;
  readonly at: string | null;
  readonly times: number;
};

/** A policy, read. `given`: as the genesis records it, every key there. */
export type Policy = {
  readonly given: JsonObject;
  readonly isObserving: boolean;
  readonly rules: readonly Rule[];
  readonly otherwise: 'deny' | 'ask';
  readonly unjudged: 'deny' | 'ask';
  readonly budgets: readonly Budget[];
  readonly bounds: readonly Bound[];
  readonly principals: Patterns | null;
  readonly inFlight: number;
};

/** Where a policy departs from its format: a JSON pointer, and what stands there in a good one. */
export type PolicyFault = {
  readonly code: 'bad_policy';
  readonly detail: { readonly at: string; readonly expected: string };
};

const TEXT_MAX = 1_024;
const RULES_MAX = 1_000;
const BUDGETS_MAX = 64;
const CONDITIONS_MAX = 16;
const DEPTH_MAX = 4;
const ID_MAX = 120;
const IN_FLIGHT_MAX = 65_000;
const IN_FLIGHT = 1_024;

const TEXT = sized(1, TEXT_MAX);
const PATTERNS: Shape<Patterns> = anyOf(
  TEXT,
  list(TEXT, ({ length }) => length > 0, { min: 1 }),
);
const SCALAR: Shape<Scalar> = anyOf(sized(0, TEXT_MAX), number(-Infinity, Infinity), flag, oneOf([null]));
const SCALARS = list(SCALAR, ({ length }) => length <= TEXT_MAX, { max: TEXT_MAX });
const POINTER = matching(/^(?:\/[^/]*){1,64}$/);
const UNIT = matching(/^[a-z][a-z0-9_.-]{0,63}$/);
const COUNT = integer(0);

const TESTS: Shape<Tests> = open(
  {},
  {
    is: SCALAR,
    in: SCALARS,
    like: PATTERNS,
    glob: PATTERNS,
    host: PATTERNS,
    command: PATTERNS,
    min: number(-Infinity, Infinity),
    max: number(-Infinity, Infinity),
    max_length: COUNT,
    absent: oneOf([true]),
    not: lazy(() => CONDITION),
  },
);
const CONDITION: Shape<Condition> = anyOf(
  SCALAR,
  SCALARS,
  refined(TESTS, (tests) => (Object.keys(tests).length === 0 ? '' : null)),
);
const WHEN = refined(
  table((key) => POINTER(key) === null, CONDITION),
  (when) => {
    const pairs = Object.entries(when);
    if (pairs.length > CONDITIONS_MAX) return '';
    const deep = pairs.find(([, condition]) => measureDepth(condition) > DEPTH_MAX);
    return deep === undefined ? null : `/${deep[0].replaceAll('~', '~0').replaceAll('/', '~1')}`;
  },
);

/** `tool`, or `tool(param: pattern)`: `Bash(git push:*)` and `Bash(ls:*)` of Claude Code name no parameter. */
const SHORT = /^([^()]+)(?:\( *([^\s:()]+) *:(?! *\*+ *\)$)(.+)\))?$/;
const RULE = anyOf(
  text((rule) => rule.length <= TEXT_MAX && SHORT.test(rule), { pattern: SHORT, max: TEXT_MAX }),
  open(
    { tool: PATTERNS },
    { principal: PATTERNS, when: WHEN, after: TEXT, marks: TEXT, id: TEXT, reason: TEXT },
  ),
);
const RULES = list(RULE, ({ length }) => length <= RULES_MAX, { max: RULES_MAX });
const BUDGET = open(
  { max: COUNT },
  {
    id: TEXT,
    tool: PATTERNS,
    unit: UNIT,
    per: oneOf(['run', 'principal']),
    window: matching(/^[1-9][0-9]{0,5}[smhd]$/),
  },
);
const BOUND = open({ tool: PATTERNS, unit: UNIT, max: COUNT }, { at: POINTER, times: COUNT });

/** The JSON of a policy, as people write it. */
export const POLICY = open(
  { gate: oneOf([1]) },
  {
    mode: oneOf(['enforce', 'observe']),
    allow: RULES,
    ask: RULES,
    deny: RULES,
    otherwise: oneOf(['deny', 'ask']),
    unjudged: oneOf(['deny', 'ask']),
    budgets: list(BUDGET, ({ length }) => length <= BUDGETS_MAX, { max: BUDGETS_MAX }),
    bounds: list(BOUND, ({ length }) => length <= BUDGETS_MAX, { max: BUDGETS_MAX }),
    principals: nullable(PATTERNS),
    in_flight: integer(0, IN_FLIGHT_MAX),
  },
);
/** A policy as people write it. */
export type PolicyFile = TypeOf<typeof POLICY>;
/** A rule in its long form. */
export type RuleFile = Exclude<TypeOf<typeof RULE>, string>;

const DEFAULTS: Required<PolicyFile> = Object.freeze({
  gate: 1,
  mode: 'enforce',
  allow: [],
  ask: [],
  deny: [],
  otherwise: 'deny',
  unjudged: 'deny',
  budgets: [],
  bounds: [],
  principals: null,
  in_flight: IN_FLIGHT,
});

/** A policy with every key, as a genesis records it: two policies then compare field by field. */
export function completePolicy(policy: PolicyFile): Required<PolicyFile> {
  return { ...DEFAULTS, ...policy };
}

/** Reads a policy, whole or with keys left out. Left: `bad_policy` {at, expected}. */
export function readPolicy(json: Json): Result<PolicyFault, Policy> {
  const path = POLICY(json);
  if (path !== null) return badPolicy(explainFault(POLICY, json, path, WORDS));
  const given = completePolicy(json as PolicyFile);
  const taken = new Set<string>();
  const rules: Rule[] = [];
  for (const effect of EFFECTS)
    for (const [at, rule] of given[effect].entries()) {
      const read = readRule(rule, effect);
      const id = chooseId(read.id, typeof rule !== 'string' && rule.id !== undefined, taken);
      if (id === null) return badPolicy({ at: `/${effect}/${at}/id`, expected: 'an id that is used once' });
      rules.push({ ...read, id });
    }
  const budgets: Budget[] = [];
  for (const [at, budget] of given.budgets.entries()) {
    const read = readBudget(budget);
    if (taken.has(read.id) || read.id.includes('\n'))
      return badPolicy({ at: `/budgets/${at}/id`, expected: 'an id that is used once, in one line' });
    taken.add(read.id);
    budgets.push(read);
  }
  return ok({
    given,
    isObserving: given.mode === 'observe',
    rules,
    otherwise: given.otherwise,
    unjudged: given.unjudged,
    budgets,
    bounds: given.bounds.map(({ tool, unit, max, at = null, times = 1 }) => ({
      ...{ tools: tool, unit, max, at, times },
    })),
    principals: given.principals,
    inFlight: given.in_flight,
  });
}

const WORDS: ReadonlyMap<Shape, string> = new Map<Shape, string>([
  [TEXT, 'a text of 1 to 1,024 characters'],
  [PATTERNS, 'a pattern, or a list of patterns'],
  [SCALAR, 'a text, a number, true, false or null'],
  [SCALARS, 'a list of texts, numbers, true, false and null'],
  [CONDITION, `a value, a list of values, or an object of tests at most ${DEPTH_MAX} deep`],
  [WHEN, `an object of at most ${CONDITIONS_MAX} JSON pointers such as "/path", each with a condition`],
  [POINTER, 'a JSON pointer such as /max_tokens'],
  [UNIT, 'calls, tokens, usd_micros or another unit in small letters'],
  [COUNT, 'a whole number of at least 0'],
  [
    RULE,
    'a tool, tool(param: pattern) such as Bash(command: git push*), ' +
      'or such as {"tool": "Bash", "when": {"/command": {"command": "git push"}}}',
  ],
  [RULES, `a list of at most ${RULES_MAX} rules`],
]);

function badPolicy(detail: PolicyFault['detail']): Result<PolicyFault, never> {
  return err({ code: 'bad_policy', detail });
}

function measureDepth(condition: Condition): number {
  const inner = isObject(condition) ? condition.not : undefined;
  return inner === undefined ? 1 : 1 + measureDepth(inner);
}

/** A rule; its id may be taken already. */
function readRule(rule: TypeOf<typeof RULE>, effect: Effect): Rule {
  const given = typeof rule === 'string' ? expandRule(rule) : rule;
  const { tool, principal = null, when = {}, after = null, marks = null, reason = '' } = given;
  const words = typeof rule === 'string' ? `${effect} ${rule}` : renderRule(given, effect);
  const id = (given.id ?? words).slice(0, ID_MAX);
  return { id, effect, tools: tool, principals: principal, when: Object.entries(when), after, marks, reason };
}

/** `write_file(path: reports/**)`: a pattern with a slash is a path. */
function expandRule(rule: string): RuleFile {
  const [, tool = '', param, pattern = ''] = SHORT.exec(rule) ?? [];
  if (param === undefined) return { tool: tool.trim() };
  const test = pattern.includes('/') ? { glob: pattern.trim() } : { like: pattern.trim() };
  return { tool: tool.trim(), when: { [`/${param.replaceAll('.', '/')}`]: test } };
}

/** A rule in words, which name it wherever it stands. */
function renderRule({ tool, principal, when = {}, after }: RuleFile, effect: Effect): string {
  const list = (patterns: Patterns): string => listPatterns(patterns).join(' ');
  const conditions = Object.entries(when).map(
    ([pointer, condition]) => `${pointer} ${renderCondition(condition)}`,
  );
  return [
    `${effect} ${list(tool)}`,
    ...(principal === undefined ? [] : [`by ${list(principal)}`]),
    ...(after === undefined ? [] : [`after ${after}`]),
    ...(conditions.length === 0 ? [] : [`if ${conditions.join(' and ')}`]),
  ].join(' ');
}

/** A condition in words: `glob src/*`, `not in a b`. */
export function renderCondition(condition: Condition): string {
  if (isArray(condition)) return `in ${condition.map(String).join(' ')}`;
  if (typeof condition !== 'object' || condition === null) return `is ${String(condition)}`;
  const { not, absent, ...tests } = condition;
  const plain = Object.entries(tests).map(
    ([name, wanted]) => `${name} ${isArray(wanted) ? wanted.map(String).join(' ') : String(wanted)}`,
  );
  return [
    ...plain,
    ...(absent === undefined ? [] : ['absent']),
    ...(not === undefined ? [] : [`not ${renderCondition(not)}`]),
  ].join(' and ');
}

/** An id that is free: words that are taken get a number, ids that were given none (null). */
function chooseId(id: string, isGiven: boolean, taken: Set<string>): string | null {
  let free = id;
  for (let n = 2; taken.has(free); n += 1) {
    if (isGiven) return null;
    free = `${id} ${n}`;
  }
  taken.add(free);
  return free;
}

const UNITS_US: Readonly<Record<string, number>> = {
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
  d: 86_400_000_000,
};

function readBudget({ id, tool, unit = 'calls', max, per = 'run', window }: TypeOf<typeof BUDGET>): Budget {
  const words = [
    `${max} ${unit}`,
    ...(tool === undefined ? [] : [`of ${listPatterns(tool).join(' ')}`]),
    ...(window === undefined ? [] : [`in ${window}`]),
    ...(per === 'principal' ? ['each'] : []),
  ].join(' ');
  const windowUs =
    window === undefined ? null : Number(window.slice(0, -1)) * (UNITS_US[window.slice(-1)] ?? 0);
  return { id: id ?? words, tools: tool ?? '*', unit, max, per, windowUs };
}
