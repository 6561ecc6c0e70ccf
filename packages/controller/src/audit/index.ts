/**
 * The auditor: any ledger becomes a report for the operator. No role can be spoken to from here.
 *
 * @packageDocumentation
 */
export * from './report.js';
export * from './policy.js';
export { auditor, type Auditor, type Fed } from './auditor.js';
export {
  ANSWER_CALLS_MAX,
  CRITERIA_SEEN_MAX,
  OPEN_MAX,
  ROUND_CALLS_MAX,
  TOLD_MAX,
  type AuditState,
  type CriterionSeen,
  type OpenSeen,
  type Pending,
  type RoleSeen,
  type RunSeen,
  type TextSeen,
  type ToolSeen,
  type Window,
} from './state.js';
