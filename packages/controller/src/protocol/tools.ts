/**
 * Tools as data: the catalogue of a run, in order of priority, and what a call of one is about. What a call
 * does: acts, only looks, or searches. A command that only looks is no act. Source: 003 §R3 "Tool Priority
 * Chain"; dec-G21; calls/C3; calls/C15; 003 §R3 "Skills"; §R4a.
 */
import {
  canonicalize,
  cutText,
  isIntegral,
  isObject,
  type Digest,
  type Json,
  absurd,
  field,
} from '@assay/kernel';
import {
  closed,
  flag,
  list,
  oneOf,
  readField,
  sized,
  text,
  type Shape,
  type TypeOf,
} from '@assay/kernel/shape';

/**
 * What a tool does with the world: looks for things, looks at one thing, changes something, runs a command,
 * drives an application.
 */
export const TOOL_CLASSES = ['search', 'read', 'write', 'shell', 'app'] as const;
/** One of `TOOL_CLASSES`. */
export type ToolClass = (typeof TOOL_CLASSES)[number];

/** A call as an executor decides on it. */
export type ToolInput = { readonly tool: string; readonly input: Json };

/** How a call ended. `truncated`: cut before its completion; `interrupted`: stopped from outside. */
export const CALL_STATUSES = ['ok', 'error', 'denied', 'timeout', 'interrupted', 'truncated'] as const;
/** One of `CALL_STATUSES`. */
export type CallStatus = (typeof CALL_STATUSES)[number];

/** Most tools of a run. */
export const TOOLS_MAX = 64;
/** Most calls in one answer of an executor. */
export const CALLS_MAX = 8;
/** Longest target, in UTF-16 units: 200 and a SHA-256 with what stands before it. */
export const TARGET_MAX = 300;
const TARGET_UNITS = 200;

/** A text as a target, such as the canonical input: beyond 200 units cut there, with its SHA-256. Source: calls/C3. */
export function shownTarget(text: string, digest: () => Digest): string {
  return text.length <= TARGET_UNITS ? text : `${cutText(text, TARGET_UNITS)}… sha256 ${digest()}`;
}

/** Most bytes of one schema, and of all of a run. */
const SCHEMA_BYTES_MAX = 4_096;
const SCHEMAS_BYTES_MAX = 65_536;

/** Names that stand for an executor's own answers. */
const RESERVED: readonly string[] = ['done', 'give_up'];

const NAME = /^[a-z][a-z0-9_-]{0,63}$/;
const toolName = text((value) => NAME.test(value) && !RESERVED.includes(value), { pattern: NAME });
const schemaShape: Shape<Json> = (value) =>
  isObject(value) && isIntegral(value) && schemaBytes(value) <= SCHEMA_BYTES_MAX ? null : '';
const TOOL = closed({
  name: toolName,
  class: oneOf(TOOL_CLASSES),
  reversible: flag,
  holds: flag,
  again: flag,
  schema: schemaShape,
});
/**
 * A tool of a run. `reversible`: false where a call may not be undone. `holds`: a call that would lose
 * something does nothing and says what, until that is confirmed. `again`: a call that was begun may be made
 * again. `schema`: JSON Schema of its input; its `description` tells what the tool does. Source: calls/C15.
 */
export type Tool = TypeOf<typeof TOOL>;
/** Shape of a catalogue: no name twice, and its bounds. */
export const CATALOGUE: Shape<readonly Tool[]> = list(
  TOOL,
  (tools) =>
    tools.length <= TOOLS_MAX &&
    new Set(tools.map((tool) => readField(tool, 'name'))).size === tools.length &&
    tools.reduce<number>((sum, tool) => sum + schemaBytes(readField(tool, 'schema')), 0) <= SCHEMAS_BYTES_MAX,
  { max: TOOLS_MAX },
);
export const TARGET = closed({ tool: toolName, target: sized(0, TARGET_MAX) });
/** One tool and what it was called on, as the tool says it. Source: dec-G21, calls/C3. */
export type Target = TypeOf<typeof TARGET>;

function schemaBytes(schema: Json): number {
  const bytes = canonicalize(schema);
  return bytes._tag === 'Left' ? Infinity : bytes.right.length;
}

/** True where an action stands in a list. */
export function isAmong({ tool, target }: Target, list: readonly Target[]): boolean {
  return list.some((other) => other.tool === tool && other.target === target);
}

/**
 * Commands that only look, so that none of them after a failed action shows that it happened; how options
 * begin that make one of them act, a single letter also among others (`-uo`); the most operands that one of
 * them may be given, where one more is written to.
 */
const LOOKING: Readonly<{
  checks: readonly string[];
  acting: Readonly<Record<string, readonly string[]>>;
  operands: Readonly<Record<string, number>>;
}> = Object.freeze({
  checks: Object.freeze([
    'ls',
    'find',
    'stat',
    'cat',
    'head',
    'tail',
    'wc',
    'du',
    'test',
    'file',
    'grep',
    'cut',
    'sort',
    'uniq',
    'tr',
    'sha256sum',
  ]),
  // Long options can be shortened: `--o` is `--output`, `--co` the `--compress-program` of sort, which runs
  // one, and the `--compile` of file.
  acting: Object.freeze({
    find: Object.freeze(['-delete', '-exec', '-ok', '-fprint', '-fls']),
    sort: Object.freeze(['-o', '--o', '--co']),
    file: Object.freeze(['-C', '--co']),
  }),
  operands: Object.freeze({ uniq: 1 }),
});

/** What one call does. */
export type CallKind = 'act' | 'look' | 'search';

/** The kind of a call. A tool that the run does not know acts. */
export function callKind({ tool, input }: ToolInput, tools: readonly Tool[]): CallKind {
  const known: ToolClass = tools.find(({ name }) => name === tool)?.class ?? 'write';
  switch (known) {
    case 'search':
      return 'search';
    case 'read':
      return 'look';
    case 'write':
    case 'app':
      return 'act';
    case 'shell':
      return onlyLooks(lineIn(input)) ? 'look' : 'act';
    default:
      return absurd(known);
  }
}

/** The line of a shell: the input, or its member `command`. Nothing else only looks. */
function lineIn(input: Json): string {
  const line = isObject(input) && Object.keys(input).length === 1 ? field(input, 'command') : input;
  return typeof line === 'string' ? line : ';';
}

/**
 * True for a line of which every command, parted by pipes, only looks. A redirection, a substitution, an
 * expansion of braces or a list of commands outside quotes cannot be told, and acts; so does a pattern of
 * file names where one of them could be written to, or be an option that acts. What stands in quotes is read
 * as the words that the command is given.
 */
function onlyLooks(line: string): boolean {
  const bare = line.replace(
    /'([^']*)'|"((?:[^"$`\\]|\\.)*)"|\\(.)/g,
    (_, single?: string, double?: string, one?: string) =>
      (single ?? double ?? one ?? '').replace(/[\s|;&<>`$(){}\\*?[]/g, 'x'),
  );
  if (/[;&<>`$(){}\n]/.test(bare)) return false;
  return bare.split('|').every((command) => {
    const [name = '', ...words] = command.trim().split(/\s+/);
    return (
      LOOKING.checks.includes(name) &&
      !words.some((word) => isActing(name, word)) &&
      listOperands(words) <= (LOOKING.operands[name] ?? Infinity)
    );
  });
}

function isActing(name: string, word: string): boolean {
  // A pattern of file names may stand for one that is such an option; after `./`, or after any letter, it
  // stands for none.
  return (LOOKING.acting[name] ?? []).some(
    (option) =>
      word.startsWith(option) ||
      (option.length === 2 && /^-[^-]/.test(word) && word.includes(option.slice(1))) ||
      /^(?:-.*)?[*?[]/.test(word),
  );
}

/**
 * At least as many operands as there are: the value of an option counts as one, a pattern of file names as
 * any number.
 */
function listOperands(words: readonly string[]): number {
  if (words.some((word) => /[*?[]/.test(word))) return Infinity;
  return words.filter(
    (word, index) => word === '-' || !word.startsWith('-') || words.slice(0, index).includes('--'),
  ).length;
}
