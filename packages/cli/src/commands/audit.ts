/**
 * `assay audit`: what an operator should look at in the ledgers of runs. Source: 003 §R6.
 *
 * @module
 */
import { maskedAddress, nativeSha256 } from '@assay/host';
import { alertsOf, auditor, defaultAuditPolicy, type AuditReport } from '@assay/controller/audit';
import { auditedFile, auditedRun, type Read } from './audit/read.js';
import { reportLines, summaryLine } from './audit/report-lines.js';
import type { Context } from './context.js';
import { EXIT, worst, type ExitCode } from '../problems/exit.js';
import { openStore } from '../files/store.js';
import { misuse } from '../problems/problem.js';

type AuditFlags = { readonly store?: string; readonly every?: string };

/**
 * Feeds ledgers, or with `--store` stored runs, to one auditor in the order they are named, and prints its
 * reports. Exit 0 where there is no alert, 1 where there is one, 3 where a ledger does not hold, which is
 * said first: what stands before its fault is audited all the same.
 */
export async function audit(
  { output }: Context,
  sources: readonly string[],
  { store, every }: AuditFlags,
): Promise<ExitCode> {
  if (sources.filter((source) => source === '-').length > 1)
    throw misuse('stdin', 'standard input can be read once', '-', 'give - once');
  const fold = auditor({
    policy: { ...defaultAuditPolicy, every_us: 0, every_records: everyIn(every) },
    sha256: nativeSha256,
  });
  const reports: AuditReport[] = [];
  let state = fold.start;
  const read: Read = (record) => {
    const fed = fold.feed(state, record);
    state = fed.state;
    if (fed.due !== null) reports.push(fed.due);
  };
  const stops = store === undefined ? await files(sources, read) : await stored(store, sources, read);
  // Said before what was found: of a ledger that does not hold, that is the news.
  for (const stop of stops) output.complaint(stop.problem);
  const last = fold.report(state).report;
  if (last.records > 0 || reports.length === 0) reports.push(last);
  const alerts = reports.reduce((sum, report) => sum + alertsOf(report).length, 0);
  const omitted = reports.reduce(
    (sum, { omitted: more }) => sum + more.boundary_violations + more.drift_alerts + more.anomalies,
    0,
  );
  output.document({ reports, alerts: alerts + omitted });
  // "No alert" over nothing that held would pass for an answer.
  if (stops.length > 0 && reports.every(({ records }) => records === 0))
    return worst(stops.map(({ problem }) => problem.exit));
  for (const [index, report] of reports.entries())
    for (const line of reportLines(report, reports.length === 1 ? null : index + 1)) output.line(line);
  const summary = summaryLine(alerts + omitted, reports, stops.length);
  output.line(summary);
  if (alerts + omitted > 0) output.brief(summary);
  return worst([alerts + omitted > 0 ? EXIT.no : EXIT.done, ...stops.map(({ problem }) => problem.exit)]);
}

type Stops = readonly Exclude<Awaited<ReturnType<typeof auditedFile>>, null>[];

async function files(paths: readonly string[], read: Read): Promise<Stops> {
  const stops = [];
  for (const path of paths) stops.push(await auditedFile(path, read));
  return stops.filter((stop) => stop !== null);
}

async function stored(url: string, ids: readonly string[], read: Read): Promise<Stops> {
  const store = await openStore(url, { mustExist: true, readsOnly: true });
  try {
    const stops = [];
    for (const id of ids) stops.push(await auditedRun(store, id, maskedAddress(url), read));
    return stops.filter((stop) => stop !== null);
  } finally {
    await store.close();
  }
}

/** Records after which a report is printed; 0: one at the end. */
function everyIn(given: string | undefined): number {
  if (given === undefined) return 0;
  if (/^[1-9][0-9]{0,8}$/.test(given)) return Number(given);
  throw misuse(
    'bad_value',
    'this is no number of records',
    `--every ${given}`,
    'give a whole number from 1 on',
  );
}
