/**
 * The auditor: any ledger becomes a report for the operator. No role can be spoken to from here.
 *
 * @packageDocumentation
 */
export {
  ANOMALY_CODES,
  type AnomalyCode,
  type AnswerCounts,
  type AuditPlace,
  type AuditReport,
  BOUNDARY_CODES,
  type BoundaryCode,
  DRIFT_CODES,
  type DriftCode,
  FINDINGS_MAX,
  FINDING_TEXT_MAX,
  type Finding,
  TRENDS_MAX,
  type TaskTrend,
  type ToolHealth,
  alertsOf,
} from './report.js';
export { type AuditPolicy, RISING_MAX, defaultAuditPolicy, parseAuditPolicy } from './policy.js';
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
