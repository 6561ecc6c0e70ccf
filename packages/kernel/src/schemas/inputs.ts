/**
 * Schemas of what a run is given: its policy, and the answer to an `interpretations` request.
 * Source: 001 §2.3, §2.4; intent I5.
 *
 * @module
 */
import * as z from 'zod';
import { KEY_PATTERN, KEY_UNITS_MAX } from '../intent/atom.js';
import { INTERPRETATION_LIMITS, type Interpretation } from '../intent/interpretation.js';
import { PPM, PROPOSERS_MAX, WEIGHT_MAX, type Policy, type Weights } from '../intent/policy.js';
import { claimSchema } from './claims.js';

const weight = z.int().min(0).max(WEIGHT_MAX);

const weightsSchema: z.ZodType<Weights> = z
  .strictObject({
    coverage: weight,
    grounding: weight,
    disclosure: weight,
    pin: weight,
    agreement: weight,
    specificity: weight,
    order: weight,
    confidence: weight,
  })
  .refine((weights) => Object.values(weights).some((value) => value > 0));

/** The policy of a run. The kernel reads policies with its own parser; a law holds both equal. */
export const policySchema: z.ZodType<Policy> = z
  .strictObject({
    max_interpretations: z.int().min(1),
    max_nodes: z.int().min(1),
    max_depth: z.int().min(1),
    contradiction_budget: z.int().min(0),
    max_steps: z.int().min(1),
    deterministic_tiebreak: z.literal('lexicographic'),
    proposers: z
      .array(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._~:/@+-]{0,127}$/))
      .min(1)
      .max(PROPOSERS_MAX)
      .refine((names) => new Set(names).size === names.length),
    min_proposals: z.int().min(1),
    min_score: z.int().min(0).max(PPM),
    min_margin: z.int().min(0).max(PPM),
    weights: weightsSchema,
  })
  .refine(({ min_proposals, proposers }) => min_proposals <= proposers.length, { path: ['min_proposals'] });

const place = z.int().min(0);
const atomKey = z.string().max(KEY_UNITS_MAX).regex(KEY_PATTERN);

/**
 * Answer to an `interpretations` request; `commits`, `contradictions` and `aliases` may be left out. That quotes lie in
 * the seed is judged by the kernel alone.
 */
export const interpretationsSchema: z.ZodType<readonly Interpretation[]> = z.array(
  z
    .strictObject({
      name: z.string().min(1).max(INTERPRETATION_LIMITS.nameUnits),
      assumptions: z.array(z.string().min(1).max(INTERPRETATION_LIMITS.assumptionUnits)),
      intent_summary: z.string().max(INTERPRETATION_LIMITS.summaryUnits),
      commits: z.array(claimSchema).default([]),
      contradictions: z.array(z.tuple([place, place])).default([]),
      aliases: z.array(z.tuple([atomKey, atomKey])).default([]),
    })
    .refine(
      ({ commits, contradictions }) =>
        contradictions.every(([a, b]) => a !== b && a < commits.length && b < commits.length),
      { path: ['contradictions'] },
    ),
);
