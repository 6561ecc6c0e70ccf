/**
 * What a controller run lacked: answers of recordings and of language models, in words.
 *
 * @module
 */
import { ROLE_OF, type AskKind } from '@assay/controller';
import { textIn } from '../../terminal/fields.js';
import type { Miss } from '../../options/proposers.js';
import { EXIT } from '../../problems/exit.js';
import type { Problem } from '../../problems/problem.js';
import { answersBy } from '../run/answered-by.js';
import { failuresAmong } from '../run/model-failures.js';
import type { Ended } from '../run/run-request.js';

/**
 * Every miss of a recording, and every role whose last answer is a failure of a live model. `ledger`: the
 * file that has the records.
 */
export function lacking(
  { records }: Pick<Ended, 'records'>,
  misses: ReadonlyMap<string, Miss>,
  ledger: string | null,
): readonly Problem[] {
  const missed = [...misses.values()].map(
    ({ file, said }): Problem => ({
      code: 'recording_miss',
      message: said,
      place: file,
      remedy:
        'the same task, policy and files ask the same again; assay record --slot R3 also records the work',
      exit: EXIT.no,
    }),
  );
  const answers = answersBy(
    records,
    (request) => ROLE_OF[textIn(request, 'kind') as AskKind] ?? textIn(request, 'kind'),
  );
  return [...missed, ...failuresAmong(answers, ledger)];
}
