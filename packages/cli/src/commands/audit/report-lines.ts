/**
 * A report of the auditor as lines for a person. Text of findings may come from evidence: it is escaped where
 * it is shown.
 */
import type { AuditPlace, AuditReport } from '@assay/controller/audit';
import { padded, show, styled, type Shown, counted } from '../../terminal/shown.js';

/** Rows of a list that are shown one by one; more are counted. */
const ROWS_SHOWN = 8;

/** The lines of one report. `number`: which of several. */
export function reportLines(report: AuditReport, number: number | null): readonly Shown[] {
  const { trigger, records, tasks_observed, total_corrections, tool_health, answers, gap_trends, unseen } =
    report;
  const { execution_failures, environmental_retries, logical_retries, trouble } = tool_health;
  const head = show`${number === null ? '' : `${number}. `}${trigger}, ${counted(records, 'record')} of ${counted(
    tasks_observed,
    'run',
  )}${span(report)}`;
  const unjudged =
    unseen.erased + unseen.requests === 0
      ? []
      : [
          styled(
            'open',
            show`  not judged  ${counted(unseen.erased, 'erased record')}, ${counted(
              unseen.requests,
              'request',
            )} not watched`,
          ),
        ];
  return [
    styled('strong', head),
    ...counts('outcomes', describeEnds(report), report.omitted.outcomes),
    show`  answers     ${answers.accepted} accepted, ${answers.rejected} rejected, ${answers.failed} failed`,
    show`  tools       ${counted(execution_failures, 'execution')} failed, ${counted(
      total_corrections,
      'correction',
    )}: ${environmental_retries} for the environment's sake, ${logical_retries} for the approach's`,
    ...counts(
      'calls',
      describeCalls(report),
      report.omitted.tools,
      trouble === 0 ? '' : `; ${trouble} in trouble`,
    ),
    show`  distance    ${describeTrends(gap_trends, report.omitted.gap_trends)}`,
    ...unjudged,
    ...findings('boundary', report.boundary_violations, report.omitted.boundary_violations),
    ...findings('drift', report.drift_alerts, report.omitted.drift_alerts),
    ...findings('anomaly', report.anomalies, report.omitted.anomalies),
  ];
}

/**
 * The last line: how many alerts there are. Nothing that was not seen is called good. `unsound`: ledgers that
 * did not hold, and were read up to their fault.
 */
export function summaryLine(alerts: number, reports: readonly AuditReport[], unsound: number): Shown {
  const records = reports.reduce((sum, report) => sum + report.records, 0);
  const said =
    alerts === 0 ? styled('faint', show`no alert`) : styled('bad', show`${counted(alerts, 'alert')}`);
  const rest =
    unsound === 0
      ? show``
      : show`; ${styled(
          'bad',
          show`${counted(unsound, 'ledger')} did not hold`,
        )}, and what follows the fault was not audited`;
  return show`${said} in ${counted(records, 'record')}${rest}`;
}

function findings(
  list: string,
  found: readonly {
    readonly code: string;
    readonly run_id: string;
    readonly record: number;
    readonly text: string;
  }[],
  omitted: number,
): readonly Shown[] {
  const lines = found.map(
    ({ code, run_id, record, text }) =>
      show`  ${padded(styled('bad', show`${list}`), 10)}  ${padded(show`${code}`, 24)} ${run_id} record ${
        record
      }: ${text}`,
  );
  return omitted === 0
    ? lines
    : [...lines, show`  ${padded(styled('bad', show`${list}`), 10)}  and ${omitted} more`];
}

function describeEnds({ outcomes }: AuditReport): readonly string[] {
  return outcomes.map(
    ({ outcome, reason, runs }) => `${runs} ${outcome}${reason === '' ? '' : ` (${reason})`}`,
  );
}

function describeCalls({ tools }: AuditReport): readonly string[] {
  return tools.map(({ tool, status, calls }) => `${tool} ${calls} ${status}`);
}

/** A line of counts, or none where nothing was counted. `after`: what stands behind them. */
function counts(
  name: string,
  rows: readonly string[],
  omitted: number,
  after: string = '',
): readonly Shown[] {
  return rows.length === 0
    ? []
    : [show`  ${padded(show`${name}`, 10)}  ${renderFirst(rows, omitted)}${after}`];
}

function describeTrends(trends: AuditReport['gap_trends'], omitted: number): string {
  return trends.length === 0
    ? 'no round was evaluated'
    : renderFirst(
        trends.map(({ task, trend }) => `${task} ${trend}`),
        omitted,
      );
}

/** The first of a list, and how many more there are. */
function renderFirst(rows: readonly string[], omitted: number): string {
  const rest = Math.max(0, rows.length - ROWS_SHOWN) + omitted;
  return `${rows.slice(0, ROWS_SHOWN).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

function span({ window_start, window_end }: AuditReport): string {
  if (window_start === null || window_end === null) return '';
  const place = ({ run_id, record }: AuditPlace): string =>
    `${run_id === '' ? '' : `${run_id} `}record ${record}`;
  return window_start.run_id === window_end.run_id
    ? `, ${place(window_start)} to ${window_end.record}`
    : `, ${place(window_start)} to ${place(window_end)}`;
}
