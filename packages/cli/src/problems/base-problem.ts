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
  const anew =
    `nothing was asked; leave ${runId} as it is, and begin another continuation with a ` +
    `snapshot of ${base} as it stands`;
  switch (code) {
    case 'base_mismatch':
      return unsound(
        code,
        `what this run continues is not what is stored (${textIn(detail, 'found')})`,
        base,
        `nothing was asked or changed; look at both with assay verify, and restore ${base} from a copy`,
      );
    case 'base_closed':
      return misuse(
        code,
        `the run that this one continues is over: ${counts}`,
        base,
        `nothing was asked; ${base} has the outcome, so leave ${runId} as it is`,
      );
    case 'base_went_on':
      return misuse(
        code,
        `the run that this one continues went on, and what it has answered since would be asked for again: ${counts}`,
        base,
        anew,
      );
    case 'base_under_way': {
      const requests = valueIn(detail, 'requests');
      const ids = isArray(requests) ? requests.filter((id) => typeof id === 'string') : [];
      return misuse(
        code,
        `the run that this one continues has begun calls that it has no answer to (${ids.join(', ')})`,
        base,
        `${anew} once these are answered there`,
      );
    }
    case 'unfed':
      return misuse(
        code,
        `this fork lacks answers of the run it was made from: it has ${count} of ${records} records`,
        runId,
        'nothing was asked; feed it again first, with fork of @assay/host',
      );
    default:
      return null;
  }
}
