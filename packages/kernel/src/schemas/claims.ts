/**
 * Schemas of decimals, atoms, quotes and claims. Source: intent I1, I2.
 *
 * @module
 */
import * as z from 'zod';
import type { Digest } from '../hash/sha256.js';
import { KEY, TEXT_FORMS, TEXT_VALUE, type Atom } from '../intent/atom.js';
import { DECIMAL } from '../intent/decimal.js';
import { QUOTE, type Quote } from '../intent/seed.js';
import { TEXT_UNITS } from '../intent/units.js';
import { digest } from '../ledger/shape.js';
import { toZod } from './to-zod.js';

const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='] as const;

/** 64 lower-case hex digits. */
export const digestSchema: z.ZodType<Digest> = toZod(digest);
/** A span of the seed in code points, `[start, end)`, not empty. */
export const quoteSchema: z.ZodType<Quote> = toZod(QUOTE);

const key = toZod(KEY);
/** No control characters and no spaces; `date`, `clock` and `datetime` belong to text. */
const unit = z.string().regex(new RegExp(`^(?!(?:${TEXT_UNITS.join('|')})$)[!-~\\u0080-\\uffff]{1,64}$`));

/** `key op value unit`, the value going with op and unit, which the kernel's shape says as a test. */
export const atomSchema: z.ZodType<Atom> = z.union([
  z.strictObject({ key, op: z.enum(COMPARISONS), value: toZod(DECIMAL), unit: z.nullable(unit) }),
  z.strictObject({ key, op: z.enum(['=', '!=']), value: z.boolean(), unit: z.null() }),
  z.strictObject({
    key,
    op: z.enum(['=', '!=', 'in', 'not_in']),
    value: toZod(TEXT_VALUE),
    unit: z.null(),
  }),
  ...TEXT_FORMS.map(([name, form]) =>
    z.strictObject({ key, op: z.enum(COMPARISONS), value: z.string().regex(form), unit: z.literal(name) }),
  ),
]);
