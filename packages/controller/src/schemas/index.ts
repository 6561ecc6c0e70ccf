/**
 * Schemas of what a controller run is given, asks, is answered and leaves, of what the command prints of
 * them, of audits and of memory documents: shapes, published as JSON Schema.
 *
 * @packageDocumentation
 */
export {
  auditDocumentSchema,
  controlDocumentSchema,
  memoryChangedSchema,
  memoryExplainSchema,
  memoryExportSchema,
  memoryInspectSchema,
  memoryLearnSchema,
} from './documents.js';
export { CONTROLLER_PUBLISHED } from './published.js';
