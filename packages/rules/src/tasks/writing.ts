/**
 * Writing a text into a file: write, look, compare; and where something stands there already, ask first.
 * Source: 003 §9 Law 1, §R4a.
 *
 * @module
 */
import { err, ok, type Json, type Result } from '@assay/kernel';
import type { CriterionDraft, SubTaskDraft } from '@assay/controller';
import { inQuotes } from './tokens.js';
import type { CallStep, Derivation, Want } from '@assay/controller/steps';
import { criterion, subTask, type Work } from './drafts.js';
import { existWays, pathWay, readWays, step, type LookWay, type Means } from './ways.js';

/** Why there is no plan. */
export type NoPlan = {
  readonly code: 'not_understood' | 'tool_unavailable' | 'no_way_left';
  readonly detail: string;
};

/** The sub-tasks that reach a goal, and what must hold of them together. */
export type Planned = Result<
  NoPlan,
  { readonly subtasks: readonly SubTaskDraft[]; readonly together: readonly CriterionDraft[] }
>;

/** The plan of a goal whose answer is what this sub-task hands on. Source: calls/C9. */
export function answered(found: SubTaskDraft): {
  readonly subtasks: readonly SubTaskDraft[];
  readonly together: readonly CriterionDraft[];
} {
  return { subtasks: [found], together: [criterion('the answer is handed on', { is: 'present', at: 0 })] };
}

/** How a text gets into a file: the steps at the end of each try. */
export type Writing = {
  readonly steps: readonly CallStep[];
  readonly look: LookWay;
};

/**
 * A way to put `content` at a path. Where something else stands there, the tool holds the call back and a
 * person is asked (dec-B9).
 */
export function writing(means: Means, path: string, content: Json): Result<NoPlan, Writing> {
  const look = means.free(readWays(path), ({ use }) => [use])[0];
  if (look === undefined)
    return err({
      code: 'no_way_left',
      detail: `no tool that reads${means.lacking(readWays(path).map(({ use }) => use))}`,
    });
  const { call, use } = pathWay('write_file', { content, path });
  if (!means.isFree(use))
    return err({ code: 'no_way_left', detail: `no tool that writes ${path}${means.lacking([use])}` });
  return ok({
    steps: [step('wrote', call), step('looked', look.call)],
    look,
  });
}

/** Criteria of a file that was written, and of what is handed on. */
export function writtenCriteria(path: string, { look }: LookWay, want: Want | null): Work['criteria'] {
  return [
    criterion(`${inQuotes(path)} holds what was to be written, as a look after writing shows`, {
      is: 'stands',
      path,
      look,
      want,
    }),
    criterion(`what is handed on is what ${inQuotes(path)} holds`, { is: 'shown', look }),
  ];
}

/** What a sub-task hands on that has looked at a file. */
export const HANDED_ON: Derivation = { from: 'looked', do: [['brief']] };

/** A look and a removal, in two groups: nobody is asked to remove what is not there. */
export function cleared(
  means: Means,
  path: string,
  sequence: number,
): Result<NoPlan, readonly SubTaskDraft[]> {
  const way = means.free(existWays(path), ({ use }) => [use])[0];
  const remove = pathWay('remove_file', { path });
  const after = means.free(readWays(path), ({ use }) => [use])[0];
  if (way === undefined || after === undefined)
    return err({
      code: 'no_way_left',
      detail: `no tool that reads${means.lacking([...existWays(path), ...readWays(path)].map(({ use }) => use))}`,
    });
  if (!means.isFree(remove.use))
    return err({ code: 'no_way_left', detail: `no tool that removes ${path}${means.lacking([remove.use])}` });
  const there = subTask(sequence, {
    label: 'look',
    intent: `see whether ${inQuotes(path)} is there`,
    tries: [[step('there', way.call, { may_fail: true })]],
    output: { from: 'there', do: [['brief']] },
    criteria: [criterion(`${inQuotes(path)} is there`, { is: 'there', look: way.look })],
  });
  const gone = subTask(sequence + 1, {
    label: 'remove',
    intent: `remove ${inQuotes(path)}`,
    tries: [[step('removed', remove.call), step('looked', after.call, { may_fail: true })]],
    output: { from: 'removed', do: [['brief']] },
    criteria: [
      criterion(`the removal of ${inQuotes(path)} went well`, { is: 'ran', look: remove.look }),
      criterion(`${inQuotes(path)} is not there any more`, { is: 'gone', look: after.look }),
    ],
  });
  return ok([there, gone]);
}
