/**
 * Families whose answer may be long: found, made and written in one sub-task, since what sub-tasks hand on is
 * short.
 *
 * @module
 */
import { err, ok, type Json } from '@assay/kernel';
import type { Goal } from './goal.js';
import { inQuotes } from './tokens.js';
import type { CallStep, Derivation, Look, Operation, Want } from '@assay/controller/steps';
import { criterion, subTask } from './drafts.js';
import { answered, HANDED_ON, writing, writtenCriteria, type Planned } from './writing.js';
import {
  SEARCH,
  digestWay,
  searchWays,
  step,
  type Means,
  type Searched,
  type SearchWay,
  type Use,
} from './ways.js';

/** Names of files, one a line, sorted by code points. */
export function listed({ filter, to }: Extract<Goal, { family: 'list' }>, means: Means): Planned {
  return searchedAndWritten(means, {
    intent: 'list the files',
    to,
    routes: plainly({ filter, to }, ({ found }) => ({
      from: found.from,
      do: [...found.do, ...pathsWithout(to), ['names'], ['as_lines']],
    })),
  });
}

/** `extension<TAB>bytes` lines. */
export function sizesReported({ filter, to }: Extract<Goal, { family: 'sizes' }>, means: Means): Planned {
  return searchedAndWritten(means, {
    intent: 'add up sizes by extension',
    to,
    routes: plainly({ filter, to }, ({ found }) => ({
      from: found.from,
      do: [...found.do, ['without', to], ['by_extension']],
    })),
  });
}

/**
 * The contents of files one behind the other, in the order of their paths by code points, with nothing in
 * between: read by one call, or joined by `cat`.
 */
export function collected({ filter, to }: Extract<Goal, { family: 'collect' }>, means: Means): Planned {
  const content = (): Derivation => ({ from: 'made', do: [] });
  const routes = searchWays({ filter, to }, null).flatMap((way): readonly Route[] => [
    { way, between: { tool: 'read_file', inputOf: (named) => ({ paths: [{ spread: named }] }) }, content },
    { way, between: inShell('cat'), content },
  ]);
  return searchedAndWritten(means, { intent: 'collect the contents of the files', to, routes });
}

/**
 * Names of files with the same content, one a line; groups in the order of their first paths, parted by an
 * empty line. The search says the digests, or `sha256sum`.
 */
export function twinsListed({ filter, to }: Extract<Goal, { family: 'duplicates' }>, means: Means): Planned {
  const told = [digestWay({ filter, to })].map(
    (way): Route => ({
      way,
      between: null,
      content: ({ found }) => ({
        from: found.from,
        do: [...found.do, ['without', to], ['alike', 'sha256'], ['as_groups']],
      }),
    }),
  );
  const summed = searchWays({ filter, to }, null).map(
    (way): Route => ({
      way,
      between: inShell('sha256sum'),
      content: () => ({ from: 'made', do: [['twins', asJson(paths(way, to))], ['as_groups']] }),
    }),
  );
  return searchedAndWritten(means, {
    intent: 'find files with the same content',
    to,
    routes: [...told, ...summed],
  });
}

/**
 * What is called between the search and the writing: a tool, and its input made of the paths that were found.
 */
type Between = { readonly tool: string; readonly inputOf: (named: Json) => Json };
/** One way through: how files are found, what is done with them, what is made of it. */
type Route = {
  readonly way: SearchWay;
  readonly between: Between | null;
  readonly content: (way: SearchWay) => Derivation;
};
type Doing = { readonly intent: string; readonly to: string; readonly routes: readonly Route[] };

function plainly(searched: Searched, content: Route['content']): readonly Route[] {
  return searchWays(searched, null).map((way) => ({ way, between: null, content }));
}

function inShell(command: string): Between {
  return { tool: 'shell', inputOf: (named) => ({ pipeline: [[command, '--', { spread: named }]] }) };
}

function searchedAndWritten(means: Means, { intent, to, routes }: Doing): Planned {
  if (to === '') return searchedAndSaid(means, { intent, to, routes });
  const route = means.free(routes, usesOf)[0];
  if (route === undefined)
    return err({
      code: 'no_way_left',
      detail: `no tools that search and read${means.lacking([SEARCH, ...routes.flatMap(usesOf)])}`,
    });
  const { way, between, content } = route;
  const made = content(way);
  const write = writing(means, to, asJson(made));
  if (write._tag === 'Left') return write;
  const { steps, look } = write.right;
  const named = paths(way, to);
  const taken: Derivation = { from: named.from, do: [...named.do, ['operands']] };
  const middle: readonly CallStep[] =
    between === null
      ? []
      : [step('made', { tool: between.tool, input: between.inputOf(asJson(taken)) }, { if_any: named })];
  const tries = way.tries.map((search) => [...search, ...middle, ...steps]);
  const written = subTask(1, {
    label: 'find_and_write',
    intent: `${intent} and write the result to ${inQuotes(to)}`,
    tries,
    output: HANDED_ON,
    criteria: [
      criterion('the search ran to its end', { is: 'ran', look: way.look }),
      ...writtenCriteria(to, look, wanted(way, made, between)),
    ],
  });
  return ok({
    subtasks: [written],
    together: [criterion(`${inQuotes(to)} is handed on`, { is: 'present', at: 0 })],
  });
}

/** The same where the answer is only said: by a search alone. */
function searchedAndSaid(means: Means, { intent, routes }: Doing): Planned {
  const said = routes.filter(({ between }) => between === null);
  const route = means.free(said, usesOf)[0];
  if (route === undefined)
    return err({
      code: 'no_way_left',
      detail: `no tools that search${means.lacking([SEARCH, ...said.flatMap(usesOf)])}`,
    });
  const { way, content } = route;
  const output = content(way);
  const claim = { is: 'claim', look: way.look, do: output.do } as const;
  const criteria = [
    criterion('the search ran to its end', { is: 'ran', look: way.look }),
    criterion(`what is handed on is what the search found: ${intent}`, claim),
  ];
  return ok(answered(subTask(1, { label: 'find', intent, tries: way.tries, output, criteria })));
}

function usesOf({ way, between }: Route): readonly Use[] {
  return between === null ? way.uses : [...way.uses, { tool: between.tool, target: null }];
}

/**
 * What must stand in the file, where single calls show it: what was searched, or what was made of
 * the files that were found.
 */
function wanted(way: SearchWay, made: Derivation, between: Between | null): Want | null {
  if (!way.isListing) return null;
  if (between === null) return { text: null, looks: [{ id: 'found', look: way.look }], value: made };
  const joined: Look = { tool: between.tool, input: null };
  return made.do.length === 0
    ? { text: null, looks: [{ id: 'made', look: joined }], value: made }
    : {
        text: null,
        looks: [
          { id: 'found', look: way.look },
          { id: 'made', look: joined },
        ],
        value: made,
      };
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
