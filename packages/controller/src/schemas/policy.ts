/**
 * What a controller run is given: its policy and its input. The machine reads both with parsers of its own; a
 * law holds them equal. Source: 002 "Loss Hyperparameters", "Key Invariants"; dec-G23.
 *
 * @module
 */
import * as z from 'zod';
import { GGS_COUNT_MAX, GGS_WEIGHT_MAX, type GgsPolicy } from '../ggs/policy.js';
import { PPM } from '../ggs/rational.js';
import { TRAIL_MAX, type GuardPolicy } from '../guard/trail.js';
import type { ControllerInput } from '../loop/setup.js';
import type { Policy } from '../policy/policy.js';
import { CRITERIA_MAX, SUBTASKS_MAX } from '../protocol/plan.js';
import { SESSION_MAX, SUMMARY_MAX, USER_TEXT_MAX, type SessionTurn } from '../protocol/task.js';
import { TOOLS_MAX } from '../protocol/tools.js';
import { textTo, toolSchema } from './parts.js';

const weight = z.int().min(0).max(GGS_WEIGHT_MAX);
const share = z.int().min(0).max(PPM);
const counted = z.int().min(1).max(GGS_COUNT_MAX);

/** The policy of the goal gradient. */
export const ggsPolicySchema: z.ZodType<GgsPolicy> = z
  .strictObject({
    alpha: weight,
    beta: weight,
    lambda: weight,
    w1: share,
    w2: share,
    epsilon: weight.min(1),
    delta: share.max(PPM - 1),
    rho: share,
    theta: share.min(1),
    time_budget_us: z.int().min(1),
    max_replans: counted,
    law2_rounds: counted,
    gradient_basis: z.enum(['task', 'loss']),
    epsilon_mode: z.enum(['fixed', 'per_criterion']),
    omega_mode: z.enum(['hard', 'literal']),
    worsening_mode: z.enum(['band_and_distance', 'band']),
    criteria_mode: z.enum(['structured', 'verifiable']),
  })
  .refine(({ w1, w2 }) => w1 + w2 === PPM, { path: ['w2'] })
  .refine(({ alpha, beta, lambda }) => alpha + beta + lambda > 0, { path: ['alpha'] })
  .refine(({ omega_mode, w1 }) => omega_mode === 'hard' || w1 > 0, { path: ['w1'] });

/** When a pattern of calls is a loop. */
export const guardPolicySchema: z.ZodType<GuardPolicy> = z.strictObject({
  triples: z.int().min(0).max(TRAIL_MAX),
  oscillation: z
    .int()
    .min(0)
    .max(TRAIL_MAX / 2),
  same_rounds: z.int().min(0).max(100),
});

const proposer = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._~:/@+-]{0,127}$/);
const bound = z.nullable(proposer);
/** Answers to one request, corrections, plans: none goes beyond it. */
const ATTEMPTS_MAX = 16;
const attempts = z.int().min(1).max(ATTEMPTS_MAX);

/** The policy of a run. */
export const controllerPolicySchema: z.ZodType<Policy> = z
  .strictObject({
    roles: z.strictObject({ R1: bound, R2: bound, R3: bound, R4a: bound, R4b: bound }),
    ranks: z.array(z.strictObject({ proposer, rank: z.int().min(0).max(1_000_000) })),
    tools: z
      .array(toolSchema)
      .max(TOOLS_MAX)
      .refine((tools) => new Set(tools.map(({ name }) => name)).size === tools.length),
    limits: z.strictObject({
      subtasks: z.int().min(1).max(SUBTASKS_MAX),
      criteria: z.int().min(1).max(CRITERIA_MAX),
      retries: z.int().min(0).max(ATTEMPTS_MAX),
      attempts,
      plans: attempts,
    }),
    clock: z.enum(['asked', 'stamps']),
    memory: z.boolean(),
    guard: guardPolicySchema,
    ggs: ggsPolicySchema,
  })
  .refine(({ ranks }) => new Set(ranks.map((ranked) => ranked.proposer)).size === ranks.length, {
    path: ['ranks'],
  })
  .refine(
    ({ ranks, roles }) =>
      rankOf(ranks, roles.R4b, 0) >= rankOf(ranks, roles.R2, Math.max(0, ...ranks.map(({ rank }) => rank))),
    { path: ['roles', 'R4b'] },
  );

function rankOf(ranks: Policy['ranks'], name: string | null, unbound: number): number {
  return name === null ? unbound : (ranks.find((ranked) => ranked.proposer === name)?.rank ?? 0);
}

/** One earlier turn of a session. */
export const sessionTurnSchema: z.ZodType<SessionTurn> = z.strictObject({
  input: textTo(USER_TEXT_MAX),
  summary: textTo(SUMMARY_MAX),
});

/** The input of a run: the user's words and the turns before, oldest first. */
export const controllerInputSchema: z.ZodType<ControllerInput> = z.strictObject({
  text: textTo(USER_TEXT_MAX),
  session: z.array(sessionTurnSchema).max(SESSION_MAX),
});
