/**
 * Explaining a run of any machine: the picture of its view, or the ledger's own where nobody has one.
 *
 * @module
 */
import type { EvidenceRecord, RunView } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import { verify } from '@assay/verifier';
import { fileOf } from '@assay/verifier/attacks';
import { renderTerminal } from '@assay/views';
import { EXIT, type ExitCode } from '../../problems/exit.js';
import { nameOf } from '../../files/read.js';
import { machinesFor, viewOf } from '../../options/machines.js';
import type { Output } from '../output.js';
import { pictureLines } from '../../terminal/picture-lines.js';
import { recordLines } from '../../terminal/record-lines.js';
import { rendered, show, styled } from '../../terminal/shown.js';
import { commandLine } from '../../terminal/quote.js';
import { underivable } from './derived.js';

/** Explains a run whose integrity holds. Raises `Stop` where it does not re-derive, and those of modules. */
export async function explainPicture(
  output: Output,
  path: string,
  { genesis }: RunView,
  records: readonly EvidenceRecord[],
  modules: readonly string[],
): Promise<ExitCode> {
  const file = nameOf(path);
  const viewed = await viewOf(modules, genesis, records);
  if (viewed === null) return explainRecords(output, path, records, modules);
  if (viewed.t === 'underivable') throw underivable(viewed.code, viewed.record, file);
  const { outcome, picture, knobs, next } = viewed;
  const commands = next.map(({ command, args }) => [
    'assay',
    command,
    ...args.map((arg) => (arg === '{ledger}' ? path : arg)),
  ]);
  output.document({ run_id: genesis.run_id, file, outcome, picture, knobs, next: commands });
  const { name, version } = genesis.machine;
  output.line(
    show`${styled('strong', show`${genesis.run_id}`)}   ${name} v${version}   ${file}, derived again`,
  );
  for (const line of pictureLines(picture)) output.line(line);
  if (commands.length > 0) output.line();
  for (const words of commands) output.line(show`next        ${commandLine(words)}`);
  return EXIT.done;
}

/** Nobody has a view of this machine: the verdicts, and the records as written. */
async function explainRecords(
  output: Output,
  path: string,
  records: readonly EvidenceRecord[],
  modules: readonly string[],
): Promise<ExitCode> {
  const file = nameOf(path);
  const machines = await machinesFor(modules, [path]);
  const { document } = verify(file, fileOf(records), { machines, sha256: nativeSha256 });
  output.document(document);
  for (const text of renderTerminal(document)) output.line(rendered(text));
  output.line();
  for (const line of recordLines(file, records)) output.line(line);
  output.note(
    show`assay: there is no view of this machine; a module can export one: --machine FILE with export const views`,
  );
  const { verdict } = document.checks.rederivation;
  return verdict === 'held' ? EXIT.done : verdict === 'failed' ? EXIT.failed : EXIT.unchecked;
}
