/**
 * A run that is not driven on yet, since what it was begun from does not let it.
 *
 * @module
 */
import { isArray, type Rejection } from '@assay/kernel';
import { textIn, valueIn } from '../terminal/fields.js';
import { misuse, unsound, type Stop } from './problem.js';

/**
 * What keeps a fork or a continuation from being driven, in words; null for every other rejection. Exit 3
 * where its base is not what it says, else 2. Nothing was asked or changed.
 */
export function baseProblem({ code, detail }: Rejection, runId: string): Stop | null {
  const base = textIn(detail, 'run_id');
  const count = JSON.stringify(valueIn(detail, 'count'));
  const records = JSON.stringify(valueIn(detail, 'records'));
  const counts = `${base} had ${count} records when ${runId} took over from it, and has ${records}`;
  const anew = `nothing was asked; start a new continuation from a current snapshot of ${base}`;
  switch (code) {
    case 'base_mismatch':
      return unsound(
        code,
        `the base of this run differs from the stored run (${textIn(detail, 'found')})`,
        base,
        `nothing was changed; verify both with assay verify, and restore ${base} from a copy`,
      );
    case 'base_closed':
      return misuse(
        code,
        `the base of this run is finished: ${counts}`,
        base,
        `nothing was asked; use the outcome of ${base}`,
      );
    case 'base_went_on':
      return misuse(code, `the base of this run continued and has newer answers: ${counts}`, base, anew);
    case 'base_under_way': {
      const requests = valueIn(detail, 'requests');
      const ids = isArray(requests) ? requests.filter((id) => typeof id === 'string') : [];
      return misuse(
        code,
        `the base of this run has calls without an answer (${ids.join(', ')})`,
        base,
        `${anew} once these are answered there`,
      );
    }
    case 'unfed':
      return misuse(
        code,
        `this fork is incomplete: it has ${count} of ${records} records of its base`,
        runId,
        'nothing was asked; complete it with fork of @assay/host',
      );
    default:
      return null;
  }
}
