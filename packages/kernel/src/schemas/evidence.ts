/**
 * Schema of the evidence that a verification pack is evaluated by. Source: intent I18.
 *
 * @module
 */
import * as z from 'zod';
import { decimalOfNumber, type Decimal } from '../intent/decimal.js';
import { EVIDENCE_UNITS_MAX } from '../intent/evaluate.js';
import { decimalSchema } from './claims.js';

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

const text = z.string().max(EVIDENCE_UNITS_MAX);
/** No control characters and no spaces. */
const unit = z.string().regex(/^[!-~\u0080-\uffff]{1,64}$/);
const number = z.number().refine((value) => decimalOfNumber(value) !== null);

/** Evidence for a pack: what `parseEvidence` takes. */
export const evidenceSchema: z.ZodType<EvidenceDocument> = z.array(
  z.strictObject({
    check_id: text,
    observed: z.union([z.boolean(), text, number, decimalSchema]),
    unit: z.exactOptional(z.nullable(unit)),
    source: text,
  }),
);
