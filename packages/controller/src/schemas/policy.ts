/**
 * What a controller run is given: its policy and its input, made from the shapes that the machine reads them
 * with; the gradient's part has a parser of its own, and a law holds both equal. Source: 002 "Loss
 * Hyperparameters", "Key Invariants"; dec-G23.
 *
 * @module
 */
import type { Shape } from '@assay/kernel';
import { toZod } from '@assay/kernel/schemas';
import * as z from 'zod';
import { GGS_COUNT_MAX, GGS_WEIGHT_MAX, type GgsPolicy } from '../ggs/policy.js';
import { PPM } from '../ggs/rational.js';
import type { ControllerInput } from '../loop/setup.js';
import { GGS, POLICY, type Policy } from '../policy/policy.js';
import { SESSION, USER_TEXT_MAX } from '../protocol/task.js';
import { count, textTo } from './parts.js';

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
    blocking_mode: z.enum(['sparing', 'literal']),
  })
  .refine(({ w1, w2 }) => w1 + w2 === PPM, { path: ['w2'] })
  .refine(({ alpha, beta, lambda }) => alpha + beta + lambda > 0, { path: ['alpha'] })
  .refine(({ omega_mode, w1 }) => omega_mode === 'hard' || w1 > 0, { path: ['w1'] });

/** The policy of a run. */
export const controllerPolicySchema: z.ZodType<Policy> = toZod(
  POLICY,
  new Map<Shape, z.ZodType>([[GGS, ggsPolicySchema]]),
)
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

/** Turns of a session, oldest first. */
export const session: z.ZodType<ControllerInput['session']> = toZod(SESSION);

/** The input of a run: the user's words, the turns before, oldest first, and until when. */
export const controllerInputSchema: z.ZodType<ControllerInput> = z.strictObject({
  text: textTo(USER_TEXT_MAX),
  session,
  deadline_us: z.nullable(count),
});
