/**
 * Schemas of what a controller run is given, asks, is answered and leaves, of what the command prints of
 * them and of audits: shapes, published as JSON Schema.
 *
 * @packageDocumentation
 */
export { CONTROLLER_PUBLISHED, auditDocumentSchema, controlDocumentSchema } from './published.js';
