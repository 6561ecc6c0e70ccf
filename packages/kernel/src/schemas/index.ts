/**
 * zod schemas of what runs are given and what they leave, for shells; published as JSON Schema too.
 *
 * @packageDocumentation
 */
export * from './claims.js';
export * from './inputs.js';
export * from './artifacts.js';
export * from './evidence.js';
export * from './ledger.js';
export * from './files.js';
export * from './verify-document.js';
export * from './explanation.js';
export * from './store-documents.js';
export * from './published.js';
