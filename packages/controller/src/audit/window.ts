/** The window of a report: what was found and counted since the last one. Source: 003 §R6 "Skills". */
import { cutText } from '@assay/kernel';
import type { GapTrend } from '../ggs/evaluation.js';
import { type AuditPolicy, TOLD_MAX, type Past, type RunSeen, type Window } from './state.js';
import {
  FINDING_TEXT_MAX,
  FINDINGS_MAX,
  OUTCOMES_MAX,
  TOOLS_SHOWN_MAX,
  TRENDS_MAX,
  type AnomalyCode,
  type AuditReport,
  type BoundaryCode,
  type DriftCode,
  type Finding,
  type OutcomeCount,
  type TaskTrend,
  type ToolCount,
  type ToolHealth,
} from './report.js';

/** A run, the runs before it and the window, while one record is looked at. `record`: its sequence. */
export type Seen = {
  readonly run: RunSeen;
  readonly past: Past;
  readonly window: Window;
  readonly record: number;
};

/** Adds a boundary violation. */
export function boundary(seen: Seen, code: BoundaryCode, text: string): Seen {
  const { window } = seen;
  if (window.boundary.length >= FINDINGS_MAX) return omit(seen, 'boundary_violations');
  return { ...seen, window: { ...window, boundary: [...window.boundary, makeFinding(seen, code, text)] } };
}

/** Adds a drift alert. */
export function drift(seen: Seen, code: DriftCode, text: string): Seen {
  const { window } = seen;
  if (window.drift.length >= FINDINGS_MAX) return omit(seen, 'drift_alerts');
  return { ...seen, window: { ...window, drift: [...window.drift, makeFinding(seen, code, text)] } };
}

/** Adds an anomaly. */
export function anomaly(seen: Seen, code: AnomalyCode, text: string): Seen {
  const { window } = seen;
  if (window.anomalies.length >= FINDINGS_MAX) return omit(seen, 'anomalies');
  return { ...seen, window: { ...window, anomalies: [...window.anomalies, makeFinding(seen, code, text)] } };
}

/** Adds an anomaly unless this run was told of the same one before. `key`: what makes it the same. */
export function anomalyOnce(seen: Seen, code: AnomalyCode, key: string, text: string): Seen {
  const name = `${code} ${key}`;
  if (seen.run.told.includes(name)) return seen;
  const told = [...seen.run.told.slice(-(TOLD_MAX - 1)), name];
  return anomaly({ ...seen, run: { ...seen.run, told } }, code, text);
}

/** Notes what the distance did; the last evaluation of a task in the window counts. */
export function trended(seen: Seen, trend: GapTrend): Seen {
  const { window, run, record } = seen;
  const row: TaskTrend = { task: run.run_id, trend, record };
  const isSame = window.trends.at(-1)?.task === run.run_id;
  if (!isSame && window.trends.length >= TRENDS_MAX) return omit(seen, 'gap_trends');
  return {
    ...seen,
    window: { ...window, trends: [...(isSame ? window.trends.slice(0, -1) : window.trends), row] },
  };
}

/** Counts more of a kind of tool trouble, one if not said. */
export function troubled(seen: Seen, kind: keyof ToolHealth, more: number = 1): Seen {
  const { window } = seen;
  return { ...seen, window: { ...window, health: { ...window.health, [kind]: window.health[kind] + more } } };
}

/** Counts a run that ended. */
export function ended(seen: Seen, outcome: string, reason: string): Seen {
  const { window } = seen;
  const isSame = (row: OutcomeCount): boolean => row.outcome === outcome && row.reason === reason;
  const row = window.outcomes.find(isSame);
  if (row === undefined && window.outcomes.length >= OUTCOMES_MAX) return omit(seen, 'outcomes');
  const outcomes =
    row === undefined
      ? [...window.outcomes, { outcome, reason, runs: 1 }]
      : window.outcomes.map((other) => (other === row ? { ...row, runs: row.runs + 1 } : other));
  return { ...seen, window: { ...window, outcomes } };
}

/** Counts calls of tools. */
export function toolsCalled(seen: Seen, counts: readonly ToolCount[]): Seen {
  return counts.reduce((before, count) => {
    const { window } = before;
    const tools = withCalls(window.tools, count);
    return tools.length > TOOLS_SHOWN_MAX
      ? omit(before, 'tools', count.calls)
      : { ...before, window: { ...window, tools } };
  }, seen);
}

/** Counts by tool and status, with more calls of one. */
export function withCalls(
  rows: readonly ToolCount[],
  { tool, status, calls }: ToolCount,
): readonly ToolCount[] {
  const row = rows.find((other) => other.tool === tool && other.status === status);
  return row === undefined
    ? [...rows, { tool, status, calls }]
    : rows.map((other) => (other === row ? { ...row, calls: row.calls + calls } : other));
}

/**
 * Counts a record: where the window begins and ends, which task it belongs to, and the recorded time that
 * went by.
 */
export function counted(
  window: Window,
  { run_id, at_us }: RunSeen,
  record: number,
  forward_us: number,
): Window {
  const place = { run_id, record, at_us };
  return {
    ...window,
    start: window.start ?? place,
    end: place,
    records: window.records + 1,
    elapsed_us: Math.min(window.elapsed_us + forward_us, Number.MAX_SAFE_INTEGER),
    tasks: window.hasRun ? window.tasks : window.tasks + 1,
    hasRun: true,
  };
}

/** True where the policy asks for a report now. */
export function isDue({ records, elapsed_us }: Window, { every_records, every_us }: AuditPolicy): boolean {
  return (every_records > 0 && records >= every_records) || (every_us > 0 && elapsed_us >= every_us);
}

/** The report on a window. */
export function makeReport(window: Window, trigger: AuditReport['trigger']): AuditReport {
  return {
    format: 'assay/audit-report/1',
    trigger,
    window_start: window.start,
    window_end: window.end,
    records: window.records,
    tasks_observed: window.tasks,
    total_corrections: window.corrections,
    gap_trends: window.trends,
    boundary_violations: window.boundary,
    drift_alerts: window.drift,
    anomalies: window.anomalies,
    outcomes: window.outcomes,
    tools: window.tools,
    tool_health: window.health,
    answers: window.answers,
    omitted: window.omitted,
    unseen: window.unseen,
  };
}

function makeFinding<C extends string>({ run, record }: Seen, code: C, text: string): Finding<C> {
  return { code, run_id: run.run_id, record, text: cutText(text, FINDING_TEXT_MAX) };
}

function omit(seen: Seen, kind: keyof AuditReport['omitted'], more: number = 1): Seen {
  const { window } = seen;
  const omitted = { ...window.omitted, [kind]: window.omitted[kind] + more };
  return { ...seen, window: { ...window, omitted } };
}
