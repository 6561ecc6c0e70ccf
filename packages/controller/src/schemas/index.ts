/**
 * zod schemas of what a controller run is given, asks, is answered and leaves, of what the command prints of
 * them, of audits and of memory documents; published as JSON Schema too.
 *
 * @packageDocumentation
 */
export { auditDocumentSchema } from './results.js';
export { controlDocumentSchema } from './run-documents.js';
export {
  memoryChangedSchema,
  memoryExplainSchema,
  memoryExportSchema,
  memoryInspectSchema,
  memoryLearnSchema,
} from './memory-documents.js';
export { CONTROLLER_PUBLISHED } from './published.js';
