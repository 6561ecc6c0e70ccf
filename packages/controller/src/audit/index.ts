/**
 * The auditor: any ledger becomes a report for the operator. No role can be spoken to from here.
 *
 * @packageDocumentation
 */
export { type AuditPlace, type AuditReport, type Finding, alertsOf } from './report.js';
export { type AuditPolicy, defaultAuditPolicy } from './policy.js';
export { auditor, type Auditor } from './auditor.js';
