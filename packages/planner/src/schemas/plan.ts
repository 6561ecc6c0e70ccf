/**
 * A plan file. Source: dec-K87; format: docs/formats/plan.md.
 *
 * @module
 */
import * as z from 'zod';
import { MILLION, planLimits, TOTAL_MAX } from '../plan/limits.js';

const TEXT_MAX = 4_000;
// Pairs and triples are lists of one length: validators of older drafts know no tuples.
const PAIR = 2;
const TRIPLE = 3;

const name: z.ZodType<string> = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);
const text: z.ZodType<string> = z.string().max(TEXT_MAX);
const amount: z.ZodType<number> = z.int().min(0).max(TOTAL_MAX);
const ppm: z.ZodType<number> = z.int().min(0).max(MILLION);
const estimate: z.ZodType<number | number[]> = z.union([amount, z.array(amount).length(TRIPLE)]);
const cap: z.ZodType<'<' | '<='> = z.enum(['<', '<=']);
const operator: z.ZodType<'<' | '<=' | '>' | '>='> = z.enum(['<', '<=', '>', '>=']);
const held = { unit: text.optional(), margin: ppm.optional(), hard: z.boolean().optional() };
const approach = {
  minutes: estimate,
  confidence: ppm,
  method: text.optional(),
  amounts: z.record(z.string(), estimate).optional(),
  metrics: z.record(z.string(), estimate).optional(),
  uses: z.record(z.string(), amount).optional(),
};

/** A plan file. */
export const planSchema: z.ZodType = z.strictObject({
  plan: z.literal(1),
  goal: text.optional(),
  tasks: z
    .array(
      z.strictObject({
        id: name,
        title: text.optional(),
        kind: name.optional(),
        after: z.array(name).max(planLimits.tasks).optional(),
        approach: name.optional(),
        ...approach,
        alternatives: z
          .array(z.strictObject({ id: name, ...approach }))
          .max(planLimits.alternatives)
          .optional(),
      }),
    )
    .min(1)
    .max(planLimits.tasks),
  rows: z
    .array(z.strictObject({ id: name, op: cap, cap: amount, default: amount.optional(), ...held }))
    .max(planLimits.rows)
    .optional(),
  metrics: z
    .array(z.strictObject({ id: name, task: name, op: operator, bound: amount, ...held }))
    .max(planLimits.metrics)
    .optional(),
  couplings: z
    .array(
      z.strictObject({
        id: name,
        tasks: z.array(name).length(PAIR),
        op: operator,
        bound: amount,
        values: z.array(z.array(z.union([name, amount])).length(TRIPLE)),
        ...held,
      }),
    )
    .max(planLimits.couplings)
    .optional(),
  deadline: z
    .strictObject({ op: cap, minutes: amount, margin: ppm.optional(), hard: z.boolean().optional() })
    .nullable()
    .optional(),
  cost: name.optional(),
  renewable: z.record(z.string(), amount).optional(),
});
