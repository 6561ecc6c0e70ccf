/**
 * What the command prints as JSON of controllers and audits. Source: 002 §R7 `FinalResult`; 003 §R6;
 * planner-controller B.3.
 *
 * @module
 */
import { closed, flag, list, matching, nullable, oneOf } from '@assay/kernel/shape';
import { AUDIT_REPORT } from '../audit/report.js';
import { action, anyText, count, finalResultSchema, head, ROUND_SHOWN } from './results.js';

/**
 * What `assay task --json`, and `assay resume --json` of a task, prints.
 *
 * - `cause`: of an abandoned task, the last thing that went wrong by itself; `tool` null where nothing was called.
 *   Null else, or where who gave up said no more than a code.
 * - `stopped_at`: calls at which work failed, in the tool's own words.
 * - `confirmations`: `lacking`, actions asked about and not allowed; `idle`, actions allowed and never asked about.
 * - `memory_untold`: why the memory could not be told of the run, and what tells it later.
 * - `records_found`: those that were stored before; `was_over`: all of them were.
 */
export const controlDocumentSchema = closed({
  run_id: anyText,
  ts_base: anyText,
  status: oneOf(['success', 'refused']),
  reasons: list(anyText),
  head,
  head_line: matching(/^assay-head:1:[1-9]\d*:[0-9a-f]{64}$/),
  files: list(anyText),
  rounds: list(closed({ ...ROUND_SHOWN, record: count }), ({ length }) => length > 0, { min: 1 }),
  final_result: finalResultSchema,
  cause: nullable(closed({ tool: nullable(anyText), said: anyText })),
  stopped_at: list(closed({ tool: anyText, said: anyText })),
  confirmations: closed({ lacking: list(action), idle: list(action) }),
  recording_misses: count,
  memory_untold: nullable(closed({ code: anyText, message: anyText, place: anyText, remedy: anyText })),
  was_over: flag,
  records_found: count,
});

/** What `assay audit --json` prints. */
export const auditDocumentSchema = closed({ reports: list(AUDIT_REPORT), alerts: count });
