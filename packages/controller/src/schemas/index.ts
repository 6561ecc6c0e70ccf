/**
 * zod schemas of what a controller run is given, asks, is answered and leaves, of what the command prints of
 * them, of audits and of memory documents; published as JSON Schema too.
 *
 * @packageDocumentation
 */
export * from './parts.js';
export * from './policy.js';
export * from './answers.js';
export * from './asks.js';
export * from './results.js';
export * from './run-documents.js';
export * from './memory-documents.js';
export * from './published.js';
