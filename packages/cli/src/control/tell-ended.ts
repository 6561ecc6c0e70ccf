/**
 * What is told and written of a task that ended.
 *
 * @module
 */
import { formatHeadLine } from '@assay/kernel';
import { roundsIn, type FinalResult } from '@assay/controller';
import type { ControlDocument } from '@assay/controller/schemas';
import type { Identity } from '@assay/host';
import type { Context } from '../context.js';
import { EXIT, worst, type ExitCode } from '../exit.js';
import { show, styled } from '../output/shown.js';
import { LEDGER_FILE, writeOutputs } from '../running/outputs.js';
import { commandLine } from '../whatif/quote.js';
import { confirmationLines, confirmationsIn, readConfirmed } from './confirming.js';
import type { Driven } from './drive-control.js';
import type { ControlOptions } from './options.js';
import { lacking } from './problems.js';
import { finalLines } from './result-lines.js';
import { addTurn, type Session } from './session.js';
import { stoppedAt, stoppedLines } from './stopped-at.js';

/** A task that ended, and the words it was given in. */
export type Told = Driven & { readonly options: ControlOptions; readonly workspace: string; readonly text: string; readonly identity: Identity; readonly session: Session };

/** Writes the outputs and the turn of the session, says how it ended, and gives the exit code. Raises `Stop`. */
export async function tellControl({ output }: Context, { ended, misses, found, options, workspace, text, identity, session }: Told): Promise<ExitCode> {
  const result = ended.artifacts.get('final_result') as unknown as FinalResult;
  const folder = options.output ?? null;
  const problems = lacking(ended, misses, folder === null ? null : `${folder}/${LEDGER_FILE}`);
  for (const problem of problems) output.complaint(problem);
  const files = folder === null ? [] : await writeOutputs(folder, ended);
  const wasOver = found > 0 && found === ended.head.count;
  if (options.session !== undefined && !wasOver) await addTurn(options.session, session, { input: text, summary: result.summary });
  const head = formatHeadLine(ended.head);
  const rounds = roundsIn(ended.records);
  const confirmations = confirmationsIn(ended.records, readConfirmed(options.confirm));
  const stopped = ended.status === 'success' ? [] : stoppedAt(ended.records);
  const document: ControlDocument = { run_id: identity.run_id, ts_base: identity.ts_base, status: ended.status, reasons: ended.reasons, head: ended.head, head_line: head, files, rounds, final_result: result, stopped_at: stopped, confirmations, recording_misses: misses.size, was_over: wasOver, records_found: found };
  output.document(document);
  output.line(show`${styled('strong', show`${identity.run_id}`)}   ${ended.status === 'success' ? 'done' : 'not done'}   workspace ${workspace}`);
  if (found > 0) output.line(wasOver ? show`resumed     nothing was done now: this run was over, with ${found} records; give another --run-id to do it again` : show`resumed     after ${found} records`);
  for (const line of [...finalLines(result, rounds), ...stoppedLines(stopped), ...confirmationLines(confirmations)]) output.line(line);
  output.line(show`head        ${head}`);
  for (const [index, file] of files.entries()) output.line(show`${index === 0 ? 'written   ' : '          '}  ${file}`);
  if (folder !== null) {
    output.line(show`next        ${commandLine(['assay', 'verify', `${folder}/${LEDGER_FILE}`, '--head', head])}`);
    output.line(show`            ${commandLine(['assay', 'control', 'whatif', `${folder}/${LEDGER_FILE}`, '--set', 'epsilon=50000'])}`);
  }
  return ended.status === 'success' ? EXIT.done : worst([EXIT.no, ...problems.map(({ exit }) => exit)]);
}
