/**
 * Families whose answer is short: found in one sub-task, written in the next. Source: 003 §R2 "sequence".
 *
 * @module
 */
import { err, ok } from '@assay/kernel';
import type { SubTaskDraft } from '@assay/controller';
import type { Extreme, Filter, Goal } from './goal.js';
import { inQuotes } from './tokens.js';
import type { Operation } from '@assay/controller/steps';
import { criterion, subTask } from './drafts.js';
import { answered, HANDED_ON, writing, writtenCriteria, type Planned } from './writing.js';
import { SEARCH, searchWays, type Means, type Ordering } from './ways.js';

const ORDERINGS: Readonly<Record<Extreme, Exclude<Ordering, null>>> = {
  largest: { by: 'size', down: true, limit: 2 },
  smallest: { by: 'size', down: false, limit: 2 },
  newest: { by: 'mtime', down: true, limit: 2 },
  oldest: { by: 'mtime', down: false, limit: 2 },
};

/**
 * The name of one file. Of equal ones that with the smallest path, by UTF-16 units; the file that is written
 * does not count.
 */
export function extremeNamed(
  { which, filter, to }: Extract<Goal, { family: 'extreme' }>,
  means: Means,
): Planned {
  const operations: readonly Operation[] = [['without', to], ['first'], ['pluck', 'path'], ['name']];
  return foundThenWritten(means, {
    intent: `find the ${which} file`,
    filter,
    ordering: ORDERINGS[which],
    operations,
    to,
  });
}

/** How many files there are; the file that is written does not count. */
export function counted({ filter, to }: Extract<Goal, { family: 'count' }>, means: Means): Planned {
  return foundThenWritten(means, {
    intent: 'count the files',
    filter,
    ordering: null,
    operations: [['without', to], ['count'], ['text']],
    to,
  });
}

type Finding = {
  readonly intent: string;
  readonly filter: Filter;
  readonly ordering: Ordering;
  readonly operations: readonly Operation[];
  readonly to: string;
};

function foundThenWritten(means: Means, { intent, filter, ordering, operations, to }: Finding): Planned {
  const ways = searchWays({ filter, to }, ordering);
  const way = means.free(ways, ({ uses }) => uses)[0];
  if (way === undefined)
    return err({
      code: 'no_way_left',
      detail: `no tool that searches${means.lacking([SEARCH, ...ways.flatMap(({ uses }) => uses)])}`,
    });
  const found = subTask(1, {
    label: 'find',
    intent,
    tries: way.tries,
    output: { from: way.found.from, do: [...way.found.do, ...operations] },
    criteria: [
      criterion('the search ran to its end', { is: 'ran', look: way.look }),
      criterion(`what is handed on is what the search found: ${intent}`, {
        is: 'claim',
        look: way.look,
        do: [...way.found.do, ...operations],
      }),
    ],
  });
  return thenWritten(means, found, to);
}

/** A sub-task that hands on one line, and one that writes it; none where the answer is only said. */
export function thenWritten(means: Means, found: SubTaskDraft, to: string): Planned {
  if (to === '') return ok(answered(found));
  const write = writing(means, to, { from: 'prior.0', do: [['line']] });
  if (write._tag === 'Left') return write;
  const { steps, look } = write.right;
  const written = subTask(2, {
    label: 'write',
    intent: `write the answer to ${inQuotes(to)}`,
    tries: [steps],
    output: HANDED_ON,
    criteria: writtenCriteria(to, look, null),
  });
  const subtasks = [found, written];
  const together = [
    criterion(`${inQuotes(to)} holds what was found`, {
      is: 'handed_on',
      from: 0,
      to: 1,
      do: [['line'], ['brief']],
    }),
  ];
  return ok({ subtasks, together });
}
