/**
 * The artifacts of a controller run, and the report of the auditor. Source: 002 §R7 "Contract",
 * `FinalResult`; 003 §R6.
 *
 * @module
 */
import * as z from 'zod';
import {
  ANOMALY_CODES,
  BOUNDARY_CODES,
  DRIFT_CODES,
  FINDING_TEXT_MAX,
  FINDINGS_MAX,
  OUTCOMES_MAX,
  TOOLS_SHOWN_MAX,
  TRENDS_MAX,
  type AuditReport,
  type Finding,
} from '../audit/report.js';
import type { GgsEvaluation } from '../ggs/evaluation.js';
import type { GgsHistory } from '../ggs/history.js';
import type { UnmetCriterion } from '../ggs/measures.js';
import type { Figure } from '../ggs/rational.js';
import { BANDS, DIRECTIVES } from '../ggs/table.js';
import type { FinalResult } from '../loop/final-result.js';
import { ROLES } from '../protocol/roles.js';
import { count, failureClass, localId, whole } from './parts.js';

const text = z.string();
const texts = z.array(text);
/** A rational: `n/d` in lowest terms. */
const exact = z.string().regex(/^-?(?:0|[1-9]\d*)\/[1-9]\d*$/);
/** A figure: exact, and in parts per million toward zero. */
export const figureSchema: z.ZodType<Figure> = z.strictObject({ ppm: z.int(), exact });
const trend = z.enum(['improving', 'stable', 'worsening']);
const directive = z.enum(DIRECTIVES);
const given = z.enum(['init', ...DIRECTIVES]);
const target = z.strictObject({ tool: text, target: text });

const unmet: z.ZodType<UnmetCriterion> = z.strictObject({
  id: z.nullable(text),
  text: z.nullable(text),
  scope: z.enum(['subtask', 'task']),
  subtask: z.nullable(text),
  hard: z.boolean(),
  failure_class: failureClass,
  weight: exact,
});
const history: z.ZodType<GgsHistory> = z.strictObject({
  rounds: count,
  last: z.nullable(z.strictObject({ loss: exact, task: exact, distance: exact, band: z.enum(BANDS) })),
  worsening_count: count,
  prev_directive: given,
  blocked_targets: z.array(target),
  failing_tools: z.array(z.strictObject({ tool: text, class: z.nullable(text) })),
});

/** The artifact `evaluation`, and the `evaluation` of each `PlanDirective`. */
export const evaluationSchema: z.ZodType<GgsEvaluation> = z.strictObject({
  round: z.int().min(1),
  D: figureSchema,
  P: figureSchema,
  Omega: figureSchema,
  L: figureSchema,
  grad_l: figureSchema,
  grad_task: figureSchema,
  epsilon_effective: figureSchema,
  omega_rule: z.enum(['sum', 'clamp', 'replans', 'time']),
  band: z.enum(BANDS),
  first_round: z.boolean(),
  worsening_count: count,
  gap_trend: trend,
  distance_floor: z.nullable(z.enum(['hard_criterion', 'r4b_rejected'])),
  cell: z.int().min(1).max(24),
  directive,
  reason: text,
  prev_directive: given,
  urgency: z.enum(['low', 'normal', 'high']),
  budget_pressure: figureSchema,
  blocked_tools: texts,
  blocked_classes: texts,
  blocked_targets: z.array(target),
  blocked_targets_added: z.array(target),
  failed_criterion: z.nullable(unmet),
  failure_class: z.enum(['logical', 'environmental', 'mixed', 'none']),
  logical_failures: count,
  environmental_failures: count,
  criteria_total: count,
  unmet: z.array(unmet),
  rationale: text,
  history,
});

/** The artifact `final_result`. */
export const finalResultSchema: z.ZodType<FinalResult> = z.strictObject({
  format: z.literal('assay/final-result/1'),
  directive: z.enum(['accept', 'success', 'abandon']),
  prev_directive: given,
  reason: text,
  why: z.nullable(text),
  summary: text,
  output: whole,
  partial: z.array(
    z.strictObject({ subtask: localId, intent: text, status: z.enum(['matched', 'failed']), output: text }),
  ),
  loss: z.strictObject({ D: figureSchema, P: figureSchema, Omega: figureSchema, L: figureSchema }),
  grad_l: figureSchema,
  replans: count,
  unmet: z.array(
    z.strictObject({
      criterion: text,
      text,
      hard: z.boolean(),
      verdict: z.enum(['fail', 'none', 'not_run', 'ambiguous']),
      failure_class: failureClass,
      evidence: text,
    }),
  ),
  next_moves: z.array(z.strictObject({ code: text, text })),
  accountable: z.array(z.strictObject({ failure: text, role: z.enum(ROLES), criterion: z.nullable(text) })),
  costs: z.strictObject({
    calls: count,
    sequential_calls: count,
    tool_calls: count,
    spent: z.record(text, count),
  }),
});

const place = z.nullable(z.strictObject({ run_id: text, record: count, at_us: z.nullable(count) }));
const findings = <C extends string>(codes: readonly C[]): z.ZodType<readonly Finding<C>[]> =>
  z
    .array(
      z.strictObject({
        code: z.enum(codes),
        run_id: text,
        record: count,
        text: z.string().max(FINDING_TEXT_MAX),
      }),
    )
    .max(FINDINGS_MAX) as z.ZodType<unknown> as z.ZodType<readonly Finding<C>[]>;

/** One report of the auditor. */
export const auditReportSchema: z.ZodType<AuditReport> = z.strictObject({
  format: z.literal('assay/audit-report/1'),
  trigger: z.enum(['periodic', 'on-demand']),
  window_start: place,
  window_end: place,
  records: count,
  tasks_observed: count,
  total_corrections: count,
  gap_trends: z.array(z.strictObject({ task: text, trend, record: count })).max(TRENDS_MAX),
  boundary_violations: findings(BOUNDARY_CODES),
  drift_alerts: findings(DRIFT_CODES),
  anomalies: findings(ANOMALY_CODES),
  outcomes: z.array(z.strictObject({ outcome: text, reason: text, runs: count })).max(OUTCOMES_MAX),
  tools: z.array(z.strictObject({ tool: text, status: text, calls: count })).max(TOOLS_SHOWN_MAX),
  tool_health: z.strictObject({
    execution_failures: count,
    environmental_retries: count,
    logical_retries: count,
    trouble: count,
  }),
  answers: z.strictObject({ accepted: count, rejected: count, failed: count }),
  omitted: z.strictObject({
    gap_trends: count,
    boundary_violations: count,
    drift_alerts: count,
    anomalies: count,
    outcomes: count,
    tools: count,
  }),
  unseen: z.strictObject({ erased: count, requests: count }),
});

/** What `assay audit --json` prints. */
export const auditDocumentSchema: z.ZodType<{
  readonly reports: readonly AuditReport[];
  readonly alerts: number;
}> = z.strictObject({ reports: z.array(auditReportSchema), alerts: count });
