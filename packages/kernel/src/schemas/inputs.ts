/**
 * Schemas of what a run is given: its policy, and the answer to an `interpretations` request.
 * Source: 001 §2.3, §2.4; intent I5.
 *
 * @module
 */
import * as z from 'zod';
import { ATOM } from '../intent/atom.js';
import { INTERPRETATION, READING, type Interpretation } from '../intent/interpretation.js';
import { POLICY, type Policy } from '../intent/policy.js';
import type { Json } from '../json.js';
import { atomSchema } from './claims.js';
import { zodFields } from './to-zod.js';

/** The policy of a run. */
export const policySchema: z.ZodType<Policy> = z
  .strictObject(zodFields(POLICY))
  .refine(({ min_proposals, proposers }) => min_proposals <= proposers.length, { path: ['min_proposals'] });

const { commits, contradictions, aliases, ...outline } = zodFields(READING, new Map([[ATOM, atomSchema]]));

/**
 * Answer to an `interpretations` request; `commits`, `contradictions` and `aliases` may be left out. That
 * quotes lie in the seed is judged by the kernel alone.
 */
export const interpretationsSchema: z.ZodType<readonly Interpretation[]> = z.array(
  z
    .strictObject({
      ...outline,
      commits: commits.default([]),
      contradictions: contradictions.default([]),
      aliases: aliases.default([]),
    })
    .refine((reading) => INTERPRETATION(reading as unknown as Json) === null, { path: ['contradictions'] }),
);
