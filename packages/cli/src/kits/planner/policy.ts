/**
 * The policy of a plan: the default, and what the call asks for.
 *
 * @module
 */
import { isObject, type Json, type JsonObject, type Spent } from '@assay/kernel';
import { defaultPolicy, type Policy } from '@assay/planner';

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

async function agentOf(bound: Policy['budget']): Promise<Policy['resolvers'][number]> {
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
  const agents = setup.mode === 'solve' ? [await agentOf(bound)] : [];
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
