/**
 * `assay show`: a run for people.
 *
 * @module
 */
import { forTerminal, safeJson } from '@assay/views';
import {
  encodeLine,
  field,
  formatHeadLine,
  isArray,
  isObject,
  type EvidenceRecord,
  type Json,
  type JsonObject,
  type RunSummary,
} from '@assay/kernel';
import type { Context } from '../context.js';
import { EXIT, type ExitCode } from '../exit.js';
import { objectIn, textIn, valueIn } from '../inputs/fields.js';
import { readLedger, requireNoResult, requireText } from '../inputs/ledger.js';
import { misuse } from '../problem.js';
import { documentsIn } from '../running/documents.js';
import { sourceNote } from '../running/proposal-lines.js';
import { cut } from '../output/cut.js';
import type { Output } from '../output/output.js';
import { padded, show as line, styled, type Shown } from '../output/shown.js';

const SUMMARY_POINTS = 96;

/** What of a run is printed; nothing: its results as Markdown, or every record where it has none. */
export type ShowOptions = {
  readonly record?: string;
  readonly artifact?: string;
  readonly records?: boolean;
};

/**
 * Prints the results of a run as Markdown, its records, or one record or result whole. A ledger with a fault
 * is shown record by record, up to it: exit 3.
 */
export async function show({ output }: Context, file: string, options: ShowOptions): Promise<ExitCode> {
  const { records, summary, fault } = await readLedger(file);
  if (records.length === 0) {
    await requireText(file);
    await requireNoResult(file);
  }
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
        : [...(await documentsIn(records)).values()];
    if (documents.length > 0) printDocuments(output, documents);
    else printRecords(output, file, records, summary);
  }
  if (fault === null) return EXIT.done;
  output.note(
    line`assay: integrity failed at record ${fault.record} (${fault.code}); nothing from there on is shown`,
  );
  return EXIT.failed;
}

/** The documents on stdout and nothing else, so that they can be kept; what is said of them on stderr. */
function printDocuments(output: Output, documents: readonly string[]): void {
  // Whatever in them comes from evidence is escaped for Markdown, in which nothing is hidden.
  for (const text of documents.join('\n').trimEnd().split('\n'))
    output.line({ parts: [{ text, style: null }] });
  output.note(
    line`assay: shown as written; whether it is what it says: assay verify. Record by record: --records`,
  );
}

function printRecords(
  output: Output,
  file: string,
  records: readonly EvidenceRecord[],
  summary: RunSummary | null,
): void {
  for (const shown of overview(file, records)) output.line(shown);
  if (summary !== null)
    output.line(
      line`outcome ${styled('strong', line`${summary.outcome}`)}   head ${formatHeadLine({ count: summary.count, hash: summary.hash })}`,
    );
  output.line(styled('faint', line`Shown as written. Whether it is what it says: assay verify`));
}

function overview(file: string, records: readonly EvidenceRecord[]): readonly Shown[] {
  if (records.length === 0) return [line`${file}   no record can be shown`];
  const genesis = records[0]?.payload;
  const machine = objectIn(genesis, 'machine');
  const by = `${textIn(machine, 'name')} v${safeJson(valueIn(machine, 'version'))}`;
  const runId = textIn(genesis, 'run_id');
  return [
    line`${styled('strong', line`${runId}`)}   ${by}   ${file}   ${records.length} records`,
    ...records.map(
      (record, index) =>
        line`${String(index).padStart(4)}  ${padded(line`${record.kind}`, 10)}${{ parts: [{ text: cut(summaryOf(record), SUMMARY_POINTS), style: null }] }}`,
    ),
  ];
}

/** A record in one line: what a reader looks for first in each kind. */
function summaryOf({ kind, payload }: EvidenceRecord): string {
  if (payload === undefined) return '(erased)';
  if (!isObject(payload)) return text(payload);
  const at = (key: string): Json => field(payload, key) ?? null;
  switch (kind) {
    case 'genesis':
      return `input ${text(at('input'))}`;
    case 'proposal':
      return `${name(at('request_id'))} by ${name(at('proposer'))} (${name(at('source'))}${sourceNote(at('source'))}): ${at('failure') === null ? text(at('value')) : `failure ${text(at('failure'))}`}`;
    case 'rejection':
      return `${name(at('code'))} ${text(at('detail'))}`;
    case 'decision':
      return [
        counted(at('events'), 'event'),
        counted(at('requests'), 'request'),
        ...graphOf(at('graph')),
      ].join(', ');
    case 'artifact':
      return `${name(at('name'))} ${text(at('content'))}`;
    case 'close':
      return `${name(at('status'))} ${text(at('reasons'))}`;
    default:
      return text(payload);
  }
}

function counted(list: Json, noun: string): string {
  const count = isArray(list) ? list.length : 0;
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function graphOf(graph: Json): readonly string[] {
  return isObject(graph)
    ? [counted(graph['nodes'] ?? null, 'node'), counted(graph['edges'] ?? null, 'edge')]
    : [];
}

/** A value as it may be printed. */
function text(value: Json): string {
  return safeJson(value);
}

/** A name as it may be printed: without quotes where it is plain. */
function name(value: Json): string {
  return typeof value === 'string' ? forTerminal(value) : safeJson(value);
}

function oneRecord(records: readonly EvidenceRecord[], given: string): JsonObject {
  const record = /^[0-9]{1,12}$/.test(given) ? records[Number(given)] : undefined;
  if (record === undefined)
    throw misuse(
      'no_such_record',
      `there is no record ${given}; there are ${records.length}, counted from 0`,
      `--record ${given}`,
      'see assay show without --record',
    );
  const whole: JsonObject = JSON.parse(encodeLine(record)) as JsonObject;
  return whole;
}

function oneArtifact(records: readonly EvidenceRecord[], name: string): Json {
  const artifacts = records.filter(({ kind }) => kind === 'artifact');
  const found = artifacts.findLast(({ payload }) => textIn(payload, 'name') === name);
  if (found !== undefined) return valueIn(found.payload, 'content');
  const names = artifacts.map(({ payload }) => textIn(payload, 'name'));
  throw misuse(
    'no_such_artifact',
    `there is no result of this name; there are: ${names.length === 0 ? 'none' : names.join(', ')}`,
    `--artifact ${name}`,
    'see assay show without --artifact',
  );
}
