/**
 * The policy of a controller run: who plays which role, what may be used, and every number that decides.
 * Source: 002 "Loss Hyperparameters", "Key Invariants"; dec-G23; design §5.
 */
import { err, isObject, ok, parseShape, type Json, type Rejection, type Result } from '@assay/kernel';
import {
  closed,
  flag,
  integer,
  list,
  matching,
  nullable,
  oneOf,
  readField,
  said,
  type Shape,
} from '@assay/kernel/shape';
import { defaultGuardPolicy, GUARD_POLICY, type GuardPolicy } from '../guard/trail.js';
import { defaultGgsPolicy, GGS_POLICY, parseGgsPolicy, type GgsPolicy } from '../ggs/policy.js';
import { CRITERIA_MAX, SUBTASKS_MAX } from '../protocol/plan.js';
import { CALLS_OF_TASK_MAX, OUTPUT_UNITS_MAX } from '../protocol/requests.js';
import { shapeRows, usualPolicy, type PolicyOf, type PolicyRows } from '../ggs/rows.js';
import type { CastRole } from '../protocol/roles.js';
import { CATALOGUE, type Tool } from '../protocol/tools.js';

/** Capability of a proposer, for the rule that R4b must not be weaker than R2. Unranked ones have 0. */
type Rank = { readonly proposer: string; readonly rank: number };

const ATTEMPTS_MAX = 16;
const STEPS_MAX = 9;
const OUTPUT_UNITS_MIN = 200;
const INPUT_BYTES_MAX = 1_048_576;
const LIMITS = {
  /** Sub-tasks of a plan. */
  subtasks: [16, integer(1, SUBTASKS_MAX)],
  /** Criteria of one sub-task, and of the task. */
  criteria: [16, integer(1, CRITERIA_MAX)],
  /** Corrections of one sub-task after its first attempt. Source: 003 §R4a `maxRetries`; dec-B7. */
  retries: [2, integer(0, ATTEMPTS_MAX)],
  /** Answers of a role to one request. */
  attempts: [2, integer(1, ATTEMPTS_MAX)],
  /** Plans that may be proposed in one round. */
  plans: [3, integer(1, ATTEMPTS_MAX)],
  /** Answers of an executor to one request for its next move. Source: calls/C2. */
  steps: [3, integer(1, STEPS_MAX)],
  /** Calls of one sub-task. */
  calls: [32, integer(1, CALLS_OF_TASK_MAX)],
  /** Calls of the task, shared out when a group begins. */
  task_calls: [CALLS_OF_TASK_MAX, integer(1, CALLS_OF_TASK_MAX)],
  /** UTF-16 units that are kept of an output: its head and tail. */
  output: [4_000, integer(OUTPUT_UNITS_MIN, OUTPUT_UNITS_MAX)],
  /** Bytes of an input, in canonical form. */
  input: [262_144, integer(1, INPUT_BYTES_MAX)],
} as const satisfies PolicyRows;
/** Limits of a run; each is a number of something. */
export type Limits = PolicyOf<typeof LIMITS>;

/** Everything that a person may set. */
export type Policy = {
  readonly roles: { readonly [role in CastRole]: string | null };
  readonly ranks: readonly Rank[];
  /** In order of priority. */
  readonly tools: readonly Tool[];
  readonly limits: Limits;
  /** `asked`: the time is asked for before each evaluation; `stamps`: only the stamps of answers count. */
  readonly clock: 'asked' | 'stamps';
  /** Whether a memory is asked before the first plan. */
  readonly memory: boolean;
  readonly guard: GuardPolicy;
  readonly ggs: GgsPolicy;
};

/** The policy used where none is given; tools must be added, since a run has none by itself. */
export const defaultPolicy: Policy = Object.freeze({
  roles: Object.freeze({ R1: null, R2: null, R3: null, R4a: null, R4b: null }),
  ranks: Object.freeze([]),
  tools: Object.freeze([]),
  limits: usualPolicy(LIMITS),
  clock: 'asked',
  memory: false,
  guard: defaultGuardPolicy,
  ggs: defaultGgsPolicy,
});

const PROPOSER = matching(/^[A-Za-z0-9][A-Za-z0-9._~:/@+-]{0,127}$/);
const PLAYER = nullable(PROPOSER);
/** The gradient's part, which has a parser of its own. */
const GGS: Shape<GgsPolicy> = said<GgsPolicy>((value) => (isObject(value) ? null : ''), GGS_POLICY);
/** Shape of a {@link Policy}, each field by itself. */
export const POLICY: Shape<Policy> = closed({
  roles: closed({ R1: PLAYER, R2: PLAYER, R3: PLAYER, R4a: PLAYER, R4b: PLAYER }),
  ranks: list(closed({ proposer: PROPOSER, rank: integer(0, 1_000_000) })),
  tools: CATALOGUE,
  limits: shapeRows(LIMITS),
  clock: oneOf(['asked', 'stamps']),
  memory: flag,
  guard: GUARD_POLICY,
  ggs: GGS,
});

/**
 * Reads a policy. Total. Error `bad_policy` with {path, rule}: `shape`, a rule of the gradient solver,
 * `ranked_twice`, or `weaker_than_planner` where R4b's rank is below R2's (002 "Key Invariants": R4b's
 * capability must be at least R2's).
 */
export function parsePolicy(value: Json): Result<Rejection, Policy> {
  const shaped = parseShape<Policy>(POLICY, value);
  if (shaped._tag === 'Left') return bad(shaped.left.path, 'shape');
  const policy = shaped.right;
  const ggs = parseGgsPolicy(readField(value, 'ggs'));
  if (ggs._tag === 'Left') return ggs;
  const ranks = new Map(policy.ranks.map(({ proposer, rank }) => [proposer, rank] as const));
  if (ranks.size !== policy.ranks.length) return bad('/ranks', 'ranked_twice');
  // Whoever may play an unbound planner may be the strongest there is; an unbound validator may be anybody.
  const strongest = policy.ranks.reduce((most, { rank }) => Math.max(most, rank), 0);
  const planner = policy.roles.R2 === null ? strongest : (ranks.get(policy.roles.R2) ?? 0);
  const validator = policy.roles.R4b === null ? 0 : (ranks.get(policy.roles.R4b) ?? 0);
  return validator < planner ? bad('/roles/R4b', 'weaker_than_planner') : ok({ ...policy, ggs: ggs.right });
}

function bad(path: string, rule: string): Result<Rejection, never> {
  return err({ code: 'bad_policy', detail: { path, rule } });
}
