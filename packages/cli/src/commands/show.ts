/**
 * `assay show`: what a run decided, why, and what would have decided otherwise; or its records and results.
 *
 * @module
 */
import { nativeSha256 } from '@assay/host';
import {
  encodeLine,
  formatHeadLine,
  ledgerRecord,
  runView,
  type EvidenceRecord,
  type Genesis,
  type Json,
  type JsonObject,
} from '@assay/kernel';
import type { Picture } from '@assay/kernel/view';
import { blockCsv, blockMermaid, drawPicture, pictureMarkdown, renderTerminal, safeJson } from '@assay/views';
import { readLedger, requireLedger, soundLedger, underivable, type ReadLedger } from '../files/ledger.js';
import { nameOf } from '../files/read.js';
import { machineWords, machinesFor, viewOf, type Viewed } from '../options/machines.js';
import { EXIT, misuse, type ExitCode } from '../problems/problem.js';
import { documentsIn } from '../start/results.js';
import { commandLine, moveWords } from '../terminal/quote.js';
import { recordLines } from '../terminal/record-lines.js';
import { inked, rendered, show as line, styled, type Shown } from '../terminal/shown.js';
import type { Context } from '../call/context.js';
import type { Output } from '../call/output.js';

/** What of a run is printed; nothing: the picture of its machine's view. */
export type ShowOptions = {
  readonly record?: string;
  readonly artifact?: string;
  readonly records?: boolean;
  readonly format: 'text' | 'markdown' | 'mermaid' | 'csv';
  readonly machine: readonly string[];
};

/**
 * Derives a run again and prints its picture; what does not re-derive is not shown: exit 3. Of a machine without
 * a view the verdicts and records are printed: exit 4 where nothing was derived. `--format markdown`, `--records`,
 * `--record` and `--artifact` print what is recorded as it stands, up to a fault: exit 3. Raises `Stop`.
 */
export async function show({ output }: Context, path: string, options: ShowOptions): Promise<ExitCode> {
  const { record, artifact, format, machine: modules } = options;
  if (record !== undefined || artifact !== undefined || options.records === true) {
    const read = await readLedger(path);
    if (read.records.length === 0) await requireLedger(path);
    if (record !== undefined) printWhole(output, oneRecord(read.records, record));
    else if (artifact !== undefined) printWhole(output, oneArtifact(read.records, artifact));
    else printRecords(output, path, read, modules);
    return endOf(output, read);
  }
  const { records } = await soundLedger(path);
  const run = runView(records);
  const documents =
    format === 'markdown' && modules.length === 0 ? [...(await documentsIn(records)).values()] : [];
  if (documents.length > 0) {
    // Whatever in them comes from evidence is escaped for Markdown, in which nothing is hidden.
    printLines(output, documents.join('\n').trimEnd().split('\n'));
    noteFork(output, records);
    output.note(line`assay: shown as written; whether it is what it says: ${checkOf(path, modules)}`);
    return EXIT.done;
  }
  const viewed = run._tag === 'Left' ? null : await viewOf(modules, run.right.genesis, records);
  if (run._tag === 'Left' || viewed === null) return printVerdicts(output, path, records, modules);
  const file = nameOf(path);
  if (viewed.t === 'underivable') throw underivable(viewed.code, viewed.record, file, modules);
  switch (format) {
    case 'text':
      printPicture(output, path, run.right.genesis, viewed);
      break;
    case 'markdown':
      printLines(output, [pictureMarkdown(viewed.picture)]);
      break;
    case 'mermaid':
      printLines(output, mermaidLines(viewed.picture));
      break;
    case 'csv':
      printLines(output, csvLines(viewed.picture));
      break;
  }
  return EXIT.done;
}

type Derived = Extract<Viewed, { readonly t: 'viewed' }>;

/** The picture and where to go from there; who did what in which order only with `--verbose`. */
function printPicture(
  output: Output,
  path: string,
  { run_id, machine, base }: Genesis,
  { outcome, picture, knobs, next: moves }: Derived,
): void {
  const file = nameOf(path);
  const whatIfOf = base?.snapshot === null ? base.run_id : null;
  const next = moves.filter(({ command }) => command !== 'show').map((move) => moveWords(move, path));
  output.document({ run_id, file, machine, what_if_of: whatIfOf, outcome, picture, knobs, next });
  output.line(
    line`${styled('strong', line`${run_id}`)}   ${machine.name} v${machine.version}   ${file}, derived again`,
  );
  if (whatIfOf !== null) output.line(styled('open', line`a what-if of ${whatIfOf}; it never happened`));
  for (const drawn of drawPicture(output.isVerbose ? picture : brief(picture))) output.line(inked(drawn));
  if (next.length > 0) output.line();
  for (const words of next) output.line(line`next        ${commandLine(words)}`);
}

function brief(picture: Picture): Picture {
  return { ...picture, panels: picture.panels.filter(({ page }) => page !== 'course') };
}

/** The panels that can be drawn, for pages that draw Mermaid, such as GitHub's. */
function mermaidLines({ panels }: Picture): readonly string[] {
  return panels.flatMap(({ title, block }) => {
    const drawn = blockMermaid(block);
    return drawn === null ? [] : [`### ${title}`, '', '```mermaid', ...drawn, '```', ''];
  });
}

/** The table of tasks where there is one, else the first table. */
function csvLines({ panels }: Picture): readonly string[] {
  const tables = panels.filter(({ block }) => block.t === 'table');
  const table = tables.find(({ id }) => id === 'tasks') ?? tables[0];
  return table === undefined ? [] : blockCsv(table.block);
}

/** Nobody has a view of this machine: the verdicts, and the records as written. */
async function printVerdicts(
  output: Output,
  path: string,
  records: readonly EvidenceRecord[],
  modules: readonly string[],
): Promise<ExitCode> {
  const [{ verify }, { fileOf }] = await Promise.all([
    import('@assay/verifier'),
    import('@assay/verifier/attacks'),
  ]);
  const file = nameOf(path);
  const machines = await machinesFor(modules, [path]);
  const { document } = verify(file, fileOf(records), { machines, sha256: nativeSha256 });
  output.document(document);
  for (const text of renderTerminal(document)) output.line(rendered(text));
  output.line();
  for (const shown of recordLines(file, records)) output.line(shown);
  output.note(
    line`assay: there is no view of this machine; a module can export one: --machine FILE with export const views`,
  );
  const { verdict } = document.checks.rederivation;
  return verdict === 'held' ? EXIT.done : verdict === 'failed' ? EXIT.failed : EXIT.unchecked;
}

function printRecords(
  output: Output,
  path: string,
  { records, summary }: ReadLedger,
  modules: readonly string[],
): void {
  output.document({
    file: path,
    head: summary === null ? null : { run_id: summary.run_id, count: summary.count, hash: summary.hash },
    outcome: summary?.outcome ?? null,
    records: records.map(({ ts, kind, payload, record_hash }) => ({
      ts,
      kind,
      payload: payload ?? null,
      record_hash,
    })),
  });
  noteFork(output, records);
  for (const shown of recordLines(path, records)) output.line(shown);
  if (summary !== null)
    output.line(
      line`outcome ${styled('strong', line`${summary.outcome}`)}   head ${formatHeadLine({
        count: summary.count,
        hash: summary.hash,
      })}`,
    );
  output.line(styled('faint', line`Shown as written. Whether it is what it says: ${checkOf(path, modules)}`));
}

function noteFork(output: Output, records: readonly EvidenceRecord[]): void {
  const run = runView(records);
  const base = run._tag === 'Right' ? run.right.genesis.base : null;
  if (base?.snapshot === null)
    output.note(line`assay: this run is a what-if of ${base.run_id}; it never happened`);
}

function endOf(output: Output, { fault }: ReadLedger): ExitCode {
  if (fault === null) return EXIT.done;
  output.note(
    line`assay: integrity failed at record ${fault.record} (${fault.code}); nothing from there on is shown`,
  );
  return EXIT.failed;
}

function checkOf(path: string, modules: readonly string[]): Shown {
  return commandLine(['assay', 'verify', ...(modules.length === 0 ? [] : [path, ...machineWords(modules)])]);
}

function printWhole(output: Output, value: Json): void {
  output.document(value);
  printLines(output, safeJson(value, 2).split('\n'));
}

function printLines(output: Output, lines: readonly string[]): void {
  for (const text of lines) output.line({ parts: [{ text, style: null }] });
}

function oneRecord(records: readonly EvidenceRecord[], given: string): JsonObject {
  const record = /^[0-9]{1,12}$/.test(given) ? records[Number(given)] : undefined;
  if (record === undefined)
    throw misuse(
      'no_record',
      `there is no record ${given}; there are ${records.length}, counted from 0`,
      `--record ${given}`,
      'see assay show --records',
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
    'see assay show --records',
  );
}
