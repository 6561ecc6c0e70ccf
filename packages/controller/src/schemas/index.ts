/**
 * Schemas of what a controller run is given, asks, is answered and leaves, of what the command prints of
 * them and of audits: shapes, published as JSON Schema.
 *
 * @packageDocumentation
 */
export { auditDocumentSchema, controlDocumentSchema } from './documents.js';
export { CONTROLLER_PUBLISHED } from './published.js';
