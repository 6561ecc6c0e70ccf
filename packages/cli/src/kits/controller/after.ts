/**
 * Earlier runs of the controller that a call cites with `--after`, as turns for R1. Source: 003 §R1 "rolling
 * session history".
 *
 * @module
 */
import { EARLIER_RUNS_MAX, earlierTurn, type NotEnded } from '@assay/controller/shell';
import { soundLedger, underivable } from '../../files/ledger.js';
import { misuse, type Stop, badValue } from '../../problems/problem.js';

type Turn = { readonly input: string; readonly summary: string };

/**
 * The turns in these ledgers, in the order given. Raises `Stop`: `bad_value` for too many, `fork` for a what-if,
 * those of {@link soundLedger}, and of one that is no task that is over.
 */
export async function readAfter(paths: readonly string[]): Promise<readonly Turn[]> {
  if (paths.length > EARLIER_RUNS_MAX)
    throw badValue(
      `a task takes at most ${EARLIER_RUNS_MAX} earlier runs; ${paths.length} were given`,
      '--after',
      'name only the runs that the task refers to, the latest last',
    );
  const turns: Turn[] = [];
  for (const path of paths) {
    const turn = earlierTurn((await soundLedger(path)).records);
    if (turn._tag === 'Left')
      throw turn.left.code === 'fork'
        ? misuse(
            'fork',
            `this is a what-if of ${turn.left.parent}; it never happened`,
            path,
            `name the ledger of ${turn.left.parent}`,
          )
        : notEnded(turn.left, path);
    turns.push(turn.right);
  }
  return turns;
}

/** Why a ledger is no task that is over, in words. */
function notEnded(error: NotEnded, file: string): Stop {
  switch (error.code) {
    case 'other_machine':
      return misuse(
        error.code,
        `this is a run of ${error.machine === '' ? 'an unknown machine' : error.machine}, not of the controller`,
        file,
        'name a ledger that assay task wrote',
      );
    case 'underivable':
      return underivable(error.why, error.record, file);
    case 'run_open':
      return misuse(
        error.code,
        'this run is not finished',
        file,
        'finish it with assay resume, then name its ledger',
      );
  }
}
