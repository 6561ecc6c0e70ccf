/**
 * Pieces that several schemas share.
 *
 * @module
 */
import { isIntegral, tokenFault, type Digest, type Json } from '@assay/kernel';
import { digest, type Shape } from '@assay/kernel/shape';
import { toZod } from '@assay/kernel/schemas';
import * as z from 'zod';
import { LOCAL_ID, PHRASE, WHOLE } from '../protocol/criteria.js';

/** An integer from 0. */
export const count: z.ZodInt = z.int().min(0);
/** A hash of 64 digits. */
export const digestSchema: z.ZodType<Digest> = toZod(digest);
/** A text of at most `max` units. */
export const textTo = (max: number): z.ZodString => z.string().max(max);
/** A text that says something, of at most 2,000 units. */
export const phrase: z.ZodType<string> = toZod(PHRASE);
/** An id that the machine derives from a place in a plan: `0.1`, `0.1.2`, `0.t.0`. */
export const localId: z.ZodType<string> = toZod(LOCAL_ID);
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
/** Schemas that say more than their shapes. */
export const KNOWN: ReadonlyMap<Shape, z.ZodType> = new Map([[WHOLE, whole]]);
/** Class of a failure, or null. */
export const failureClass: z.ZodType<'logical' | 'environmental' | null> = z.nullable(
  z.enum(['logical', 'environmental']),
);
