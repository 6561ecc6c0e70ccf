/**
 * What is told and written of a run that ended: what `run` and `resume` share.
 *
 * @module
 */
import { formatHeadLine, orThrow, runView, type EvidenceRecord } from '@assay/kernel';
import type { Page } from '@assay/kernel/view';
import type { Identity } from '@assay/host';
import { drawPicture } from '@assay/views';
import { EXIT, worst, type ExitCode } from '../problems/exit.js';
import type { Miss } from '../options/proposers.js';
import type { Output } from '../commands/output.js';
import { inked, show, styled, type Shown } from '../terminal/shown.js';
import type { Problem } from '../problems/problem.js';
import { commandLine, moveWords } from '../terminal/quote.js';
import { viewOf, type Viewed } from '../options/machines.js';
import { modelFailures } from './model-failures.js';
import { writeOutputs } from './outputs.js';
import { LEDGER_FILE } from '../files/claim.js';
import type { Ended } from './drive-machine.js';

/**
 * Of which run: `from`, where its request comes from, in words; `folder`, where its outputs go; `more`,
 * further fields of the document, and `notes`, further lines.
 */
export type Told = {
  readonly identity: Identity;
  readonly from: string;
  readonly text: string;
  readonly misses: ReadonlyMap<string, Miss>;
  readonly folder: string | null;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly notes?: readonly Shown[];
  /** What of the picture is printed: who answered and the result, unless told. */
  readonly pages?: readonly Page[];
};

/**
 * Exit code of a run that ended: a refusal is an answer too, and it is no; but where too few answered, and a
 * model was not reached, that is 5.
 */
export function exitOf({ status, reasons, records }: Ended): ExitCode {
  if (status === 'success') return EXIT.done;
  return reasons.includes('insufficient_proposals')
    ? worst([EXIT.no, ...modelFailures(records, null).map(({ exit }) => exit)])
    : EXIT.no;
}

/** What is told of a run of which so many records were there before. */
export function resumedAfter(found: number, { head }: Pick<Ended, 'head'>): Pick<Told, 'more' | 'notes'> {
  if (found === 0) return {};
  const isOver = found === head.count;
  const note = isOver
    ? show`resumed     nothing to do: this run was over, with ${found} records`
    : show`resumed     after ${found} records`;
  return { more: { was_over: isOver, records_found: found }, notes: [note] };
}

/**
 * Writes the outputs, where a folder is named, and tells how the run ended. Raises `Stop` where they cannot
 * be written.
 */
export async function tellEnded(
  output: Output,
  ended: Ended,
  { identity, from, text, misses, folder, more = {}, notes = [], pages = ['course', 'result'] }: Told,
): Promise<void> {
  for (const miss of misses.values()) output.complaint(problemOf(miss));
  for (const failure of modelFailures(ended.records, folder === null ? null : `${folder}/${LEDGER_FILE}`))
    output.complaint(failure);
  const files = folder === null ? [] : await writeOutputs(folder, ended);
  const head = formatHeadLine(ended.head);
  output.document({
    run_id: identity.run_id,
    ts_base: identity.ts_base,
    status: ended.status,
    reasons: ended.reasons,
    head: ended.head,
    head_line: head,
    files,
    artifacts: Object.fromEntries(ended.artifacts),
    ...more,
  });
  output.line(
    show`${styled('strong', show`${identity.run_id}`)}   request from ${from}, ${[...text].length} characters`,
  );
  for (const line of notes) output.line(line);
  const { picture, next } = await shownOf(ended.records, pages);
  for (const line of drawPicture({ ...picture, asked: '' })) output.line(inked(line));
  output.line();
  output.line(show`head        ${head}`);
  for (const [index, file] of files.entries())
    output.line(show`${index === 0 ? 'written   ' : '          '}  ${file}`);
  if (folder === null) return;
  for (const [index, move] of next.entries()) {
    const words = moveWords(move, `${folder}/${LEDGER_FILE}`);
    output.line(
      show`${index === 0 ? 'next' : '    '}        ${commandLine(
        move.command === 'verify' ? [...words, '--head', head] : words,
      )}`,
    );
  }
}

/** What the view has of a run that just ended: who answered, the result and the next commands. */
async function shownOf(
  records: readonly EvidenceRecord[],
  pages: readonly Page[],
): Promise<Extract<Viewed, { readonly t: 'viewed' }>> {
  const { genesis } = orThrow(runView(records));
  const viewed = await viewOf([], genesis, records, pages);
  if (viewed?.t !== 'viewed') throw new TypeError('a run that was just driven has no view');
  return viewed;
}

/** A recording without an answer does not end the run: the slot fails, and this says why. */
function problemOf({ file, said, isEmpty }: Miss): Problem {
  return isEmpty
    ? {
        code: 'recording_empty',
        message: 'this recording holds nothing: its list of entries is empty, so it answers no ask',
        place: file,
        remedy:
          'record an answer into it (docs/guides/intent.md, "Recorded answers"), or name another proposer',
        exit: EXIT.no,
      }
    : {
        code: 'recording_miss',
        message: said,
        place: file,
        remedy:
          'record an answer to this ask, or ask what was recorded: same request, pin, slot and max_interpretations',
        exit: EXIT.no,
      };
}
