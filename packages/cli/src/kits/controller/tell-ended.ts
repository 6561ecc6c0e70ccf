/**
 * What is told and written of a task that ended.
 *
 * @module
 */
import { formatHeadLine } from '@assay/kernel';
import { endedTask } from '@assay/controller/shell';
import type { Identity } from '@assay/host';
import type { Context } from '../../commands/context.js';
import { EXIT, worst, type ExitCode } from '../../problems/exit.js';
import { show, styled } from '../../terminal/shown.js';
import type { Problem } from '../../problems/problem.js';
import { writeOutputs } from '../../start/outputs.js';
import { LEDGER_FILE } from '../../files/claim.js';
import { answerLines } from './answer.js';
import { commandLine } from '../../terminal/quote.js';
import type { Driven } from './drive-control.js';
import type { ControlMemory } from './memory.js';
import { confirmationLines, finalLines, stoppedLines, understoodLines } from './lines.js';
import { readConfirmed, type ControlOptions } from './options.js';
import { lacking } from './problems.js';
import { eitherLines } from '../../start/either.js';
import { whatIfCommand } from './what-if-command.js';

/**
 * A task that ended, and the memory that is told of it, null where none is named.
 */
export type Told = Driven & {
  readonly memory: ControlMemory | null;
  readonly options: ControlOptions;
  readonly workspace: string;
  readonly identity: Identity;
};

/**
 * Writes the outputs, says how it ended, and gives the exit code. The memory is
 * told last, when everything is written; the document comes behind it, since it says what became of that.
 * Raises `Stop`.
 */
export async function tellControl(
  context: Context,
  { memory, ended, misses, found, options, workspace, identity }: Told,
): Promise<ExitCode> {
  const { output } = context;
  const folder = options.output ?? null;
  const problems = lacking(ended, misses, folder === null ? null : `${folder}/${LEDGER_FILE}`);
  for (const problem of problems) output.complaint(problem);
  const files = folder === null ? [] : await writeOutputs(folder, ended);
  const wasOver = found > 0 && found === ended.head.count;
  const head = formatHeadLine(ended.head);
  const task = endedTask(ended.records, ended, readConfirmed(options.confirm));
  const { rounds, cause, confirmations, result, stopped_at } = task;
  output.line(
    show`${styled('strong', show`${identity.run_id}`)}   ${
      ended.status === 'success' ? 'done' : 'not done'
    }   workspace ${workspace}`,
  );
  if (found > 0)
    output.line(
      wasOver
        ? show`resumed     this run was over, with ${found} records: nothing was done; give another ${
            options.store === undefined ? '-o' : '--run-id'
          } to do the task again`
        : show`resumed     after ${found} records`,
    );
  for (const line of answerLines(ended.records, result)) output.data(line);
  for (const line of [
    ...finalLines(result, rounds, cause),
    ...stoppedLines(stopped_at),
    ...eitherLines(ended.records),
    ...(await understoodLines(task)),
    ...confirmationLines(confirmations),
  ])
    output.line(line);
  output.line(show`head        ${head}`);
  for (const [index, file] of files.entries())
    output.line(show`${index === 0 ? 'written   ' : '          '}  ${file}`);
  if (folder !== null) {
    output.line(
      show`next        ${commandLine(['assay', 'verify', `${folder}/${LEDGER_FILE}`, '--head', head])}`,
    );
    const whatIf = whatIfCommand(ended.records, `${folder}/${LEDGER_FILE}`);
    if (whatIf !== null) output.line(show`            ${whatIf}`);
  }
  const untold =
    memory === null ? null : await (await import('./memory.js')).tellMemory(context, memory, ended, options);
  const document = {
    run_id: identity.run_id,
    ts_base: identity.ts_base,
    status: ended.status,
    reasons: ended.reasons,
    head: ended.head,
    head_line: head,
    files,
    rounds,
    final_result: result,
    cause,
    stopped_at,
    confirmations,
    recording_misses: misses.size,
    memory_untold: untold === null ? null : untoldIn(untold),
    was_over: wasOver,
    records_found: found,
  };
  output.document(document);
  const told = untold === null ? EXIT.done : untold.exit;
  return ended.status === 'success' ? told : worst([EXIT.no, told, ...problems.map(({ exit }) => exit)]);
}

function untoldIn({ code, message, place, remedy }: Problem): Omit<Problem, 'exit'> {
  return { code, message, place, remedy };
}
