/** `assay audit`: what an operator should look at in the ledgers of runs. Source: 003 §R6. */
import { listAlerts, auditor, defaultAuditPolicy, type AuditReport } from '@assay/controller/audit';
import { maskedAddress, nativeSha256, StoreReadError } from '@assay/host';
import { isStored, namedLedgers, readFacts } from '../files/ledger.js';
import { requireOneStdin } from '../files/read.js';
import { openStore, storeProblem, type NamedStore } from '../files/store.js';
import { EXIT, misuse, worst, type ExitCode, Stop, badValue } from '../problems/problem.js';
import { show } from '../terminal/shown.js';
import { follow, intervalIn } from './audit/follow.js';
import { reportLines, summaryLine } from './audit/report-lines.js';
import type { Context, Output } from '../call/output.js';
import { RunIntegrity, type EvidenceRecord, type IntegrityFault } from '@assay/kernel';

type AuditFlags = { readonly every?: string; readonly follow?: string };

/**
 * Feeds ledgers to one auditor in the order they are named, and prints its reports. Exit 0 where there is no alert, 1
 * where there is one, 3 where a ledger does not hold, which is said first: what stands before its fault is audited all
 * the same. With `--follow` the runs of a store as they end, until it is interrupted: 130.
 */
export async function audit(
  context: Context,
  sources: readonly string[],
  { every, follow: interval }: AuditFlags,
): Promise<ExitCode> {
  const { output } = context;
  requireOneStdin(sources);
  const fold = new Fold(everyIn(every));
  if (interval !== undefined) return followed(context, fold, interval, sources);
  if (sources.length === 0)
    throw misuse('missing_argument', 'no ledger was given', '', 'name a ledger; see assay audit --help');
  const read = [];
  for (const source of sources.flatMap(namedLedgers)) read.push(await auditedFile(source, fold.read));
  const stops = read.filter((stop) => stop !== null);
  // Said before what was found: of a ledger that does not hold, that is the news.
  for (const stop of stops) output.complaint(stop.problem);
  const due = fold.taken();
  const last = fold.last();
  const reports = last.records > 0 || due.length === 0 ? [...due, last] : due;
  const alerts = alertsIn(reports);
  output.document({ reports, alerts });
  // "No alert" over nothing that held would pass for an answer.
  if (stops.length > 0 && reports.every(({ records }) => records === 0))
    return worst(stops.map(({ problem }) => problem.exit));
  for (const [index, report] of reports.entries())
    for (const line of reportLines(report, reports.length === 1 ? null : index + 1)) output.line(line);
  const summary = summaryLine(alerts, reports, stops.length);
  output.line(show`${summary}; decisions were not recomputed (assay verify does)`);
  if (alerts > 0) output.brief(summary);
  return worst([alerts > 0 ? EXIT.no : EXIT.done, ...stops.map(({ problem }) => problem.exit)]);
}

/** One auditor, and the reports that were due and not taken yet. */
class Fold {
  private readonly auditor;
  private state;
  private due: AuditReport[] = [];

  constructor(every_records: number) {
    const policy = { ...defaultAuditPolicy, every_us: 0, every_records };
    this.auditor = auditor({ policy, sha256: nativeSha256 });
    this.state = this.auditor.start;
  }

  readonly read: Read = (record) => {
    const fed = this.auditor.feed(this.state, record);
    this.state = fed.state;
    if (fed.due !== null) this.due.push(fed.due);
  };

  /** The reports that were due. */
  taken(): readonly AuditReport[] {
    const { due } = this;
    this.due = [];
    return due;
  }

  /** The report on what is left, and a new window. */
  last(): AuditReport {
    const { state, report } = this.auditor.report(this.state);
    this.state = state;
    return report;
  }

  /** Reads all of something or, where that raises, nothing. */
  async whole<T>(reading: () => Promise<T>): Promise<T> {
    const before = [this.state, this.due] as const;
    this.due = [...this.due];
    try {
      return await reading();
    } catch (error) {
      [this.state, this.due] = before;
      throw error;
    }
  }

  /** Whether the window under way holds an alert. */
  hasAlert(): boolean {
    return alertsIn([this.auditor.report(this.state).report]) > 0;
  }
}

/** `--follow`: a report where a run that ended brings an alert, one each interval, and one of what is left. */
async function followed(
  { output, interruption }: Context,
  fold: Fold,
  interval: string,
  [url = '', ...more]: readonly string[],
): Promise<ExitCode> {
  const everyMs = intervalIn(interval);
  if (!isStored(url) || url.includes('#') || more.length > 0)
    throw misuse(
      'missing_argument',
      'one store can be followed; every run of it that ends is audited',
      [url, ...more].join(' '),
      'name it: assay audit STORE --follow 5m',
    );
  const place = maskedAddress(url);
  const store = await openStore(url, { mustExist: true, readsOnly: true });
  try {
    await interruption.during((signal) =>
      follow(store, place, {
        everyMs,
        signal,
        onStart: (over) => output.note(show`assay: following ${place}; runs that were over before: ${over}`),
        onEnded: async (id) => {
          const stop = await fold.whole(() => auditedRun(store, id, place, fold.read));
          if (stop !== null) output.complaint(stop.problem);
          tell(output, fold.taken());
          if (fold.hasAlert()) tell(output, [fold.last()]);
        },
        onInterval: () => tell(output, [{ ...fold.last(), trigger: 'periodic' }]),
        onLost: (problem) => output.complaint(problem),
      }),
    );
  } finally {
    await store.close();
  }
  const last = fold.last();
  if (last.records > 0) tell(output, [last]);
  return EXIT.interrupted;
}

function tell(output: Output, reports: readonly AuditReport[]): void {
  for (const report of reports) {
    const alerts = alertsIn([report]);
    output.document({ reports: [report], alerts });
    for (const line of reportLines(report, null)) output.line(line);
    if (alerts > 0) output.brief(summaryLine(alerts, [report], 0));
  }
}

/** Alerts, those that the reports do not hold included. */
function alertsIn(reports: readonly AuditReport[]): number {
  return reports.reduce(
    (sum, { omitted, ...report }) =>
      sum +
      listAlerts(report).length +
      omitted.boundary_violations +
      omitted.drift_alerts +
      omitted.anomalies,
    0,
  );
}

/** Records after which a report is printed; 0: one at the end. */
function everyIn(given: string | undefined): number {
  if (given === undefined) return 0;
  if (/^[1-9][0-9]{0,8}$/.test(given)) return Number(given);
  throw badValue('not a number of records', `--every ${given}`, 'give a whole number from 1');
}

/** Takes one record. */
export type Read = (record: EvidenceRecord) => void;

/**
 * Reads a ledger through. Null where it held, else why it did not, with what stood before the fault read.
 * Raises what is no ledger at all.
 */
async function auditedFile(path: string, read: Read): Promise<Stop | null> {
  try {
    await readFacts(path, read);
    return null;
  } catch (error) {
    if (!(error instanceof Stop) || error.problem.exit !== EXIT.failed) throw error;
    return error;
  }
}

/** Reads a stored run through, likewise. Raises `no_run`, and those of a store. */
async function auditedRun(store: NamedStore, id: string, place: string, read: Read): Promise<Stop | null> {
  const ids = await store.list();
  if (ids._tag === 'Left') throw storeProblem(ids.left, place);
  if (!ids.right.includes(id))
    throw misuse('no_run', 'this store has no such run', id, 'assay store list lists those there are');
  const integrity = new RunIntegrity({ sha256: nativeSha256 });
  try {
    for await (const line of store.read(id)) {
      const record = integrity.feed(line, true);
      if (record._tag === 'Left') return faulty(record.left, id);
      read(record.right);
    }
  } catch (error) {
    throw error instanceof StoreReadError ? storeProblem(error.error, place) : error;
  }
  const end = integrity.finish();
  return end._tag === 'Left' ? faulty(end.left, id) : null;
}

function faulty({ code, record }: IntegrityFault, id: string): Stop {
  return new Stop({
    code,
    message: `integrity failed at record ${record}; the records before it were audited`,
    place: id,
    remedy: 'copy the run to a file and see what assay verify says',
    exit: EXIT.failed,
  });
}
