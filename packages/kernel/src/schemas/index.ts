/**
 * zod schemas of what runs are given and what they leave, for shells; published as JSON Schema too.
 *
 * @packageDocumentation
 */
export { blueprintSchema, refusalReportSchema, verificationPackSchema } from './artifacts.js';
export { type ExplainDocument, explainDocumentSchema, viewSchemas } from './explanation.js';
export {
  type CopiedRun,
  type CopyDocument,
  type ListedRun,
  type RunsDocument,
  copyDocumentSchema,
  runsDocumentSchema,
} from './store-documents.js';
export {
  type BlameDocument,
  blameDocumentSchema,
} from './blame.js';
export {
  type ImpactDocument,
  type ImpactEnd,
  type ImpactFlip,
  type ImpactGroup,
  type ImpactRow,
  impactDocumentSchema,
} from './impact.js';
export { type WhatIfDocument, type WhatIfEnd, whatIfDocumentSchema } from './whatif.js';
export { PUBLISHED, type Published, jsonSchemaOf } from './published.js';
export { type Known, toZod } from './to-zod.js';
