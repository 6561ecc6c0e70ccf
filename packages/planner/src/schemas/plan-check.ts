/**
 * What `assay plan check --json` prints, and the tool `plan_check` answers.
 *
 * @module
 */
import * as z from 'zod';

const ids: z.ZodType<string[]> = z.array(z.string());
const status: z.ZodType<string> = z.enum(['SAT', 'TIGHT', 'UNSAT', 'UNKNOWN']);
const integer: z.ZodType<number> = z.int();
const PAIR = 2;
const TRIPLE = 3;
// Pairs are lists of one length: validators of older drafts know no tuples.
const estimate: z.ZodType<number[]> = z.array(integer).length(TRIPLE);
const choice: z.ZodType<string[][]> = z.array(z.array(z.string()).length(PAIR));
const amounts: z.ZodType<(string | number)[][]> = z.array(
  z.array(z.union([z.string(), integer])).length(PAIR),
);
const standing = { status, total: estimate.nullable(), slack: integer.nullable() };
const key = { changes: choice, confidence: integer, cost: integer, effort: integer };

const certificate: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({ weights: amounts, unit: z.int().min(0) }),
    z.strictObject({ coupling: z.string(), tasks: z.array(z.string()).length(PAIR) }),
    z.strictObject({ task: z.string(), parts: z.array(z.array(z.union([ids, certificate])).length(PAIR)) }),
  ]),
);

const claim: z.ZodType = z.strictObject({
  about: z.string(),
  objective: z.enum(['substitutions', 'cost', 'effort']).nullable(),
  bounds: z.strictObject({
    substitutions: integer.optional(),
    confidence: integer.optional(),
    cost: integer.optional(),
    effort: integer.optional(),
  }),
  part: z.strictObject({ constraints: ids, tasks: ids, current: z.boolean() }).nullable(),
  claim: z.union([
    z.strictObject({ kind: z.literal('unsat') }),
    z.strictObject({ kind: z.enum(['at_least', 'raise']), value: integer }),
  ]),
  certificate,
});

/** The document of a checked plan. `next`: the command, as words, that tries the caps it needs. */
export const planCheckSchema: z.ZodType = z.strictObject({
  plan: z.string(),
  status,
  tasks: integer,
  combinations: z.string().regex(/^[1-9][0-9]*$/),
  constraints: z.array(
    z.strictObject({
      id: z.string(),
      kind: z.enum(['row', 'metric', 'coupling', 'deadline']),
      unit: z.string(),
      op: z.enum(['<', '<=', '>', '>=']),
      bound: integer,
      hard: z.boolean(),
      ...standing,
      exposed: z.boolean(),
      hopeless: z.boolean(),
      repaired: z.strictObject(standing).nullable(),
    }),
  ),
  schedule: z.strictObject({ length: estimate, barrier: integer, critical: ids, zero_slack: ids }),
  cores: z.array(z.strictObject({ constraint: z.string(), tasks: amounts })),
  survey: ids,
  exits: ids,
  missing: z.array(z.strictObject({ constraint: z.string(), approaches: ids })),
  repair: z
    .union([
      z.strictObject({
        label: z.enum(['exact', 'optimal', 'bounded']),
        ...key,
        unfinished: z.string().nullable(),
        bound: integer.nullable(),
      }),
      z.strictObject({ label: z.enum(['none', 'open']) }),
    ])
    .nullable(),
  next_repairs: z.array(z.strictObject(key)),
  next_complete: z.boolean(),
  raise: z
    .strictObject({
      total: integer,
      by: amounts,
      choice,
      proven: z.boolean(),
      bound: integer,
    })
    .nullable(),
  core_best: z.strictObject({ constraints: ids, tasks: ids, minimal: z.boolean() }).nullable(),
  needed: z.array(z.strictObject({ id: z.string(), op: z.enum(['<', '<=']), bound: integer })),
  proofs: z.array(claim),
  next: z.array(ids),
});
