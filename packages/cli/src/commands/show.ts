/**
 * `assay show`: a run for people.
 *
 * @module
 */
import { pictureMarkdown, safeJson } from '@assay/views';
import {
  encodeLine,
  formatHeadLine,
  ledgerRecord,
  runView,
  type EvidenceRecord,
  type Json,
  type JsonObject,
  type RunSummary,
} from '@assay/kernel';
import type { Context } from './context.js';
import { EXIT, type ExitCode } from '../problems/exit.js';
import { readLedger, requireLedger } from '../files/ledger.js';
import { machineWords, viewOf } from '../options/machines.js';
import { misuse } from '../problems/problem.js';
import { documentsIn } from './run/documents.js';
import type { Output } from './output.js';
import { recordLines } from '../terminal/record-lines.js';
import { commandLine } from '../terminal/quote.js';
import { show as line, styled, type Shown } from '../terminal/shown.js';

/** What of a run is printed; nothing: its results as Markdown, or every record where it has none. */
export type ShowOptions = {
  readonly record?: string;
  readonly artifact?: string;
  readonly records?: boolean;
  readonly machine: readonly string[];
};

/**
 * Prints the results of a run as Markdown (the picture of its machine's view where it has none), its records,
 * or one record or result whole. A ledger with a fault is shown record by record, up to it: exit 3.
 */
export async function show({ output }: Context, file: string, options: ShowOptions): Promise<ExitCode> {
  const { records, summary, fault } = await readLedger(file);
  if (records.length === 0) await requireLedger(file);
  const only =
    options.record !== undefined
      ? oneRecord(records, options.record)
      : options.artifact !== undefined
        ? oneArtifact(records, options.artifact)
        : null;
  if (only !== null) {
    output.document(only);
    for (const text of safeJson(only, 2).split('\n')) output.line({ parts: [{ text, style: null }] });
  } else {
    output.document({
      file,
      head: summary === null ? null : { run_id: summary.run_id, count: summary.count, hash: summary.hash },
      outcome: summary?.outcome ?? null,
      records: records.map(({ ts, kind, payload, record_hash }) => ({
        ts,
        kind,
        payload: payload ?? null,
        record_hash,
      })),
    });
    const documents =
      options.records === true || summary === null || output.isJson
        ? []
        : await documentsOf(records, options.machine);
    const check = commandLine([
      'assay',
      'verify',
      ...(options.machine.length === 0 ? [] : [file, ...machineWords(options.machine)]),
    ]);
    const run = runView(records);
    const base = run._tag === 'Right' ? run.right.genesis.base : null;
    if (base?.snapshot === null)
      output.note(line`assay: this run is a what-if of ${base.run_id}; it never happened`);
    if (documents.length > 0) printDocuments(output, documents, check);
    else printRecords(output, file, records, summary, check);
  }
  if (fault === null) return EXIT.done;
  output.note(
    line`assay: integrity failed at record ${fault.record} (${fault.code}); nothing from there on is shown`,
  );
  return EXIT.failed;
}

/** The results of a run as documents: those of its machine, else the picture of its view; none without one. */
async function documentsOf(
  records: readonly EvidenceRecord[],
  modules: readonly string[],
): Promise<readonly string[]> {
  const documents = modules.length > 0 ? [] : [...(await documentsIn(records)).values()];
  const run = documents.length > 0 ? null : runView(records);
  if (run?._tag !== 'Right') return documents;
  const viewed = await viewOf(modules, run.right.genesis, records);
  return viewed?.t === 'viewed' ? [pictureMarkdown(viewed.picture)] : [];
}

/** The documents on stdout and nothing else, so that they can be kept; what is said of them on stderr. */
function printDocuments(output: Output, documents: readonly string[], check: Shown): void {
  // Whatever in them comes from evidence is escaped for Markdown, in which nothing is hidden.
  for (const text of documents.join('\n').trimEnd().split('\n'))
    output.line({ parts: [{ text, style: null }] });
  output.note(
    line`assay: shown as written; whether it is what it says: ${check}. Record by record: --records`,
  );
}

function printRecords(
  output: Output,
  file: string,
  records: readonly EvidenceRecord[],
  summary: RunSummary | null,
  check: Shown,
): void {
  for (const shown of recordLines(file, records)) output.line(shown);
  if (summary !== null)
    output.line(
      line`outcome ${styled('strong', line`${summary.outcome}`)}   head ${formatHeadLine({
        count: summary.count,
        hash: summary.hash,
      })}`,
    );
  output.line(styled('faint', line`Shown as written. Whether it is what it says: ${check}`));
}

function oneRecord(records: readonly EvidenceRecord[], given: string): JsonObject {
  const record = /^[0-9]{1,12}$/.test(given) ? records[Number(given)] : undefined;
  if (record === undefined)
    throw misuse(
      'no_record',
      `there is no record ${given}; there are ${records.length}, counted from 0`,
      `--record ${given}`,
      'see assay show without --record',
    );
  const whole: JsonObject = JSON.parse(encodeLine(record)) as JsonObject;
  return whole;
}

function oneArtifact(records: readonly EvidenceRecord[], name: string): Json {
  const artifacts = records.flatMap((record) => {
    const typed = ledgerRecord(record);
    return typed?.kind === 'artifact' && typed.payload !== undefined ? [typed.payload] : [];
  });
  const found = artifacts.findLast((artifact) => artifact.name === name);
  if (found !== undefined) return found.content;
  const names = artifacts.map((artifact) => artifact.name);
  throw misuse(
    'bad_value',
    `there is no result of this name; there are: ${names.length === 0 ? 'none' : names.join(', ')}`,
    `--artifact ${name}`,
    'see assay show without --artifact',
  );
}
