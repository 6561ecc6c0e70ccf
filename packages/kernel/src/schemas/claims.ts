/**
 * Schemas of decimals, atoms, quotes and claims. Source: intent I1, I2.
 *
 * @module
 */
import * as z from 'zod';
import { isDigest, type Digest } from '../hash/sha256.js';
import { KEY_PATTERN, KEY_UNITS_MAX, VALUE_UNITS_MAX, type Atom } from '../intent/atom.js';
import { CLAIM_KINDS, MODALITIES, type Claim } from '../intent/claim.js';
import { SCALE_MAX, type Decimal } from '../intent/decimal.js';
import type { Quote } from '../intent/seed.js';
import { TEXT_UNITS } from '../intent/units.js';

const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='] as const;

/** 64 lower-case hex digits. */
export const digestSchema: z.ZodType<Digest> = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .refine(isDigest);

/** The number n·10^−scale. */
export const decimalSchema: z.ZodType<Decimal> = z.strictObject({
  n: z.int(),
  scale: z.int().min(0).max(SCALE_MAX),
});

/** A span of the seed in code points, `[start, end)`, not empty. */
export const quoteSchema: z.ZodType<Quote> = z
  .strictObject({ start: z.int().min(0), end: z.int().min(1) })
  .refine(({ start, end }) => start < end, { path: ['end'] });

const key = z.string().regex(KEY_PATTERN).max(KEY_UNITS_MAX);
const text = z.string().min(1).max(VALUE_UNITS_MAX);
/** No control characters and no spaces; `date`, `clock` and `datetime` belong to text. */
const unit = z.string().regex(new RegExp(`^(?!(?:${TEXT_UNITS.join('|')})$)[!-~\\u0080-\\uffff]{1,64}$`));
const TEXTS: readonly (readonly [unit: (typeof TEXT_UNITS)[number], form: RegExp])[] = [
  ['date', /^[0-9]{4}-[01][0-9]-[0-3][0-9]$/],
  ['clock', /^[0-2][0-9]:[0-5][0-9]$/],
  ['datetime', /^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]$/],
];

/** `key op value unit`, the value going with op and unit. */
export const atomSchema: z.ZodType<Atom> = z.union([
  z.strictObject({ key, op: z.enum(COMPARISONS), value: decimalSchema, unit: z.nullable(unit) }),
  z.strictObject({ key, op: z.enum(['=', '!=']), value: z.boolean(), unit: z.null() }),
  z.strictObject({ key, op: z.enum(['=', '!=', 'in', 'not_in']), value: text, unit: z.null() }),
  ...TEXTS.map(([name, form]) =>
    z.strictObject({ key, op: z.enum(COMPARISONS), value: z.string().regex(form), unit: z.literal(name) }),
  ),
]);

/** One commitment. */
export const claimSchema: z.ZodType<Claim> = z.strictObject({
  kind: z.enum(CLAIM_KINDS),
  modality: z.enum(MODALITIES),
  quote: z.nullable(quoteSchema),
  atom: z.nullable(atomSchema),
  scope: z.strictObject({
    actor: z.nullable(quoteSchema),
    condition: z.nullable(quoteSchema),
    exception: z.nullable(quoteSchema),
  }),
});
