/**
 * The policy of a planner's run: who does what, what may be spent, and every number that decides. Source: 000
 * §0, §4; dec-K7, dec-K49, dec-K70, dec-K73, dec-K75, dec-K76, dec-K78.
 */
import { err, ok, parseShape, type Json, type Rejection, type Result } from '@assay/kernel';
import { closed, flag, integer, list, nullable, oneOf, type Shape } from '@assay/kernel/shape';
import { NAME } from '../protocol/constraint.js';
import { BOUND, COMMAND, RESOLVER, type Bound, type Resolver } from '../protocol/resolver.js';

/** A limit: what holds where a policy says nothing, and the least and the most that may be set. */
type Limit = readonly [usual: number, min: number, max: number];
const LIMITS = {
  /** Tasks of one plan. */
  tasks: [200, 1, 2_000],
  /** Alternatives of one task. */
  alternatives: [4, 0, 8],
  /** Constraints that add up. */
  rows: [8, 0, 16],
  /** Nodes above each other, the root among them. */
  depth: [8, 1, 16],
  /** Nodes of a run, superseded ones among them. */
  nodes: [10_000, 1, 50_000],
  /** Requests that are open at once; what waits for a person counts no slot. */
  parallel: [1, 1, 64],
  /** Answers to one request. */
  attempts: [2, 1, 16],
  /** T_max: outputs that one resolver may fail with on a node. */
  tries: [5, 1, 16],
  /** Calls of one step that may fail without an output. Source: dec-K22. */
  retries: [3, 0, 16],
  /** Source: dec-K7. */
  reopens_node: [2, 0, 16],
  reopens_run: [8, 0, 1_024],
  /** Source: dec-K26. */
  builds: [2, 0, 8],
  /** Source: dec-K80. */
  replans: [3, 0, 64],
  /** Rounds of surveys for one plan, and tasks in one of them. */
  surveys: [2, 0, 16],
  surveyed: [32, 1, 2_000],
  /** Source: dec-K78. */
  search_nodes: [20_000, 1, 10_000_000],
} as const satisfies { readonly [name: string]: Limit };
/** Limits of a run; each is a number of something. */
export type Limits = { readonly [name in keyof typeof LIMITS]: number };

function ofLimits<T>(make: (limit: Limit) => T): { readonly [name in keyof Limits]: T } {
  return Object.fromEntries(Object.entries(LIMITS).map(([name, limit]) => [name, make(limit)])) as never;
}

/** Everything that a person may set. */
export type Policy = {
  /** `plan`: ends with the plan of the root; `solve`: carries it out; `track`: people do. */
  readonly mode: 'plan' | 'solve' | 'track';
  /** What the run may spend, by unit. Units that are not named are not held. */
  readonly budget: Bound;
  readonly resolvers: readonly Resolver[];
  /** Checks that the person has declared, each a program and its words. Source: dec-K82. */
  readonly checks: readonly { readonly name: string; readonly command: readonly string[] }[];
  /** Confidence that an output, and that a path, must have; ppm. */
  readonly tau: { readonly local: number; readonly global: number };
  readonly limits: Limits;
  /** What a parent keeps back when it funds its children, ppm. */
  readonly reserve: number;
  /** An approach below this confidence is surveyed, ppm. Source: dec-K60. */
  readonly survey_below: number;
  /** Whether constraints are asked for, approaches, a solver, a ranking of equal repairs, a library. */
  readonly extract: boolean;
  readonly survey: boolean;
  readonly solver: boolean;
  readonly rank: boolean;
  readonly library: boolean;
  /** `asked`: the time is asked for; `stamps`: only stamps of answers count. */
  readonly clock: 'asked' | 'stamps';
  /** Wall-clock minutes after which the run ends, or null. */
  readonly minutes: number | null;
};

/** The three resolvers that are there from the start. Source: 000 §4; dec-K32. */
export const bootResolvers: readonly Resolver[] = Object.freeze([
  {
    id: 'model-0',
    label: 'a language model',
    type: 'digital',
    capabilities: [
      'synthesize_goal',
      'identify_constraints',
      'select_constraints',
      'select_resolver',
      'decompose',
      'reason',
      'generate_code',
      'verify_semantic',
      'generate_feedback',
      'check_global_consistency',
      'assemble_artifact',
    ],
    bound: {},
    built_by: null,
    composed_of: [],
  },
  {
    id: 'self-model-0',
    label: 'what the run knows of itself',
    type: 'digital',
    capabilities: ['system_state', 'capability_enumeration', 'cost_estimation'],
    bound: {},
    built_by: null,
    composed_of: [],
  },
  {
    id: 'tools-0',
    label: 'files and declared checks',
    type: 'digital',
    capabilities: ['file_ops', 'shell_execution', 'test_execution'],
    bound: {},
    built_by: null,
    composed_of: [],
  },
] satisfies readonly Resolver[]);

/** The policy used where none is given. */
export const defaultPolicy: Policy = Object.freeze({
  mode: 'plan',
  budget: Object.freeze({}),
  resolvers: bootResolvers,
  checks: Object.freeze([]),
  tau: Object.freeze({ local: 700_000, global: 500_000 }),
  limits: Object.freeze(ofLimits(([usual]) => usual)),
  reserve: 200_000,
  survey_below: 300_000,
  extract: true,
  survey: true,
  solver: false,
  rank: false,
  library: false,
  clock: 'stamps',
  minutes: null,
});

const PPM = integer(0, 1_000_000);
const SHAPE: Shape<Policy> = closed({
  mode: oneOf(['plan', 'solve', 'track']),
  budget: BOUND,
  resolvers: list(RESOLVER, ({ length }) => length > 0 && length <= 1_024),
  checks: list(
    closed({
      name: NAME,
      command: COMMAND,
    }),
    ({ length }) => length <= 256,
  ),
  tau: closed({ local: PPM, global: PPM }),
  limits: closed(ofLimits(([, min, max]) => integer(min, max))),
  reserve: PPM,
  survey_below: PPM,
  extract: flag,
  survey: flag,
  solver: flag,
  rank: flag,
  library: flag,
  clock: oneOf(['asked', 'stamps']),
  minutes: nullable(integer(0, 1_000_000_000)),
});

/** No account may hold more: sums over a whole tree then stay exact. */
export const GRANT_MAX = 1_125_899_906_842_624;

/**
 * Reads a policy. Total. Error `bad_policy` with {path, rule}: `shape`, `twice` for a resolver or a check named
 * twice, `too_large` for a budget above 2^50 or with more than 16 units.
 */
export function parsePolicy(value: Json): Result<Rejection, Policy> {
  const shaped = parseShape<Policy>(SHAPE, value);
  if (shaped._tag === 'Left') return bad(shaped.left.path, 'shape');
  const { resolvers, checks, budget } = shaped.right;
  const twice = resolvers.findIndex(({ id }, at) => resolvers.findIndex((each) => each.id === id) < at);
  if (twice >= 0) return bad(`/resolvers/${twice}/id`, 'twice');
  const again = checks.findIndex(({ name }, at) => checks.findIndex((each) => each.name === name) < at);
  if (again >= 0) return bad(`/checks/${again}/name`, 'twice');
  const amounts = Object.values(budget);
  if (amounts.length > 16 || amounts.some((amount) => amount > GRANT_MAX)) return bad('/budget', 'too_large');
  return ok(shaped.right);
}

function bad(path: string, rule: string): Result<Rejection, never> {
  return err({ code: 'bad_policy', detail: { path, rule } });
}
