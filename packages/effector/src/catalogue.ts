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
export type Tool = {
  readonly name: string;
  readonly priority: number;
  readonly class: ToolClass;
  readonly reversible: boolean;
  readonly holds: boolean;
  readonly again: boolean;
  /** JSON Schema of the input, an object; null for a tool this package does not have. Source: calls/C15. */
  readonly schema: Json | null;
  readonly available: boolean;
  readonly why_not: WhyNot | null;
  readonly network: Network;
  readonly about: string;
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

/** Its place, behind the shell. Source: dec-K82. */
export const CHECK_PLACE: Place = Object.freeze({
  name: CHECK_TOOL,
  priority: 6,
  class: 'shell',
  reversible: true,
  holds: false,
  again: true,
  never: null,
  about: 'Runs one declared check by its name and says how it ended.',
});

/** A tool this package has. */
export type ToolName = (typeof TOOL_NAMES)[number];

/** The whole chain, the tools that are not here included. Source: 003 §R3. */
export const TOOL_CHAIN: readonly Place[] = Object.freeze([
  {
    name: 'mdfind',
    priority: 1,
    class: 'search',
    reversible: true,
    holds: false,
    again: true,
    never: 'macos_only',
    about: 'Search of the Spotlight index.',
  },
  {
    name: 'find_files',
    priority: 1,
    class: 'search',
    reversible: true,
    holds: false,
    again: true,
    never: null,
    about:
      'Finds files of the workspace by name, extension, size, time of change or content; one JSON object a line.',
  },
  {
    name: 'glob',
    priority: 2,
    class: 'search',
    reversible: true,
    holds: false,
    again: true,
    never: null,
    about: 'Finds paths of the workspace by a pattern of * ? [] and **; one path a line.',
  },
  {
    name: 'read_file',
    priority: 3,
    class: 'read',
    reversible: true,
    holds: false,
    again: true,
    never: null,
    about: 'Reads one text file of the workspace.',
  },
  {
    name: 'write_file',
    priority: 3,
    class: 'write',
    reversible: true,
    holds: true,
    again: true,
    never: null,
    about: 'Writes one file whole and makes the folders above it.',
  },
  {
    name: 'append_file',
    priority: 3,
    class: 'write',
    reversible: true,
    holds: true,
    again: false,
    never: null,
    about: 'Adds text at the end of a file and says how long it was.',
  },
  {
    name: 'make_dir',
    priority: 3,
    class: 'write',
    reversible: true,
    holds: false,
    again: true,
    never: null,
    about: 'Makes a folder and those above it.',
  },
  {
    name: 'move_file',
    priority: 3,
    class: 'write',
    reversible: true,
    holds: true,
    again: false,
    never: null,
    about: 'Gives a file another path in the workspace.',
  },
  {
    name: 'remove_file',
    priority: 3,
    class: 'write',
    reversible: false,
    holds: true,
    again: false,
    never: null,
    about: 'Removes one file.',
  },
  {
    name: 'applescript',
    priority: 4,
    class: 'app',
    reversible: false,
    holds: false,
    again: false,
    never: 'macos_only',
    about: 'Control of the applications of a Mac.',
  },
  {
    name: 'desktop',
    priority: 4,
    class: 'app',
    reversible: false,
    holds: false,
    again: false,
    never: 'no_desktop',
    about: 'Control of desktop applications.',
  },
  {
    name: 'shortcuts',
    priority: 5,
    class: 'app',
    reversible: false,
    holds: false,
    again: false,
    never: 'macos_only',
    about: 'A named shortcut of a Mac.',
  },
  {
    name: 'shell',
    priority: 6,
    class: 'shell',
    reversible: false,
    holds: false,
    again: false,
    never: 'not_allowed',
    about: 'A command line: nothing runs one; a declared check is run by run_check.',
  },
  {
    name: 'search',
    priority: 7,
    class: 'search',
    reversible: true,
    holds: false,
    again: true,
    never: 'no_network',
    about: 'Web search.',
  },
] as const);

/** True for a tool this package has. */
export function isToolName(name: string): name is ToolName {
  return TOOL_NAMES.some((known) => known === name);
}
