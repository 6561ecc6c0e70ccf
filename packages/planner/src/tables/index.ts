/**
 * A run as the eleven tables of the document: a projection of the ledger, never the truth. Source: 000 §2.
 *
 * @packageDocumentation
 */
export { planTables } from './tables.js';
export type { SqlTable } from './table.js';
