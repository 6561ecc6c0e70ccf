/**
 * `assay plan show`: a recorded plan as a screen, as Mermaid for GitHub, or as a table.
 *
 * @module
 */
import { blockCsv, blockMermaid, drawPicture } from '@assay/views';
import { soundLedger, underivable } from '../../files/ledger.js';
import { nameOf } from '../../files/read.js';
import { viewOf } from '../../options/machines.js';
import { EXIT, type ExitCode } from '../../problems/exit.js';
import { misuse } from '../../problems/problem.js';
import { commandLine, moveWords } from '../../terminal/quote.js';
import { inked, show } from '../../terminal/shown.js';
import type { Context } from '../context.js';
import { genesisOf } from '../whatif/fork.js';

/** How a plan is shown. */
export const PLAN_FORMATS = ['text', 'mermaid', 'csv'] as const;

const ROWS_MAX = 2_000;

/** Prints a plan whose ledger holds and re-derives: exit 3 where it does not. Raises `Stop`. */
export async function planShow(
  { output }: Context,
  path: string,
  { format }: { readonly format: (typeof PLAN_FORMATS)[number] },
): Promise<ExitCode> {
  const { records } = await soundLedger(path);
  const file = nameOf(path);
  const { genesis } = genesisOf(records, file);
  if (genesis.machine.name !== 'planner')
    throw misuse('other_machine', `this is a run of ${genesis.machine.name}`, file, 'see assay show');
  const viewed = await viewOf([], genesis, records);
  if (viewed?.t !== 'viewed')
    throw underivable(viewed?.code ?? 'unknown_machine', viewed?.record ?? 0, file, []);
  const { picture, next } = viewed;
  const line = (text: string): void => output.line({ parts: [{ text, style: null }] });
  output.document({ file, run_id: genesis.run_id, picture });
  if (format === 'csv')
    for (const { id, block } of picture.panels) {
      if (id === 'tasks') for (const text of blockCsv(block)) line(text);
    }
  else if (format === 'mermaid')
    for (const { title, block } of picture.panels) {
      const drawn = blockMermaid(block);
      if (drawn !== null)
        for (const text of [`### ${title}`, '', '```mermaid', ...drawn, '```', '']) line(text);
    }
  else {
    for (const drawn of drawPicture(picture, { rowsMax: ROWS_MAX })) output.line(inked(drawn));
    output.line();
    for (const [index, move] of next.entries())
      output.line(show`${index === 0 ? 'next' : '    '}        ${commandLine(moveWords(move, path))}`);
  }
  return EXIT.done;
}
