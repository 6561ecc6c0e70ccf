/**
 * Schemas of what runs are given and what they leave: shapes, published as JSON Schema.
 *
 * @packageDocumentation
 */
export { blueprintSchema, refusalReportSchema, verificationPackSchema } from './artifacts.js';
export {
  type BlameDocument,
  type CopiedRun,
  type CopyDocument,
  type FleetDocument,
  type ImpactDocument,
  type ImpactEnd,
  type ImpactFlip,
  type ImpactCompared,
  type ImpactGroup,
  type ImpactRow,
  type ListedRun,
  type RunsDocument,
  type SubmitDocument,
  type WhatIfDocument,
  type WhatIfEnd,
  type WorkDocument,
  blameDocumentSchema,
  copyDocumentSchema,
  impactDocumentSchema,
  runsDocumentSchema,
  whatIfDocumentSchema,
} from './documents.js';
export { type ExplainDocument, explainDocumentSchema, viewSchemas } from './explanation.js';
export { PUBLISHED, type Published, findJsonSchema } from './published.js';
