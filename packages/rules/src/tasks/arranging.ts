/**
 * Families that move or remove a file. Source: 003 §9 Law 1; dec-B9.
 *
 * @module
 */
import { err, ok } from '@assay/kernel';
import { canonicalText } from '@assay/controller/steps';
import type { Goal } from './goal.js';
import { inQuotes } from './tokens.js';
import { criterion, subTask } from './drafts.js';
import { cleared, type Planned } from './writing.js';
import { existWays, lookWay, readWays, step, type Means } from './ways.js';

/**
 * A file under another path. Where something stands at that path, or the way was blocked, there is no other.
 */
export function moved({ of, to }: Extract<Goal, { family: 'move' }>, means: Means): Planned {
  const move = lookWay({ tool: 'move_file', input: { from: of, to } }, canonicalText([of, to]));
  const there = means.free(existWays(to), ({ use }) => [use])[0];
  const gone = means.free(readWays(of), ({ use }) => [use])[0];
  if (there === undefined || gone === undefined)
    return err({
      code: 'no_way_left',
      detail: `no tool that reads${means.lacking([...existWays(to), ...readWays(of)].map(({ use }) => use))}`,
    });
  if (!means.isFree(move.use))
    return err({ code: 'no_way_left', detail: `no other way to move ${of}${means.lacking([move.use])}` });
  const work = subTask(1, {
    label: 'move',
    intent: `move ${inQuotes(of)} to ${inQuotes(to)}`,
    tries: [
      [
        step('moved', move.call),
        step('there', there.call, { may_fail: true }),
        step('gone', gone.call, { may_fail: true }),
      ],
    ],
    output: { from: 'moved', do: [['brief']] },
    criteria: [
      criterion('the move went well', { is: 'ran', look: move.look }),
      criterion(`${inQuotes(to)} is there`, { is: 'there', look: there.look }),
      criterion(`${inQuotes(of)} is not there any more`, { is: 'gone', look: gone.look }),
      criterion('what is handed on is what the move said', { is: 'shown', look: move.look }),
    ],
  });
  return ok({ subtasks: [work], together: [criterion('the move is handed on', { is: 'present', at: 0 })] });
}

/** A file that is to go: looked at first, removed once a person has confirmed it. */
export function removed({ of }: Extract<Goal, { family: 'remove' }>, means: Means): Planned {
  const subtasks = cleared(means, of, 1);
  return subtasks._tag === 'Left'
    ? subtasks
    : ok({
        subtasks: subtasks.right,
        together: [criterion('the removal is handed on', { is: 'present', at: 1 })],
      });
}
