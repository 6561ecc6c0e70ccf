/**
 * The auditor: any ledger becomes a report for the operator. No role can be spoken to from here.
 *
 * @packageDocumentation
 */
export { type AuditPlace, type AuditReport, listAlerts } from './report.js';
export { defaultAuditPolicy } from './state.js';
export { auditor } from './auditor.js';
