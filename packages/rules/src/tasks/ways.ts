/**
 * Ways to do one thing: which tools, which inputs. A planner takes the first way that is free, so that a
 * blocked tool or a blocked input leads to another one. Source: 003 §R2 "MUST NOT Set", §R7 "Directive
 * Semantics"; 002 "Action mapping".
 *
 * @module
 */
import type { Json } from '@assay/kernel';
import type { PlanBody } from '@assay/controller';
import type { Filter } from './goal.js';
import {
  bare,
  canonicalText,
  nameLine,
  makeOperand,
  operands,
  type CallStep,
  type Derivation,
  type Look,
  type Operation,
} from '@assay/controller/steps';

/** A call that a plan may write. */
export type Call = { readonly tool: string; readonly input: Json };
/** A tool and what it will say that it is about, as far as that is known beforehand; else null. */
export type Use = { readonly tool: string; readonly target: string | null };
/** A way to look at something: the call, and how evidence of it is found. */
export type LookWay = { readonly call: Call; readonly use: Use; readonly look: Look };
/**
 * A way to find files: the steps of each try; `found` makes objects with path, size and mtime_ms of their
 * outputs, `looks` names the evidence.
 */
export type SearchWay = {
  readonly tries: readonly (readonly CallStep[])[];
  readonly uses: readonly Use[];
  readonly found: Derivation;
  readonly look: Look;
  readonly isListing: boolean;
};
/** How what is found is ordered; null: as it comes. */
export type Ordering = {
  readonly by: 'size' | 'mtime';
  readonly down: boolean;
  readonly limit: number;
} | null;

/** What is free in a round. */
export class Means {
  private readonly body: PlanBody;

  constructor(body: PlanBody) {
    this.body = body;
  }

  /** True for a tool of the run that may be used on this target. */
  isFree({ tool, target }: Use): boolean {
    const { must_not } = this.body;
    return (
      this.isThere(tool) &&
      !must_not.tools.includes(tool) &&
      !must_not.targets.some((other) => other.tool === tool && other.target === target)
    );
  }

  /**
   * Which of these tools are out of reach as a whole, and why, as an ending of a sentence: not among those of
   * the run, or not to be used. Empty where a target of one was blocked: then a call that failed is why.
   */
  lacking(uses: readonly Use[]): string {
    const { must_not } = this.body;
    if (must_not.targets.some(({ tool }) => uses.some((use) => use.tool === tool))) return '';
    const said = [...new Set(uses.map(({ tool }) => tool))].flatMap((tool) => {
      if (must_not.tools.includes(tool)) return [`${tool} must not be used`];
      return this.isThere(tool) ? [] : [`${tool} is not allowed`];
    });
    return said.length === 0 ? '' : ` (${said.join(', ')})`;
  }

  /**
   * The free ways: those first that memory prefers; behind them those that it is of two minds about, last
   * those with a tool of which two targets or more failed; otherwise in their order.
   */
  free<W>(ways: readonly W[], usesOf: (way: W) => readonly Use[]): readonly W[] {
    const { caution, must_not, prefer } = this.body;
    const isTired = (way: W): boolean =>
      usesOf(way).some(
        ({ tool }) => must_not.targets.filter((blocked) => blocked.tool === tool).length >= TIRED,
      );
    const doubts = (way: W): boolean =>
      usesOf(way).some(({ tool, target }) =>
        caution.some((other) => other.tool === tool && (other.target === '*' || other.target === target)),
      );
    const wishes = (way: W): boolean => usesOf(way).some(({ tool }) => prefer.tools.includes(tool));
    const rank = (way: W): number => (isTired(way) ? 3 : doubts(way) ? 2 : wishes(way) ? 0 : 1);
    return ways
      .filter((way) => usesOf(way).every((use) => this.isFree(use)))
      .toSorted((left, right) => rank(left) - rank(right));
  }

  private isThere(tool: string): boolean {
    return this.body.tools.some(({ name }) => name === tool);
  }
}

/** The tool that searches, on whatever input. */
export const SEARCH: Use = { tool: 'find_files', target: null };

/** Failed targets of one tool after which another tool goes first. */
const TIRED = 2;

/** A step that calls a tool and must go well. */
export function step(
  id: string,
  { tool, input }: Call,
  more: Partial<Pick<CallStep, 'may_fail' | 'if_any'>> = {},
): CallStep {
  return { id, tool, input, may_fail: more.may_fail ?? false, if_any: more.if_any ?? null };
}

/** Ways to see what a file holds. */
export function readWays(path: string): readonly LookWay[] {
  const pipeline = [['cat', ...operands(path)]];
  return [pathWay('read_file', { path }), lookWay({ tool: 'shell', input: { pipeline } }, lineOf(pipeline))];
}

/** A call about one path, which is its target. */
export function pathWay(
  tool: string,
  input: { readonly path: string; readonly [key: string]: Json },
): LookWay {
  return lookWay({ tool, input }, nameLine(input.path));
}

/**
 * Ways to see how large a file is: a search for its name in its folder, of which the line of this very path
 * counts. What has a meaning in patterns stands as `?`.
 */
export function sizeWays(path: string): readonly LookWay[] {
  const plain = bare(path);
  const slash = plain.lastIndexOf('/');
  const base = {
    ...given('under', slash < 0 ? null : makeOperand(plain.slice(0, slash))),
    name: plain.slice(slash + 1).replace(/[*?[\]{}\\]/g, '?'),
  };
  return [lookWay({ tool: 'find_files', input: base }, canonicalText(base))];
}

/** Ways to see whether a file is there. */
export function existWays(path: string): readonly LookWay[] {
  return [pathWay('read_file', { path, to_line: 1 })];
}

/** A call as a way to look. */
export function lookWay(call: Call, target: string): LookWay {
  return { call, use: { tool: call.tool, target }, look: call };
}

/**
 * Ways to find files, but for the one that is written to: the search tool, then commands that read.
 */
export function searchWays(searched: Searched, ordering: Ordering): readonly SearchWay[] {
  return [findWay(searched, ordering), ...shellWays(searched, ordering)];
}

/** The way to find files with their digests: by the search tool alone. */
export function digestWay(searched: Searched): SearchWay {
  return findWay(searched, null, { digests: true });
}

/**
 * What is searched for, and the file that does not count: a search names it by its place, which is another
 * path where a folder on the way is a link.
 */
export type Searched = { readonly filter: Filter; readonly to: string };

function findWay(
  { filter: { under, ext, name, contains }, to }: Searched,
  ordering: Ordering,
  more: { readonly digests?: true } = {},
): SearchWay {
  const input = {
    ...more,
    ...given('under', under),
    ...given('ext', ext),
    ...given('name', name),
    ...given('contains', contains),
    ...given('except', to.includes('/') ? to : null),
    ...(ordering === null
      ? {}
      : { sort: ordering.by, ...(ordering.down ? { order: 'down' } : {}), limit: ordering.limit }),
  };
  const found = [step('found', { tool: 'find_files', input })];
  return {
    // What failed for once may go well: the machine may be busy.
    tries: [found, found],
    uses: [{ tool: 'find_files', target: canonicalText(input) }],
    found: { from: 'found', do: [['json_lines']] },
    look: { tool: 'find_files', input },
    isListing: true,
  };
}

/**
 * `grep` names every file below a folder, `stat` says sizes and times, a NUL behind each name: it may hold a
 * line end. Not for patterns of names, nor for texts of several lines. Commands do not say where a path
 * leads: through a link the file that is written could not be told from others, and the search is not made.
 */
function shellWays(
  { filter: { under, ext, name, contains }, to }: Searched,
  ordering: Ordering,
): readonly SearchWay[] {
  if (name !== null || contains?.includes('\n') === true) return [];
  const place = under ?? '.';
  const grep = [
    ...(contains === null
      ? ['grep', '-r', '-c', '--null', '-e', '']
      : ['grep', '-r', '-l', '--null', '-F', '-e', contains]),
    ...operands(place),
  ];
  const input = { pipeline: [grep] };
  const named: readonly Operation[] = [
    [contains === null ? 'counted_paths' : 'bare_paths'],
    ...(ext === null ? [] : [['with_ext', ext]]),
  ];
  const paths: Derivation = { from: 'named', do: named };
  const folders = [...new Set([...foldersOf(to), ...(under === null ? [] : [...foldersOf(under), under])])];
  const looked =
    folders.length === 0
      ? []
      : [
          step(
            'folders',
            { tool: 'shell', input: { pipeline: [['stat', '-c', '%F', '--', ...folders.map(makeOperand)]] } },
            { may_fail: true },
          ),
        ];
  const steps = [
    ...looked,
    step(
      'named',
      { tool: 'shell', input },
      folders.length === 0 ? {} : { if_any: { from: 'folders', do: [['no_links']] } },
    ),
    step(
      'found',
      {
        tool: 'shell',
        input: {
          pipeline: [
            [
              'stat',
              '--printf=%s %.9Y %n\\0',
              '--',
              { spread: { from: paths.from, do: [...paths.do, ['operands']] } },
            ],
          ],
        },
      },
      { if_any: paths },
    ),
  ];
  const sorted: readonly Operation[] =
    ordering === null
      ? [['order', 'none', 'up']]
      : [['order', ordering.by === 'size' ? 'size' : 'mtime_ms', ordering.down ? 'down' : 'up']];
  return [
    {
      tries: [steps],
      uses: [{ tool: 'shell', target: lineOf(input.pipeline) }],
      found: { from: 'found', do: [['stat_lines'], ...sorted] },
      look: { tool: 'shell', input: null },
      isListing: false,
    },
  ];
}

/** A pipeline as the shell says it. */
function lineOf(pipeline: readonly (readonly string[])[]): string {
  return pipeline.map((words) => words.map(quoted).join(' ')).join(' | ');
}

/** What has a meaning outside quotes. */
const SIGNS = /[\s'"\\|;&<>(){}$`!#~*?[\]]|[^!-~\u00A1-\uFFFF]/;

function quoted(word: string): string {
  return word !== '' && !SIGNS.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The folders above a path, the topmost first. */
function foldersOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function given(key: string, value: string | null): { readonly [key: string]: string } {
  return value === null ? {} : { [key]: value };
}
