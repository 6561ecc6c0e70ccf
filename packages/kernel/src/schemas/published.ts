/**
 * The published JSON Schemas: one file in `schemas/` for each.
 *
 * JSON Schema says less than the schemas do: that an end follows its start, that names differ, that not all
 * weights are 0. Lengths count code points there and UTF-16 units here.
 *
 * @module
 */
import * as z from 'zod';
import { blueprintSchema, refusalReportSchema, verificationPackSchema } from './artifacts.js';
import { interpretationsSchema, policySchema } from './inputs.js';
import { verifyDocumentSchema } from './verify-document.js';

/** The schemas by the name of their file, `schemas/NAME.schema.json`. */
export const PUBLISHED: readonly (readonly [name: string, title: string, schema: z.ZodType])[] = [
  ['policy', 'Policy of an intent run', policySchema],
  ['interpretations', 'Answer to an interpretations request', interpretationsSchema],
  ['blueprint', 'Blueprint', blueprintSchema],
  ['verification-pack', 'Verification pack', verificationPackSchema],
  ['refusal-report', 'Refusal report', refusalReportSchema],
  ['verify', 'What assay verify --json prints', verifyDocumentSchema],
];

/** A published schema as JSON Schema, draft 2020-12. */
export function jsonSchemaOf(name: string): object | null {
  const found = PUBLISHED.find(([known]) => known === name);
  if (found === undefined) return null;
  const [, title, schema] = found;
  return { ...z.toJSONSchema(schema, { target: 'draft-2020-12', reused: 'inline' }), title };
}
