/**
 * The policy of a plan, with the checks that it declares. Source: dec-K82.
 *
 * @module
 */
import { isName, isObject, type Json, type JsonObject, type Spent } from '@assay/kernel';
import { defaultPolicy, type ConstraintDraft, type PlannerEvent, type Policy } from '@assay/planner';
import { badValue, needsOption } from '../../problems/problem.js';
import { commandLine, show } from '../../terminal/shown.js';

/** Names and commands, as a policy records them. */
export type Checks = Policy['checks'];

/** Reads `--set check.NAME=COMMAND`: words apart by spaces, no quotes, no shell. Raises `Stop`: `bad_value`. */
export function readChecks(check: readonly string[] = []): Checks {
  return check.map((given, index) => {
    const [, name = '', words = ''] = /^([^=]*)=(.*)$/s.exec(given) ?? [];
    const place = `--set check.${given}`;
    if (check.findIndex((other) => other.startsWith(`${name}=`)) < index)
      throw badValue('a check is declared twice', place, 'give each check a name of its own');
    if (/['"\\]/.test(words))
      throw badValue(
        'no shell reads this command, so quotes and backslashes in it mean nothing; spaces part its words',
        place,
        'leave them out, or put the command into a script and name that',
      );
    const command = words.split(' ').filter((word) => word !== '');
    if (isName(name) && command.length > 0) return { name, command };
    throw badValue(
      'a check needs a name and a command',
      place,
      'write it like --set check.unit="node --test"',
    );
  });
}

/** Raises `Stop`, `option_needed`, for options that only a plan that is carried out has. */
export function requireCarried(workspace: string | undefined, checks: Checks): void {
  if (workspace === undefined && checks.length === 0) return;
  throw needsOption(
    'only a plan that is carried out has these',
    '--workspace',
    'begin a plan with --workspace DIR to carry it out',
  );
}

/**
 * Holds the checks of a call to those of the run. They are given again each time: a ledger may be a stranger's, so none
 * of its commands runs unasked. Raises `Stop`: `option_needed`, `bad_value`.
 */
export function requireChecks(given: Checks, recorded: Checks): void {
  const [typed, known] = [given.map(sayCheck), recorded.map(sayCheck)];
  const [missing, foreign] = [
    recorded.find((check) => !typed.includes(sayCheck(check))),
    typed.find((check) => !known.includes(check)),
  ];
  if (missing !== undefined)
    throw needsOption(
      `this run has the command ${missing.name}; it is never taken from a ledger`,
      '--set',
      show`give it again, if you trust it: ${commandLine(['--set', sayCheck(missing)])}`,
    );
  if (foreign !== undefined) throw badValue('this run has no such check', `--set ${foreign}`, 'leave it out');
}

/** Commands that people have named in a run, as it recorded them. */
export function readCommands(events: readonly unknown[]): Checks {
  return (events as readonly PlannerEvent[]).flatMap((event) => (event.t === 'declared' ? [event] : []));
}

/** A check as it is typed. */
function sayCheck({ name, command }: Checks[number]): string {
  return `check.${name}=${command.join(' ')}`;
}

/** A declared check as a constraint of the goal. */
export function checkDraft(name: string): ConstraintDraft {
  return {
    id: `check-${name}`,
    type: 'logic',
    domain: 'software',
    title: `the check ${name} ends with exit 0`,
    scope: 'local',
    hard: true,
    removal: null,
    payload: { t: 'check', name },
  };
}

/** Tasks of a plan that is carried out: the last ones carry the checks. */
export function forAgent(split: JsonObject, checks: readonly string[]): JsonObject {
  const tasks = (split['tasks'] as readonly JsonObject[]).map(({ id, after }) => ({
    id: id as string,
    after: (after ?? []) as readonly string[],
  }));
  const waited = new Set(tasks.flatMap(({ after }) => after));
  const carried = checks.map((name) => checkDraft(name).id);
  return {
    ...split,
    carries: carried.length === 0 ? [] : tasks.flatMap(({ id }) => (waited.has(id) ? [] : [[id, carried]])),
  };
}

/** What the call says of it. */
export type PlanSetup = Pick<Policy, 'mode' | 'checks' | 'extract' | 'survey' | 'solver' | 'library'> & {
  readonly budget: Spent;
  readonly hasPlan: boolean;
  readonly canBuild: boolean;
  /** Whether a language model plays; else nothing is said to come from one. */
  readonly hasModel: boolean;
};

/** What a task needs that says nothing else: where a plan is carried out, the agent has it and no model. */
const LEAF_TAG = 'generate_code';

async function describeAgent(bound: Policy['budget']): Promise<Policy['resolvers'][number]> {
  const { AGENT_RESOLVER } = await import('@assay/planner/shell');
  return { ...AGENT_RESOLVER, bound, capabilities: [...AGENT_RESOLVER.capabilities, LEAF_TAG] };
}

function modelTags(mode: Policy['mode']): readonly string[] {
  const tags = defaultPolicy.resolvers.find(({ id }) => id === 'model-0')?.capabilities ?? [];
  return mode === 'solve' ? tags.filter((tag) => tag !== LEAF_TAG) : tags;
}

/** What one call may cost of a budget: a run has at least so many of them. */
const CALLS = 16;

/**
 * The policy. A plan that somebody wrote may be as large as a plan file. A model holds back a sixteenth of the
 * budget for each attempt.
 */
export async function planPolicy({ hasPlan, canBuild, hasModel, ...setup }: PlanSetup): Promise<JsonObject> {
  const bound = Object.fromEntries(
    Object.entries(setup.budget).map(([unit, most]) => [unit, Math.floor(most / CALLS)]),
  );
  // What one task of an agent may spend; its run is held to it.
  const agents = setup.mode === 'solve' ? [await describeAgent(bound)] : [];
  const whole: Policy = {
    ...defaultPolicy,
    ...setup,
    resolvers: [
      ...defaultPolicy.resolvers.map((one) =>
        one.id === 'model-0'
          ? {
              ...one,
              ...(hasModel ? {} : { label: 'rules, a recording or a person' }),
              bound,
              capabilities: modelTags(setup.mode),
            }
          : one,
      ),
      ...agents,
    ],
    limits: {
      ...defaultPolicy.limits,
      ...(hasPlan ? { tasks: 2_000, alternatives: 8, rows: 16 } : {}),
      // What would make a missing tool only a recording says; without one a person is asked at once.
      ...(canBuild ? {} : { builds: 0 }),
      // Rules would plan the same again.
      ...(canBuild || hasModel ? {} : { reopens_node: 0 }),
    },
  };
  return JSON.parse(JSON.stringify(whole)) as JsonObject;
}

/** What a model may cost in one call, by a policy that is recorded. */
export function callBound(policy: JsonObject): Spent {
  const resolvers = policy['resolvers'];
  const model = Array.isArray(resolvers)
    ? (resolvers as readonly Json[]).find((one) => isObject(one) && one['id'] === 'model-0')
    : undefined;
  const bound = isObject(model ?? null) ? (model as JsonObject)['bound'] : undefined;
  return isObject(bound ?? null) ? (bound as Spent) : {};
}
