/**
 * The policy of a plan, with the checks that it declares. Source: dec-K82.
 *
 * @module
 */
import { isName, isObject, type Json, type JsonObject, type Spent } from '@assay/kernel';
import { defaultPolicy, type ConstraintDraft, type Policy } from '@assay/planner';
import { misuse } from '../../problems/problem.js';
import { commandLine } from '../../terminal/quote.js';
import { show } from '../../terminal/shown.js';

/** The options of carrying out. */
export type ExecuteOptions = {
  readonly execute?: boolean;
  readonly workspace?: string;
  readonly check: readonly string[];
};

/** Names and commands, as a policy records them. */
export type Checks = Policy['checks'];

/** Reads `--check NAME=COMMAND`: words apart by spaces, no quotes, no shell. Raises `Stop`: `bad_value`, `option_needed`. */
export function readChecks({ execute, workspace, check }: ExecuteOptions): Checks {
  if (execute !== true && (workspace !== undefined || check.length > 0))
    throw misuse('option_needed', 'only a plan that is carried out has these', '--execute', 'give --execute');
  if (execute === true && workspace === undefined)
    throw misuse('option_needed', 'carrying out needs a folder', '--workspace', 'name one: --workspace work');
  const names = check.map((given) => given.slice(0, given.indexOf('=')));
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined)
    throw misuse(
      'bad_value',
      'a check is declared twice',
      `--check ${twice}`,
      'give each check a name of its own',
    );
  return check.map((given) => {
    const [, name = '', words = ''] = /^([^=]*)=(.*)$/s.exec(given) ?? [];
    if (/['"\\]/.test(words))
      throw misuse(
        'bad_value',
        'no shell reads this command, so quotes and backslashes in it mean nothing; spaces part its words',
        `--check ${given}`,
        'leave them out, or put the command into a script and name that',
      );
    const command = words.split(' ').filter((word) => word !== '');
    if (isName(name) && command.length > 0) return { name, command };
    throw misuse(
      'bad_value',
      'a check needs a name and a command',
      `--check ${given}`,
      'write it like --check unit="node --test"',
    );
  });
}

/**
 * Holds the checks of a call to those that its run records. They are given again each time: a ledger may be a
 * stranger's, so none of its commands runs unasked. Raises `Stop`: `option_needed`, `bad_value`.
 */
export function requireSameChecks(given: Checks, recorded: Checks): void {
  const findCommand = (checks: Checks, wanted: string): readonly string[] | undefined =>
    checks.find(({ name }) => name === wanted)?.command;
  for (const { name } of [...recorded, ...given]) {
    const [theirs, ours] = [findCommand(recorded, name), findCommand(given, name)];
    if (JSON.stringify(theirs) === JSON.stringify(ours)) continue;
    if (theirs === undefined)
      throw misuse('bad_value', `this run has no check ${name}`, `--check ${name}`, 'leave it out');
    const again = commandLine(['--check', `${name}=${theirs.join(' ')}`]);
    if (ours === undefined)
      throw misuse(
        'option_needed',
        `this run has the check ${name}; its command is never taken from a ledger`,
        '--check',
        show`give it again, if you trust it: ${again}`,
      );
    throw misuse(
      'bad_value',
      `this run has another command for the check ${name}`,
      `--check ${name}=${ours.join(' ')}`,
      show`give the same, if you trust it: ${again}`,
    );
  }
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
