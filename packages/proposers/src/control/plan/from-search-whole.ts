/**
 * Families whose answer may be long: found, made and written in one sub-task, since what sub-tasks hand on is short.
 *
 * @module
 */
import { err, ok, type Json } from '@assay/kernel';
import { ANY_TARGET, type Target } from '@assay/controller';
import type { Filter, Goal } from '../goal.js';
import { inQuotes } from '../grammar/tokens.js';
import type { Look, Want } from '../judge/checks.js';
import type { CallStep, Derivation, Operation } from '../steps/program.js';
import { criterion, subTask } from './drafts.js';
import { HANDED_ON, writing, writtenCriteria, type Planned } from './writing.js';
import { searchWays, step, type Means, type SearchWay } from './ways.js';

/** Names of files, one a line, sorted by code points. */
export function listed({ filter, to }: Extract<Goal, { family: 'list' }>, means: Means): Planned {
  return searchedAndWritten(means, { intent: 'list the files', filter, to, between: null, content: ({ found }) => ({ from: found.from, do: [...found.do, ...pathsWithout(to), ['names'], ['as_lines']] }) });
}

/** `extension<TAB>bytes` lines. */
export function sizesReported({ filter, to }: Extract<Goal, { family: 'sizes' }>, means: Means): Planned {
  return searchedAndWritten(means, { intent: 'add up sizes by extension', filter, to, between: null, content: ({ found }) => ({ from: found.from, do: [...found.do, ['without', to], ['by_extension']] }) });
}

/** The contents of files one behind the other, in the order of their paths by code points, with nothing in between. */
export function collected({ filter, to }: Extract<Goal, { family: 'collect' }>, means: Means): Planned {
  return searchedAndWritten(means, { intent: 'collect the contents of the files', filter, to, between: ['cat', '--'], content: () => ({ from: 'made', do: [] }) });
}

/** Names of files with the same content, one a line; groups in the order of their first paths, parted by an empty line. */
export function twinsListed({ filter, to }: Extract<Goal, { family: 'duplicates' }>, means: Means): Planned {
  return searchedAndWritten(means, { intent: 'find files with the same content', filter, to, between: ['sha256sum', '--'], content: (way) => ({ from: 'made', do: [['twins', asJson(paths(way, to))], ['as_groups']] }) });
}

type Doing = { readonly intent: string; readonly filter: Filter; readonly to: string; readonly between: readonly string[] | null; readonly content: (way: SearchWay) => Derivation };

function searchedAndWritten(means: Means, { intent, filter, to, between, content }: Doing): Planned {
  const way = means.free(searchWays(means, filter, null), ({ uses }) => uses)[0];
  if (way === undefined) return err({ code: 'no_way_left', detail: 'no tool that searches' });
  const anyShell: Target = { tool: 'shell', target: ANY_TARGET };
  if (between !== null && !means.isFree(anyShell)) return err({ code: 'no_way_left', detail: 'no shell' });
  const made = content(way);
  const write = writing(means, to, asJson(made));
  if (write._tag === 'Left') return write;
  const { steps, uses, look } = write.right;
  const named = paths(way, to);
  const middle: readonly CallStep[] = between === null ? [] : [step('made', { tool: 'shell', input: { pipeline: [[...between, { spread: asJson(named) }]] } }, { if_any: named })];
  const tries = way.tries.map((search) => [...search, ...middle, ...steps]);
  const written = subTask(1, {
    label: 'find_and_write',
    intent: `${intent} and write the result to ${inQuotes(to)}`,
    tries,
    output: HANDED_ON,
    uses: [...way.uses, ...(between === null ? [] : [anyShell]), ...uses],
    criteria: [criterion('the search ran to its end', { is: 'ran', look: way.look }), ...writtenCriteria(to, look, wanted(way, made, between))],
  });
  return ok({ subtasks: [written], together: [criterion(`${inQuotes(to)} is handed on`, { is: 'present', at: 0 })] });
}

/** What must stand in the file, where one line of evidence can show it: what was searched, or what a command gave. */
function wanted(way: SearchWay, made: Derivation, between: readonly string[] | null): Want | null {
  if (!way.isListing) return null;
  const shell: Look = { tool: 'shell', inputs: [] };
  if (between === null) return { text: null, looks: [{ id: 'found', look: way.look }], value: made };
  return made.do.length === 0 ? { text: null, looks: [{ id: 'made', look: shell }], value: made } : { text: null, looks: [{ id: 'found', look: way.look }, { id: 'made', look: shell }], value: made };
}

function paths({ found }: SearchWay, to: string): Derivation {
  return { from: found.from, do: [...found.do, ...pathsWithout(to)] };
}

function pathsWithout(to: string): readonly Operation[] {
  return [['without', to], ['pluck', 'path'], ['sort']];
}

function asJson({ from, do: operations }: Derivation): Json {
  return { from, do: operations };
}
