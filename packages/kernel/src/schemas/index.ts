/**
 * zod schemas of what runs are given and what they leave, for shells; published as JSON Schema too.
 *
 * @packageDocumentation
 */
export { atomSchema, claimSchema, decimalSchema, digestSchema, quoteSchema } from './claims.js';
export { interpretationsSchema, policySchema } from './inputs.js';
export {
  blueprintSchema,
  reasonSchema,
  refusalReportSchema,
  verificationPackSchema,
  vetoSchema,
} from './artifacts.js';
export { type EvidenceDocument, evidenceSchema } from './evidence.js';
export {
  edgeSchema,
  genesisRecordSchema,
  headSchema,
  nameSchema,
  payloadSchemas,
  proposerSchema,
  recordSchema,
  requestIdSchema,
  runIdSchema,
  stateSchema,
  tableOf,
} from './ledger.js';
export {
  type AnswerDocument,
  type FixtureDocument,
  type FixtureExpectedDocument,
  type RecordingDocument,
  fixtureExpectedSchema,
  fixtureSchema,
  recordingSchema,
  snapshotSchema,
} from './files.js';
export { type VerdictDocument, type VerifyResults, verifyDocumentSchema } from './verify-document.js';
export {
  type ExplainDocument,
  type PinnableKey,
  type SuggestedCommand,
  explainDocumentSchema,
  explanationSchema,
} from './explanation.js';
export {
  type CopiedRun,
  type CopyDocument,
  type ListedHead,
  type ListedRun,
  type RunsDocument,
  copyDocumentSchema,
  runsDocumentSchema,
} from './store-documents.js';
export { PUBLISHED, type Published, jsonSchemaOf } from './published.js';
