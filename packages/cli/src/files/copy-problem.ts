/**
 * What is said of a run that was not copied.
 *
 * @module
 */
import type { CopyEnd, CopyFault, Invalid, Side } from '@assay/host/copy';
import { misuse, unreachable, unsound, type Stop } from '../problems/problem.js';
import { restoreRemedy } from '../problems/store-problem.js';
import { storeProblem } from './store.js';

/** The addresses of the two stores, as they may be shown. */
export type Places = { readonly [side in Side]: string };

/** The problem of one run: exit 3 where something does not hold, 2 where another ledger has its name. */
export function copyProblem(runId: string, fault: CopyFault, places: Places): Stop {
  const { from, to } = places;
  switch (fault.code) {
    case 'store':
      return storeProblem(fault.error, places[fault.side]);
    case 'invalid': {
      const isFrom = fault.side === 'from';
      const so = isFrom ? 'nothing was copied' : fault.isStored ? 'it stays as it is' : 'nothing was changed';
      return failed(
        isFrom ? 'source_invalid' : 'target_invalid',
        invalidMessage(runId, fault.found, so, places[fault.side]),
        places[fault.side],
      );
    }
    case 'not_rederived':
      return failed(
        'source_invalid',
        `${runId} does not re-derive: ${fault.found.code} at record ${fault.found.record}; nothing was copied`,
        from,
      );
    case 'exists':
      return misuse(
        'exists',
        `the store has another run ${runId}, which ends with record ` +
          `${fault.count - 1}; nothing was changed`,
        to,
        'copy to another store, or compare the two with assay store list and assay diff',
      );
    case 'source_changed':
      return failed('source_changed', `${runId} changed after it was verified`, from);
    case 'copy_differs':
      return failed('copy_differs', `the copy of ${runId} differs from the original`, to);
  }
}

/** The problem that ends a copy of many runs. */
export function copyEnded(runId: string, end: CopyEnd, places: Places): Stop {
  return end.code === 'store'
    ? storeProblem(end.error, places[end.side])
    : unreachable('source_changed', `${runId} changed while it was copied`, places.from, 'copy it again');
}

function invalidMessage(runId: string, found: Invalid, so: string, place: string): string {
  switch (found.why) {
    case 'name':
      return `${runId} is not a valid run id; nothing was copied`;
    case 'integrity':
      return `${runId} is damaged: ${found.code} at record ${found.record}; ${so}`;
    case 'other_run':
      return (
        `what is stored as ${runId} is ` +
        `${found.run_id === null ? 'no run of Assay' : `the ledger of ${found.run_id}`}; ${so}`
      );
    case 'missing':
      return 'the store lists this run but does not have it; nothing was copied';
    case 'run_id':
      return `${storeProblem(found.error, place).problem.message}; nothing was copied`;
  }
}

function failed(code: string, message: string, place: string): Stop {
  return unsound(code, message, place, restoreRemedy(place));
}
