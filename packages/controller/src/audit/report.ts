/**
 * What the auditor tells the operator, and nobody else: no role can be asked with it, answered by it or sent
 * it. Source: 003 §R6 "Output Contract", §5; dec-B3, dec-B4, dec-B6.
 */
import { closed, integer, nullable, oneOf, sized, text, type Shape, type TypeOf } from '@assay/kernel/shape';
import { upTo } from '../protocol/criteria.js';

/** Findings of one list in one report. */
export const FINDINGS_MAX = 256;
/** Tasks whose trend one report shows. */
export const TRENDS_MAX = 64;
/** Pairs of outcome and reason that one report shows. */
export const OUTCOMES_MAX = 64;
/** Pairs of tool and status that one report shows. */
export const TOOLS_SHOWN_MAX = 128;
/** Longest text of a finding, in UTF-16 units. */
export const FINDING_TEXT_MAX = 400;

const anyText = text();
const count = integer(0);

export const PLACE = closed({ run_id: anyText, record: count, at_us: nullable(count) });
/**
 * A place in a ledger. `record`: its sequence there; `at_us`: the latest stamp recorded up to it, null where
 * none was. No clock is read.
 */
export type AuditPlace = TypeOf<typeof PLACE>;

/** Messages and answers that the protocol does not allow. */
const BOUNDARY_CODES = [
  /** (from, to, kind) stands outside the routing table (dec-B2). */
  'unrouted_message',
  /** A message event that names no sender, receiver or kind. */
  'malformed_message',
  /** R6 speaks in a run: its principal is the operator (003 §5, dec-B6). */
  'auditor_speaks',
  /** A FinalResult or a Megram that R7 did not send (law-G12, law-M6). */
  'not_from_r7',
  /** A task ended twice (law-G12). */
  'second_final_result',
  /**
   * A value was accepted from a source that the protocol does not let answer this kind, whatever the request
   * says.
   */
  'source_not_allowed',
  /** A value was accepted from a source that its request does not accept. Any machine. */
  'source_not_accepted',
  /** A role was played by somebody else than the policy says. */
  'role_not_bound',
  /** An answer was accepted that no open request asked for. Any machine. */
  'nothing_asked',
] as const;
/** One of {@link BOUNDARY_CODES}. */
export type BoundaryCode = (typeof BOUNDARY_CODES)[number];

/** The task, or how well it is done, moves while nobody decided that. */
const DRIFT_CODES = [
  /**
   * A planner or a meta-validator is asked about another intent than the perceiver gave, or the task is
   * specified anew.
   */
  'intent_changed',
  /** A criterion of the task, or a hard one of a sub-task, is not in the next plan. */
  'criterion_dropped',
  /** A criterion that was unmet is not in the next plan. */
  'unmet_criterion_dropped',
  /** The same criterion is no longer hard, or only plausible where it was verifiable. */
  'criterion_weakened',
  /** Each of the last tasks needed more corrections than the one before it. */
  'corrections_rising',
  /** Too many of the answers of one role were rejected in this window. */
  'rejections_high',
  /** More of the last runs failed than of as many before them (calls/C12). */
  'abandoned_rising',
] as const;
/** One of {@link DRIFT_CODES}. */
export type DriftCode = (typeof DRIFT_CODES)[number];

/**
 * Loops, acts and ends that no single message shows. `repeated_triple` to `no_op_loop` are those of the
 * machine's own guard. Source: dec-B3, calls/C12.
 */
const ANOMALY_CODES = [
  'ggs_thrashing',
  'repeated_triple',
  'oscillation',
  'no_op_loop',
  'unconfirmed_action',
  /** The same cause ended several of the last runs. Any machine. */
  'same_cause',
  /** The budget did not cover a request. Any machine. */
  'budget_exhausted',
] as const;
/** One of {@link ANOMALY_CODES}. */
export type AnomalyCode = (typeof ANOMALY_CODES)[number];

/**
 * Something found: `record` is the record it rests on, `text` is for people and may hold text from evidence,
 * so escape it. At most 400 units.
 */
export type Finding<C extends string> = {
  readonly code: C;
  readonly run_id: string;
  readonly record: number;
  readonly text: string;
};
const findings = <const C extends string>(codes: readonly C[]): Shape<readonly Finding<C>[]> =>
  upTo(
    FINDINGS_MAX,
    closed({ code: oneOf(codes), run_id: anyText, record: count, text: sized(0, FINDING_TEXT_MAX) }),
  );

const TREND = closed({ task: anyText, trend: oneOf(['improving', 'stable', 'worsening']), record: count });
/**
 * What the distance did at the last evaluation of a task in the window: the sign of its change, exactly
 * (dec-B4).
 */
export type TaskTrend = TypeOf<typeof TREND>;

export const HEALTH = closed({
  execution_failures: count,
  environmental_retries: count,
  logical_retries: count,
  trouble: count,
});
/**
 * Counts of calls that failed and of attempts made again, by the class of the failure. `trouble`: answers of
 * a port that failed, and calls that ended `error`, `timeout` or `interrupted`. Source: 003 §R6 "ToolHealth",
 * calls/C12.
 */
export type ToolHealth = TypeOf<typeof HEALTH>;

const TOOL = closed({ tool: anyText, status: anyText, calls: count });
/** Calls of one tool that ended with one status. */
export type ToolCount = TypeOf<typeof TOOL>;

const OUTCOME = closed({ outcome: anyText, reason: anyText, runs: count });
/**
 * Runs that ended alike. `outcome`: the last directive of a task, else the status of the close; `reason`: ""
 * where none was said.
 */
export type OutcomeCount = TypeOf<typeof OUTCOME>;

/** Answers of a window, of any machine: accepted with a value, rejected, and failures. */
export const ANSWER_COUNTS = closed({ accepted: count, rejected: count, failed: count });

/** The lists of a report, which are bounded. */
export const LISTS = {
  gap_trends: upTo(TRENDS_MAX, TREND),
  boundary_violations: findings(BOUNDARY_CODES),
  drift_alerts: findings(DRIFT_CODES),
  anomalies: findings(ANOMALY_CODES),
  outcomes: upTo(OUTCOMES_MAX, OUTCOME),
  tools: upTo(TOOLS_SHOWN_MAX, TOOL),
};
/** Shape of what each list does not hold, counted. */
export const OMITTED = closed({
  gap_trends: count,
  boundary_violations: count,
  drift_alerts: count,
  anomalies: count,
  outcomes: count,
  tools: count,
});
/** Shape of what was not judged. */
export const UNSEEN = closed({ erased: count, requests: count });

export const AUDIT_REPORT = closed({
  format: oneOf(['assay/audit-report/1']),
  trigger: oneOf(['periodic', 'on-demand']),
  window_start: nullable(PLACE),
  window_end: nullable(PLACE),
  records: count,
  tasks_observed: count,
  total_corrections: count,
  ...LISTS,
  tool_health: HEALTH,
  answers: ANSWER_COUNTS,
  omitted: OMITTED,
  unseen: UNSEEN,
});
/**
 * One report on one window. `tasks_observed`: runs with a record in the window; a task is a run (dec-G20).
 * `outcomes` and `tools` come in the order in which each was seen first. `omitted`: findings beyond 256, and
 * what the other lists do not hold, counted. `unseen`: erased records, and requests that were not watched
 * because too many were open or the ledger was taken up in its middle: what depends on them was not judged.
 * Source: 003 §R6.
 */
export type AuditReport = TypeOf<typeof AUDIT_REPORT>;

/** Alerts of a report: everything that an operator should look at. */
export function listAlerts({
  boundary_violations,
  drift_alerts,
  anomalies,
}: Pick<AuditReport, 'boundary_violations' | 'drift_alerts' | 'anomalies'>): readonly Finding<
  BoundaryCode | DriftCode | AnomalyCode
>[] {
  return [...boundary_violations, ...drift_alerts, ...anomalies];
}
