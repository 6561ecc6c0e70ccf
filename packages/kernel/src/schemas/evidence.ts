/**
 * Schema of the evidence that a verification pack is evaluated by. Source: intent I18.
 *
 * @module
 */
import * as z from 'zod';
import { DECIMAL, decimalOfNumber, type Decimal } from '../intent/decimal.js';
import { OBSERVATION } from '../intent/evaluate.js';
import { toZod, zodFields } from './to-zod.js';

/**
 * Evidence as it is written: a list of observations. A plain number is taken by its shortest decimal; a unit
 * left out is none.
 */
export type EvidenceDocument = readonly {
  readonly check_id: string;
  readonly observed: string | boolean | number | Decimal;
  readonly unit?: string | null;
  readonly source: string;
}[];

const { check_id, source, unit } = zodFields(OBSERVATION);
const number = z.number().refine((value) => decimalOfNumber(value) !== null);

/** Evidence for a pack: what `parseEvidence` takes. */
export const evidenceSchema: z.ZodType<EvidenceDocument> = z.array(
  z.strictObject({
    check_id,
    observed: z.union([z.boolean(), source, number, toZod(DECIMAL)]),
    unit: z.exactOptional(unit),
    source,
  }),
);
