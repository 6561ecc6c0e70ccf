/**
 * zod schemas of what a controller run is given, asks, is answered and leaves, of what the command prints of
 * them, of audits and of memory documents; published as JSON Schema too.
 *
 * @packageDocumentation
 */
export {
  count,
  criterionDraftSchema,
  criterionSchema,
  digestSchema,
  evidence,
  failureClass,
  localId,
  phrase,
  targetSchema,
  textTo,
  toolName,
  toolSchema,
  whole,
} from './parts.js';
export {
  controllerInputSchema,
  controllerPolicySchema,
  ggsPolicySchema,
  guardPolicySchema,
  sessionTurnSchema,
} from './policy.js';
export {
  clockReadingSchema,
  confirmationSchema,
  controllerAnswerSchemas,
  executionSchema,
  judgementSchema,
  mergeSchema,
  planDraftSchema,
  recallSchema,
  taskSpecSchema,
  taskVerdictSchema,
  toolCallSchema,
  verdictSchema,
} from './answers.js';
export { controllerAskSchemas } from './asks.js';
export {
  auditDocumentSchema,
  auditReportSchema,
  evaluationSchema,
  figureSchema,
  finalResultSchema,
} from './results.js';
export {
  type ControlDocument,
  type ControlExplanation,
  type ControlWhatIfDocument,
  controlDocumentSchema,
  controlExplainSchema,
  controlWhatIfSchema,
} from './run-documents.js';
export {
  megramSchema,
  memoryChangedSchema,
  memoryExplainSchema,
  memoryExportSchema,
  memoryInspectSchema,
  memoryLearnSchema,
  memoryMegramSchema,
  memoryTagSchema,
} from './memory-documents.js';
export { CONTROLLER_PUBLISHED } from './published.js';
