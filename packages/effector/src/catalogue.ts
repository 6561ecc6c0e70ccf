/**
 * The tools there are, in the order in which they are to be chosen. Source: 003 §R3 (tool priority chain):
 * the tools of another system are named at their places and declared unavailable, with what this machine has
 * beside them.
 */
import type { Json } from '@assay/kernel';

/** What kind of thing a tool does (dec-G15 blocks by class). */
export type ToolClass = 'search' | 'read' | 'write' | 'shell' | 'app';

/** Why a tool cannot be used now. */
export type WhyNot = 'macos_only' | 'no_desktop' | 'no_network' | 'not_allowed';

/** Whether the children of a tool can reach a network. `none`: it has no children and opens no socket. */
type Network = 'none' | 'isolated' | 'not_isolated';

/** One line of the chain. */
export type Place = {
  readonly name: string;
  /** Place in the chain, 1 first. Tools of one place stand in their order. */
  readonly priority: number;
  readonly class: ToolClass;
  /** False when each call of it loses something. */
  readonly reversible: boolean;
  /** True where a call that must be confirmed first does nothing and says why, until it is. */
  readonly holds: boolean;
  /** True where a call that was made may be made again: it changes nothing more. Source: calls/C15. */
  readonly again: boolean;
  /** Null for a tool this package has. */
  readonly never: WhyNot | null;
  /** One sentence for whoever chooses. */
  readonly about: string;
};

/** A tool as a run sees it. */
export type Tool = Omit<Place, 'never'> & {
  /** JSON Schema of the input, an object; null for a tool this package does not have. Source: calls/C15. */
  readonly schema: Json | null;
  readonly available: boolean;
  readonly why_not: WhyNot | null;
  readonly network: Network;
};

/** The tools this package has, in the order of the chain. */
export const TOOL_NAMES = [
  'find_files',
  'glob',
  'read_file',
  'write_file',
  'append_file',
  'make_dir',
  'move_file',
  'remove_file',
] as const;

/** The tool of declared checks: it is there only where some were declared, so no list of names has it. */
export const CHECK_TOOL = 'run_check';

/** A tool as most are: each call can be taken back, is not held, and may be made again. */
function place(
  priority: number,
  name: string,
  of: ToolClass,
  about: string,
  more: Partial<Place> = {},
): Place {
  const usual = { reversible: true, holds: false, again: true, never: null };
  return Object.freeze({ name, priority, class: of, ...usual, ...more, about });
}

/** Its place, behind the shell. Source: dec-K82. */
export const CHECK_PLACE: Place = place(
  6,
  CHECK_TOOL,
  'shell',
  'Runs one declared check by its name and says how it ended.',
);

/** A tool this package has. */
export type ToolName = (typeof TOOL_NAMES)[number];

/** What a tool of another system does cannot be taken back, nor be done again. */
const FINAL = { reversible: false, again: false } as const;

/** The whole chain, the tools that are not here included. Source: 003 §R3. */
export const TOOL_CHAIN: readonly Place[] = Object.freeze([
  place(1, 'mdfind', 'search', 'Search of the Spotlight index.', { never: 'macos_only' }),
  place(
    1,
    'find_files',
    'search',
    'Finds files of the workspace by name, extension, size, time of change or content; one JSON object a line.',
  ),
  place(2, 'glob', 'search', 'Finds paths of the workspace by a pattern of * ? [] and **; one path a line.'),
  place(3, 'read_file', 'read', 'Reads one text file of the workspace.'),
  place(3, 'write_file', 'write', 'Writes one file whole and makes the folders above it.', { holds: true }),
  place(3, 'append_file', 'write', 'Adds text at the end of a file and says how long it was.', {
    holds: true,
    again: false,
  }),
  place(3, 'make_dir', 'write', 'Makes a folder and those above it.'),
  place(3, 'move_file', 'write', 'Gives a file another path in the workspace.', {
    holds: true,
    again: false,
  }),
  place(3, 'remove_file', 'write', 'Removes one file.', { reversible: false, holds: true, again: false }),
  place(4, 'applescript', 'app', 'Control of the applications of a Mac.', { ...FINAL, never: 'macos_only' }),
  place(4, 'desktop', 'app', 'Control of desktop applications.', { ...FINAL, never: 'no_desktop' }),
  place(5, 'shortcuts', 'app', 'A named shortcut of a Mac.', { ...FINAL, never: 'macos_only' }),
  place(6, 'shell', 'shell', 'A command line: nothing runs one; a declared check is run by run_check.', {
    ...FINAL,
    never: 'not_allowed',
  }),
  place(7, 'search', 'search', 'Web search.', { never: 'no_network' }),
]);

/** True for a tool this package has. */
export function isToolName(name: string): name is ToolName {
  return TOOL_NAMES.some((known) => known === name);
}
