/**
 * `assay show`: what a run decided, why, and what would have decided otherwise; or its records and results.
 */
import { nativeSha256 } from '@assay/host';
import {
  encodeLine,
  formatHeadLine,
  runView,
  type EvidenceRecord,
  type Genesis,
  type Head,
  type Json,
  type JsonObject,
  absurd,
  ledgerRecord,
  type DecisionPayload,
  type LedgerRecord,
} from '@assay/kernel';
import type { Picture } from '@assay/kernel/view';
import {
  blockCsv,
  blockMermaid,
  drawPanel,
  drawPicture,
  pictureMarkdown,
  renderTerminal,
  safeJson,
  forTerminal,
} from '@assay/views';
import { readLedger, requireLedger, soundLedger, underivable, type ReadLedger } from '../files/ledger.js';
import { shortenName } from '../files/read.js';
import { machineWords, machinesFor, openView, type Viewed } from '../options/machines.js';
import { EXIT, misuse, type ExitCode, needsOption, badValue } from '../problems/problem.js';
import { findKit } from '../kits/kits.js';
import type { PartTold } from '../start/kit.js';
import { documentsIn, resultsIn } from '../start/results.js';
import {
  commandLine,
  moveWords,
  inked,
  rendered,
  show as line,
  styled,
  type Shown,
  cut,
  padded,
  counted,
} from '../terminal/shown.js';
import type { Context, Output } from '../call/output.js';

/** What of a run is printed; nothing: the picture of its machine's view. */
type ShowOptions = {
  readonly format: 'text' | 'markdown' | 'mermaid' | 'csv';
  readonly machine: readonly string[];
  readonly agent?: string;
};

/**
 * Derives a run again and prints its picture, or the part that is named; what does not re-derive is not shown: exit 3.
 * Of a machine without a view the verdicts and records are printed: exit 4 where nothing was derived. `--format
 * markdown`, the records, a record and a result are printed as they are recorded, up to a fault: exit 3. Raises `Stop`.
 */
export async function show(
  { output }: Context,
  path: string,
  part: string | undefined,
  options: ShowOptions,
): Promise<ExitCode> {
  const { format, machine: modules, agent } = options;
  if (agent !== undefined) {
    const { records } = await soundLedger(path);
    const run = runView(records);
    const kit = run._tag === 'Left' ? null : await findKit(run.right.genesis.machine.name);
    if (kit?.account === undefined)
      throw needsOption('this run has no accounts', '--agent', 'name a run of assay world');
    printTold(output, await kit.account(records, agent, path));
    return EXIT.done;
  }
  if (part !== undefined) {
    const read = await readLedger(path);
    if (read.records.length === 0) await requireLedger(path);
    if (part === 'records') printRecords(output, path, read, modules);
    else if (/^[0-9]{1,12}$/.test(part)) await printRecord(output, path, read.records, Number(part));
    else if (resultNames(read.records).includes(part) && !(await isPictured(read, part)))
      printWhole(output, resultNamed(read.records, part));
    else if (read.fault === null) return showPanel(output, path, part, read.records, options);
    return chooseExit(output, read);
  }
  const { records, summary } = await soundLedger(path);
  const run = runView(records);
  const documents =
    format === 'markdown' && modules.length === 0 ? [...(await documentsIn(records)).values()] : [];
  if (documents.length > 0) {
    // Whatever in them comes from evidence is escaped for Markdown, in which nothing is hidden.
    printLines(output, documents.join('\n').trimEnd().split('\n'));
    noteFork(output, records);
    output.note(line`assay: shown as written; whether it is what it says: ${describeCheck(path, modules)}`);
    return EXIT.done;
  }
  const viewed = run._tag === 'Left' ? null : await openView(modules, run.right.genesis, records);
  if (run._tag === 'Left' || viewed === null) return printVerdicts(output, path, records, modules);
  const file = shortenName(path);
  if (viewed.t === 'underivable') throw underivable(viewed.code, viewed.record, file, modules);
  if (format === 'text') printPicture(output, path, run.right.genesis, viewed, summary);
  else printLines(output, FORMATS[format](viewed.picture));
  return EXIT.done;
}

/** True for a result that is shown as the panel of its name; of a ledger with a fault it is shown as written. */
async function isPictured({ records, fault }: ReadLedger, part: string): Promise<boolean> {
  const run = runView(records);
  if (fault !== null || run._tag === 'Left') return false;
  return (await findKit(run.right.genesis.machine.name))?.pictured?.includes(part) === true;
}

/** One panel of the picture. Raises `Stop`: `bad_value` where there is none of this name. */
async function showPanel(
  output: Output,
  path: string,
  part: string,
  records: readonly EvidenceRecord[],
  { format, machine: modules }: ShowOptions,
): Promise<ExitCode> {
  const run = runView(records);
  const viewed = run._tag === 'Left' ? null : await openView(modules, run.right.genesis, records);
  if (viewed?.t === 'underivable') throw underivable(viewed.code, viewed.record, shortenName(path), modules);
  const panels = viewed?.picture.panels ?? [];
  const panel = panels.find(({ id }) => id === part);
  if (viewed === null || panel === undefined)
    throw badValue(
      'this run has no such part',
      part,
      `name a record by its number, or one of: ${[...new Set([...panels.map(({ id }) => id), ...resultNames(records)])].join(', ')}`,
    );
  output.document(panel);
  const picture = { ...viewed.picture, panels: [panel] };
  if (format !== 'text') printLines(output, FORMATS[format](picture));
  else for (const drawn of drawPanel(panel).slice(1)) output.line(inked(drawn));
  return EXIT.done;
}

const FORMATS: Readonly<
  Record<Exclude<ShowOptions['format'], 'text'>, (picture: Picture) => readonly string[]>
> = {
  markdown: (picture) => [pictureMarkdown(picture)],
  mermaid: mermaidLines,
  csv: csvLines,
};

type Derived = Extract<Viewed, { readonly t: 'viewed' }>;

/** The picture and where to go from there; who did what in which order only with `--verbose`. */
function printPicture(
  output: Output,
  path: string,
  { run_id, machine, base }: Genesis,
  { outcome, picture, knobs, next: moves }: Derived,
  head: Pick<Head, 'count' | 'hash'>,
): void {
  const file = shortenName(path);
  const whatIfOf = base?.snapshot === null ? base.run_id : null;
  const next = moves.filter(({ command }) => command !== 'show').map((move) => moveWords(move, path));
  output.document({ run_id, file, machine, what_if_of: whatIfOf, outcome, picture, knobs, next });
  output.line(
    line`${styled('strong', line`${run_id}`)}   ${machine.name} v${machine.version}   ${file}, recomputed`,
  );
  if (whatIfOf !== null) output.line(styled('open', line`a what-if of ${whatIfOf}; it never happened`));
  for (const drawn of drawPicture(output.isVerbose ? picture : brief(picture))) output.line(inked(drawn));
  if (next.length > 0) output.line();
  for (const words of next) output.line(line`next        ${commandLine(words)}`);
  // A copy that was cut at a record is such a run too: only its head tells it from the whole.
  if (outcome === null) output.line(line`head        ${formatHeadLine(head)}`);
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

/** The table of tasks where there is one, else the first table; of one panel, what it says as a table. */
function csvLines({ panels }: Picture): readonly string[] {
  const tables = panels.filter(({ block }) => block.t === 'table');
  const table = tables.find(({ id }) => id === 'tasks') ?? tables[0] ?? panels[0];
  return table === undefined ? [] : blockCsv(table.block);
}

/** Nobody has a view of this machine: the verdicts, and the records as written. */
async function printVerdicts(
  output: Output,
  path: string,
  records: readonly EvidenceRecord[],
  modules: readonly string[],
): Promise<ExitCode> {
  const [{ verify }, { encodeFile }] = await Promise.all([
    import('@assay/verifier'),
    import('@assay/verifier/attacks'),
  ]);
  const file = shortenName(path);
  const machines = await machinesFor(modules, [path]);
  const { document } = verify(file, encodeFile(records), { machines, sha256: nativeSha256 });
  output.document(document);
  for (const text of renderTerminal(document)) output.line(rendered(text));
  output.line();
  for (const shown of recordLines(file, records)) output.line(shown);
  output.note(
    line`assay: this machine has no view; a module can export one: --machine FILE with export const views`,
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
  output.line(
    styled('faint', line`Shown as written. Whether it is what it says: ${describeCheck(path, modules)}`),
  );
}

function noteFork(output: Output, records: readonly EvidenceRecord[]): void {
  const run = runView(records);
  const base = run._tag === 'Right' ? run.right.genesis.base : null;
  if (base?.snapshot === null)
    output.note(line`assay: this run is a what-if of ${base.run_id}; it never happened`);
}

function chooseExit(output: Output, { fault }: ReadLedger): ExitCode {
  if (fault === null) return EXIT.done;
  output.note(
    line`assay: integrity failed at record ${fault.record} (${fault.code}); nothing from there on is shown`,
  );
  return EXIT.failed;
}

function describeCheck(path: string, modules: readonly string[]): Shown {
  return commandLine(['assay', 'verify', ...(modules.length === 0 ? [] : [path, ...machineWords(modules)])]);
}

function printWhole(output: Output, value: Json): void {
  output.document(value);
  printLines(output, safeJson(value, 2).split('\n'));
}

function printLines(output: Output, lines: readonly string[]): void {
  for (const text of lines) output.line({ parts: [{ text, style: null }] });
}

/** A record in full; where the machine's kit tells how its decision came about, that instead. */
async function printRecord(
  output: Output,
  path: string,
  records: readonly EvidenceRecord[],
  position: number,
): Promise<void> {
  const record = records[position];
  if (record === undefined)
    throw misuse(
      'no_record',
      `no record ${position}: the ledger has ${records.length}, counted from 0`,
      String(position),
      'see assay show LEDGER records',
    );
  const run = runView(records);
  const kit = run._tag === 'Left' ? null : await findKit(run.right.genesis.machine.name);
  const told = (await kit?.told?.(records, position, path)) ?? null;
  if (told === null) return printWhole(output, JSON.parse(encodeLine(record)) as JsonObject);
  printTold(output, told);
}

function printTold(output: Output, { document, lines }: PartTold): void {
  output.document(document);
  for (const shown of lines) output.line(shown);
}

function resultNames(records: readonly EvidenceRecord[]): readonly string[] {
  return [...resultsIn(records).keys()];
}

function resultNamed(records: readonly EvidenceRecord[], name: string): Json {
  return resultsIn(records).get(name) ?? null;
}

const SUMMARY_POINTS = 96;

/** Who ran, and each record. */
function recordLines(file: string, records: readonly EvidenceRecord[]): readonly Shown[] {
  if (records.length === 0) return [line`${file}   no record can be shown`];
  const typed = records.map(ledgerRecord);
  const genesis = typed[0]?.kind === 'genesis' ? typed[0].payload : undefined;
  const by = genesis === undefined ? 'no known run' : `${genesis.machine.name} v${genesis.machine.version}`;
  return [
    line`${styled('strong', line`${genesis?.run_id ?? ''}`)}   ${by}   ${file}   ${records.length} records`,
    ...records.map((record, index) => {
      const summary = describeRecord(typed[index] ?? null, record);
      return line`${String(index).padStart(4)}  ${padded(line`${record.kind}`, 10)}${{
        parts: [{ text: cut(summary, SUMMARY_POINTS), style: null }],
      }}`;
    }),
  ];
}

/** A record in one line: what a reader looks for first in each kind. Every value is escaped. */
function describeRecord(record: LedgerRecord | null, { payload }: EvidenceRecord): string {
  if (payload === undefined) return '(erased)';
  if (record?.payload === undefined) return safeJson(payload);
  switch (record.kind) {
    case 'genesis':
      return `input ${safeJson(record.payload.input)}`;
    case 'proposal': {
      const { request_id, proposer, source, failure, value } = record.payload;
      const said = failure === null ? safeJson(value) : `failure ${safeJson(failure)}`;
      return `${request_id} by ${forTerminal(proposer)} (${source}${
        source === 'synthetic' ? ', written by hand' : ''
      }): ${said}`;
    }
    case 'rejection':
      return `${record.payload.code} ${safeJson(record.payload.detail)}`;
    case 'decision':
      return decisionText(record.payload);
    case 'artifact':
      return `${record.payload.name} ${safeJson(record.payload.content)}`;
    case 'close':
      return `${record.payload.status} ${safeJson(record.payload.reasons)}`;
    default:
      return absurd(record);
  }
}

function decisionText({ events, requests, graph }: DecisionPayload): string {
  return [
    counted(events.length, 'event'),
    counted(requests.length, 'request'),
    ...(graph === null ? [] : [counted(graph.nodes.length, 'node'), counted(graph.edges.length, 'edge')]),
  ].join(', ');
}
