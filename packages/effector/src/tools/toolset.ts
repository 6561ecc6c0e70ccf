/**
 * The tools of one run: what policy allows of what this machine has. Source: 003 §R3; what is lost asks
 * first: 003 §9 Law 1.
 */
import { hash } from 'node:crypto';
import { admit, err, ok, OUTSIDE_LIMITS, type Digest, type Result } from '@assay/kernel';
import {
  type CallContext,
  type Confirmed,
  ended,
  type Ended,
  type Means,
  type ToolForm,
  type Understood,
  makeAim,
  shownTarget,
} from '../calls/call.js';
import {
  CHECK_PLACE,
  CHECK_TOOL,
  isToolName,
  type Place,
  type Tool,
  TOOL_CHAIN,
  type ToolName,
  type WhyNot,
} from '../catalogue.js';
import { DEFAULT_LIMITS, LIMIT_MAXIMA, type Limits, limitSaid, watchFor } from '../limits.js';
import { headTail, OUTPUT_CHARACTERS, type ToolCall } from '../tool-call.js';
import { denied } from '../refusal.js';
import { findMeans, programOnPath, CHECK_NAME, RUN_CHECK } from './program.js';
import { MAKE_DIR, MOVE_FILE, REMOVE_FILE } from './arrange.js';
import { FIND_FILES } from './find-files.js';
import { GLOB } from './glob.js';
import { READ_FILE } from './read-file.js';
import { APPEND_FILE, WRITE_FILE } from './write-file.js';
import type { Made } from '../workspace/path.js';
import { withSpot } from '../workspace/descend.js';
import type { Workspace } from '../workspace/open.js';

/**
 * What a run may use; what is not named is denied. `checks`: commands that a person has declared, by name, each a
 * program and its words; with one there is a tool `run_check`.
 */
export type Allow = {
  readonly tools: readonly ToolName[];
  readonly checks?: Readonly<Record<string, readonly string[]>>;
};

/** What a policy says of tools. */
export type ToolsetOptions = { readonly allow: Allow; readonly limits?: Partial<Limits> };

/**
 * A policy that cannot be: a name that does not exist, a check without a name or a program that is installed,
 * or a limit that is no whole number from 1 to its maximum.
 */
type ToolsetError = {
  readonly code: 'unknown_tool' | 'bad_check' | 'bad_limit';
  readonly path: string;
};

/** One call that is asked for. */
type ToolRequest = { readonly tool: string; readonly input: unknown };

/**
 * `confirmed`: somebody who may do so agreed that this very call loses what it said when it was held. Source:
 * 003 §9 Law 1; calls/C8.
 * `onOutput` is told all that was kept of the output as text, for whoever makes the next call of it; the call
 * itself shows head and tail. `not`: targets the call must not have, at most 64; it is then `blocked_target`,
 * and nothing was done (calls/C3).
 */
export type RunOptions = {
  readonly signal?: AbortSignal;
  readonly confirmed?: Confirmed;
  readonly onOutput?: (output: string) => void;
  readonly not?: readonly string[];
};

/** The tools of one run. */
export type Toolset = {
  /** The whole chain in its order, with what cannot be used and why. */
  readonly catalogue: readonly Tool[];
  /** Performs one call. Never rejects for what data, policy or the machine can do; a defect rejects. */
  readonly run: (request: ToolRequest, options?: RunOptions) => Promise<ToolCall>;
};

const FORMS: Readonly<Record<ToolName | typeof CHECK_TOOL, ToolForm>> = {
  find_files: FIND_FILES,
  glob: GLOB,
  read_file: READ_FILE,
  write_file: WRITE_FILE,
  append_file: APPEND_FILE,
  make_dir: MAKE_DIR,
  move_file: MOVE_FILE,
  remove_file: REMOVE_FILE,
  run_check: RUN_CHECK,
};

/**
 * Looks at what the machine has and gives the tools of a run. Codes: `unknown_tool`, `bad_check`, `bad_limit`,
 * with a JSON pointer into the options.
 *
 * @example
 * ```ts
 * const workspace = orThrow(await openWorkspace('/home/me/notes'));
 * const tools = orThrow(await toolset(workspace, { allow: { tools: ['find_files', 'write_file'] } }));
 * await tools.run({ tool: 'find_files', input: { sort: 'size', order: 'down', limit: 1 } });
 * ```
 */
export async function toolset(
  workspace: Workspace,
  options: ToolsetOptions,
): Promise<Result<ToolsetError, Toolset>> {
  const fault = findFault(options);
  if (fault !== null) return err(fault);
  const { tools, checks: declared = {} } = options.allow;
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const found = await findChecks(declared);
  if (found._tag === 'Left') return found;
  const checks = found.right;
  const means = checks.size === 0 ? NO_MEANS : await findMeans(workspace.root);
  const catalogue = [
    ...TOOL_CHAIN.map((place) => makeTool(place, tools)),
    ...(checks.size === 0 ? [] : [checkTool(means)]),
  ].toSorted((a, b) => a.priority - b.priority);
  const made: Made = { files: new Set(), left: new Set() };
  const run = async (
    { tool, input }: ToolRequest,
    { signal, confirmed = null, onOutput, not = [] }: RunOptions = {},
  ): Promise<ToolCall> => {
    const context: Before = {
      workspace,
      limits,
      means,
      checks,
      confirmed,
      made,
      watch: watchFor(tool === CHECK_TOOL ? limits.checkMs : limits.wallMs, signal ?? null),
    };
    return perform(catalogue, context, { tool, input }, not, onOutput);
  };
  return ok({ catalogue, run });
}

function findFault({ allow, limits = {} }: ToolsetOptions): ToolsetError | null {
  const tool = allow.tools.findIndex((name) => !isToolName(name));
  if (tool >= 0) return { code: 'unknown_tool', path: `/allow/tools/${tool}` };
  const most = new Map(Object.entries(LIMIT_MAXIMA));
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1 || value > (most.get(name) ?? 0))
      return { code: 'bad_limit', path: `/limits/${name}` };
  }
  return null;
}

const NO_MEANS: Means = { isolation: [], tying: [], bounding: [] };

/** The tool of declared checks. */
function checkTool({ isolation }: Means): Tool {
  const { never: _, ...known } = CHECK_PLACE;
  const network = isolation.length === 0 ? 'not_isolated' : 'isolated';
  return { ...known, schema: RUN_CHECK.schema, available: true, why_not: null, network };
}

/** Declared checks with their programs as they were found on the caller's own search path. */
async function findChecks(
  declared: Readonly<Record<string, readonly string[]>>,
): Promise<Result<ToolsetError, ReadonlyMap<string, readonly string[]>>> {
  const checks = new Map<string, readonly string[]>();
  for (const [name, [program = '', ...words]] of Object.entries(declared)) {
    const file = CHECK_NAME.test(name) ? await programOnPath(program) : null;
    if (file === null) return err({ code: 'bad_check', path: `/allow/checks/${name}` });
    checks.set(name, [file, ...words]);
  }
  return ok(checks);
}

function makeTool({ never, ...known }: Place, allowed: readonly string[]): Tool {
  const why: WhyNot | null = never ?? (allowed.includes(known.name) ? null : 'not_allowed');
  return {
    ...known,
    schema: isToolName(known.name) ? FORMS[known.name].schema : null,
    available: why === null,
    why_not: why,
    network: 'none',
  };
}

/** A context before it is known what the call is about. */
type Before = Omit<CallContext, 'aim'>;

/** Blocked targets of one call. Source: calls/C3. */
const NOT_MAX = 64;

async function perform(
  catalogue: readonly Tool[],
  context: Before,
  { tool: name, input }: ToolRequest,
  not: readonly string[],
  onOutput: RunOptions['onOutput'],
): Promise<ToolCall> {
  const tool = catalogue.find((known) => known.name === name) ?? null;
  const admitted = admit(input, OUTSIDE_LIMITS);
  const asCame =
    admitted._tag === 'Right'
      ? typeof admitted.right.value === 'string'
        ? admitted.right.value
        : admitted.right.text
      : `(${admitted.left.code} at ${admitted.left.path === '' ? 'the input' : admitted.left.path})`;
  const { limits } = context;
  const refuse = (reason: Ended): ToolCall =>
    makeCall(name, tool, { input: asCame, target: shownTarget(asCame), limits }, reason);
  if (tool === null) return refuse(ended(denied('unknown_tool', name)));
  if (!(isToolName(name) || name === CHECK_TOOL))
    return refuse(ended(denied('unavailable', `${name}: ${tool.why_not}`)));
  if (!tool.available) return refuse(ended(denied('not_allowed', name)));
  if (admitted._tag === 'Left') return refuse(ended(denied('bad_input', asCame)));
  const understood = FORMS[name].understand(admitted.right.value);
  if (understood._tag === 'Left') return refuse(ended(understood.left));
  if (not.length > NOT_MAX) return refuse(ended(denied('bad_input', `more than ${NOT_MAX} blocked targets`)));
  const aim = makeAim(understood.right.about, not);
  const result = await aimed(understood.right, { ...context, aim });
  onOutput?.(Buffer.from(result.output).toString('utf8'));
  return makeCall(name, tool, { input: understood.right.input, target: aim.target(), limits }, result);
}

/**
 * Acts, and finds what was not come by because the call ended before: nothing was done then, since a tool
 * acts after it has found all that it is about.
 */
async function aimed({ about, act }: Understood, context: CallContext): Promise<Ended> {
  const { aim, workspace } = context;
  const stop = aim.refusal() ?? context.watch.stop();
  const result = stop === null ? await act(context) : ended(stop);
  for (const index of aim.missing()) {
    const path = about.sought[index] ?? null;
    const way = { make: false, follow: about.follow, found: aim.at(index) };
    if (path !== null) await withSpot(workspace, path, way, () => Promise.resolve(ok(null)));
  }
  const blocked = aim.verdict();
  return blocked === null ? result : ended(blocked);
}

function makeCall(
  name: string,
  tool: Tool | null,
  { input, target, limits }: { readonly input: string; readonly target: string; readonly limits: Limits },
  { status, code, output, whole, irreversible, loses, why }: Ended,
): ToolCall {
  return {
    tool: headTail(name.toWellFormed(), NAME_CHARACTERS),
    input: shownInput(input),
    target,
    output: headTail(Buffer.from(output).toString('utf8')),
    status,
    code,
    why: why ?? limitSaid(code, limits),
    output_bytes: whole?.bytes ?? output.length,
    digest: whole === null ? (hash('sha256', output, 'hex') as Digest) : whole.digest,
    class: tool?.class ?? null,
    irreversible,
    loses,
  };
}

/** A name that nobody has is recorded too, but not at any length. */
const NAME_CHARACTERS = 200;

/** A long input is cut like an output, and ends in its digest, so that texts are equal where inputs are. */
function shownInput(input: string): string {
  if (input.length <= OUTPUT_CHARACTERS) return input;
  const mark = `\nsha256 ${hash('sha256', input, 'hex')}`;
  return headTail(input, OUTPUT_CHARACTERS - mark.length) + mark;
}
