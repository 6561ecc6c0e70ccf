/**
 * Pieces that several schemas share: texts with their limits in UTF-16 units, tools, criteria.
 *
 * @module
 */
import { isIntegral, tokenFault, type Digest, type Json } from '@assay/kernel';
import * as z from 'zod';
import {
  CRITERION_MODES,
  EVIDENCE_MAX,
  TEXT_MAX,
  type Criterion,
  type CriterionDraft,
} from '../protocol/criteria.js';
import { TARGET_MAX, TOOL_CLASSES, type Target, type Tool } from '../protocol/tools.js';

/** An integer from 0. */
export const count: z.ZodInt = z.int().min(0);
/** A hash of 64 digits. */
export const digestSchema: z.ZodType<Digest> = z
  .string()
  .regex(/^[0-9a-f]{64}$/) as z.ZodType<string> as z.ZodType<Digest>;
/** A text of at most `max` units. */
export const textTo = (max: number): z.ZodString => z.string().max(max);
/** A text that says something, of at most 2,000 units. */
export const phrase: z.ZodString = z.string().max(TEXT_MAX).regex(/\S/);
/** An id that the machine derives from a place in a plan: `0.1`, `0.1.2`, `0.t.0`. */
export const localId: z.ZodString = z.string().regex(/^\d{1,4}\.(?:\d{1,4}|t)(?:\.\d{1,4})?$/);
/** Name of a tool. */
export const toolName: z.ZodString = z.string().regex(/^[a-z][a-z0-9_.-]{0,63}$/);
const anyJson: z.ZodType<Json> = z.json();
/**
 * Any JSON without fractions and tokens. Looked at before zod copies it, since its copy of an object is
 * without a key `__proto__`.
 */
export const whole: z.ZodType<Json> = z
  .unknown()
  .refine(
    (value) =>
      anyJson.safeParse(value).success && isIntegral(value as Json) && tokenFault(value as Json) === null,
  )
  .pipe(anyJson);
/** Evidence of a verdict. */
export const evidence: z.ZodString = textTo(EVIDENCE_MAX);
/** Class of a failure, or null. */
export const failureClass: z.ZodType<'logical' | 'environmental' | null> = z.nullable(
  z.enum(['logical', 'environmental']),
);

/** A tool of a run. */
export const toolSchema: z.ZodType<Tool> = z.strictObject({
  name: toolName,
  class: z.enum(TOOL_CLASSES),
  reversible: z.boolean(),
  available: z.boolean(),
});
/** A tool and one input of it. */
export const targetSchema: z.ZodType<Target> = z.strictObject({ tool: toolName, target: textTo(TARGET_MAX) });

const ofCriterion = { text: phrase, mode: z.enum(CRITERION_MODES), hard: z.boolean(), check: whole };
/** A criterion as a planner proposes it. */
export const criterionDraftSchema: z.ZodType<CriterionDraft> = z.strictObject(ofCriterion);
/** A criterion of a plan. */
export const criterionSchema: z.ZodType<Criterion> = z.strictObject({ id: localId, ...ofCriterion });
