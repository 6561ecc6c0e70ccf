/**
 * `assay explain`: why a run decided as it did, and what would have decided otherwise.
 *
 * @module
 */
import { runView, type EvidenceRecord } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import type { Picture } from '@assay/kernel/view';
import { drawPicture, renderTerminal } from '@assay/views';
import type { Context } from './context.js';
import type { Output } from './output.js';
import { EXIT, type ExitCode } from '../problems/exit.js';
import { nameOf } from '../files/read.js';
import { soundLedger, underivable } from '../files/ledger.js';
import { machinesFor, viewOf } from '../options/machines.js';
import { commandLine, moveWords } from '../terminal/quote.js';
import { recordLines } from '../terminal/record-lines.js';
import { inked, rendered, show, styled } from '../terminal/shown.js';

/** Modules of the user's own machines and views. */
export type ExplainOptions = { readonly machine: readonly string[] };

/**
 * Derives a ledger again and draws the picture of its machine's view; who did what in which order only with
 * `--verbose`. Nothing is explained that does not re-derive: exit 3. Of a machine without a view the verdicts
 * and records are printed: exit 4.
 */
export async function explain(
  { output }: Context,
  path: string,
  { machine: modules }: ExplainOptions,
): Promise<ExitCode> {
  const { records } = await soundLedger(path);
  const run = runView(records);
  const viewed = run._tag === 'Left' ? null : await viewOf(modules, run.right.genesis, records);
  if (run._tag === 'Left' || viewed === null) return explainRecords(output, path, records, modules);
  const file = nameOf(path);
  if (viewed.t === 'underivable') throw underivable(viewed.code, viewed.record, file, modules);
  const { outcome, picture, knobs } = viewed;
  const { run_id, machine, base } = run.right.genesis;
  const whatIfOf = base?.snapshot === null ? base.run_id : null;
  const next = viewed.next
    .filter(({ command }) => command !== 'explain')
    .map((move) => moveWords(move, path));
  output.document({ run_id, file, machine, what_if_of: whatIfOf, outcome, picture, knobs, next });
  output.line(
    show`${styled('strong', show`${run_id}`)}   ${machine.name} v${machine.version}   ${file}, derived again`,
  );
  if (whatIfOf !== null) output.line(styled('open', show`a what-if of ${whatIfOf}; it never happened`));
  for (const line of drawPicture(output.isVerbose ? picture : brief(picture))) output.line(inked(line));
  if (next.length > 0) output.line();
  for (const words of next) output.line(show`next        ${commandLine(words)}`);
  return EXIT.done;
}

function brief(picture: Picture): Picture {
  return { ...picture, panels: picture.panels.filter(({ page }) => page !== 'course') };
}

/** Nobody has a view of this machine: the verdicts, and the records as written. */
async function explainRecords(
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
  for (const line of recordLines(file, records)) output.line(line);
  output.note(
    show`assay: there is no view of this machine; a module can export one: --machine FILE with export const views`,
  );
  const { verdict } = document.checks.rederivation;
  return verdict === 'held' ? EXIT.done : verdict === 'failed' ? EXIT.failed : EXIT.unchecked;
}
