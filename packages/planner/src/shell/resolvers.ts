/**
 * The boot resolvers: what the run knows of itself, and the tools. Declared checks, run where files have
 * been written: what a tool says of an output. Source: 000 §4; dec-K32; dec-K82; dec-K44.
 */
import { type Json, type Result, cutText, ok } from '@assay/kernel';
import { listObjects, readField } from '@assay/kernel/shape';
import type { Bodies, Policy } from '../index.js';
import type { Toolset, ToolCall } from '@assay/effector';
import type { Blobs, Port, PortAnswer } from '@assay/host';
import { keepValue, makeToken, readFiles, writeFiles, type LeafFile, type FilesFault } from './files.js';

/** What a leaf made, with nothing that only tools say. */
function makeContent(content: Json, summary: string, format: string): { readonly [field: string]: Json } {
  return {
    artifact: { format, summary, content },
    leaf_kind: 'atomic',
    leaf_reason: 'one piece of work',
    manifest: null,
    checks: [],
    figures: [],
  };
}

/**
 * `self-model-0`: which tools and checks there are, what one call may cost, and what the plan allows. Pure: it
 * says what the policy and the request say.
 */
export function selfModelPort(policy: Pick<Policy, 'resolvers' | 'checks' | 'limits'>, blobs: Blobs): Port {
  return {
    source: 'rule',
    proposer: 'self-model-0',
    perform: async ({ body }) => {
      const { node, goal, constraints, rows, approach } = body as unknown as Bodies['resolve'];
      const content: Json = {
        node,
        goal,
        resolvers: policy.resolvers.map(({ id, capabilities, bound }) => ({ id, capabilities, bound })),
        checks: policy.checks.map(({ name }) => name),
        limits: policy.limits,
        held: [...constraints, ...rows].map(({ id }) => id),
        approach,
      };
      await keepValue(blobs, content);
      return { value: makeContent(content, `${policy.resolvers.length} resolvers`, 'json') };
    },
  };
}

/**
 * `tools-0`: writes the files of what came before it and runs the declared checks of its constraints, whose
 * exit codes count. Fails where a file stands in the way whose bytes are not kept.
 */
export function toolsPort(tools: Toolset, blobs: Blobs): Port {
  return {
    source: 'tool',
    proposer: 'tools-0',
    perform: async ({ body }, { signal }): Promise<PortAnswer> => {
      const { constraints, inputs } = body as unknown as Bodies['resolve'];
      const read = await writeInputs(tools, blobs, inputs, signal);
      if (read._tag === 'Left') return notWritten(read.left);
      const files = read.right;
      const checks: [string, number][] = [];
      const said: Json[] = [];
      for (const constraint of constraints) {
        const name = makeCheck(constraint);
        if (name === null) continue;
        const { exit, detail } = await runCheck(tools, name, signal);
        checks.push([constraint.id, exit]);
        said.push({ check: name, exit, detail });
      }
      signal.throwIfAborted();
      const kept = await filesJson(blobs, files);
      const content = { files: kept, checks: said };
      await keepValue(blobs, content);
      const summary = `${files.length} files written, ${checks.length} checks run`;
      return { value: { ...makeContent(content, summary, 'files'), checks } };
    },
  };
}

/** Writes the files of what came before; of one path the last one counts. */
async function writeInputs(
  tools: Toolset,
  blobs: Blobs,
  inputs: readonly string[],
  signal: AbortSignal,
): Promise<Result<FilesFault, readonly LeafFile[]>> {
  const byPath = new Map<string, LeafFile>();
  for (const input of inputs) {
    const files = await readFiles(blobs, input);
    if (files._tag === 'Left') return files;
    for (const file of files.right) byPath.set(file.path, file);
  }
  const files = [...byPath.values()];
  const written = await writeFiles(tools, blobs, files, signal);
  return written._tag === 'Left' ? written : ok(files);
}

/**
 * A command that a person named, run as declared checks are: in the workspace, without a shell. Exit 0 is an output,
 * anything else a failed try. `run`: by its name.
 */
export function commandPort(tools: Toolset, blobs: Blobs, run: (name: string) => Promise<Toolset>): Port {
  return {
    source: 'tool',
    proposer: 'tools-0',
    perform: async ({ body }, { signal }): Promise<PortAnswer> => {
      const { inputs, resolver } = body as unknown as Bodies['resolve'];
      const read = await writeInputs(tools, blobs, inputs, signal);
      if (read._tag === 'Left') return notWritten(read.left);
      const { exit, detail } = await runCheck(await run(resolver), resolver, signal);
      signal.throwIfAborted();
      if (exit !== 0)
        return { failure: { code: 'malformed', final: true, detail: { code: 'exit', detail: { detail } } } };
      const content = { command: resolver, exit, detail };
      await keepValue(blobs, content);
      return { value: makeContent(content, `${resolver} ended with exit 0`, 'json') };
    },
  };
}

/** A port that is not asked the same again: after a try that failed it would do what it did. */
export function askedOnce(port: Port): Port {
  return {
    ...port,
    perform: (request, call) => {
      const [resolver, tried] = [readField(request.body, 'resolver'), readField(request.body, 'feedback')];
      const isAgain =
        request.kind === 'resolve' && listObjects(tried).some((each) => each['resolver'] === resolver);
      return isAgain ? Promise.resolve(refuse('nothing_new')) : port.perform(request, call);
    },
  };
}

/** The port of a resolver that nobody plays here: it is missing, so that another is taken or a person asked. */
export const missingPort: Port = {
  source: 'rule',
  proposer: 'rules',
  perform: () => Promise.resolve(refuse('no_port')),
};

function refuse(code: 'no_port' | 'nothing_new'): PortAnswer {
  return { failure: { code: 'malformed', final: true, detail: { code } } };
}

/** Files as a ledger has them. */
export async function filesJson(blobs: Blobs, files: readonly LeafFile[]): Promise<Json> {
  const listed: Json[] = [];
  for (const { path, bytes } of files) listed.push({ path, blob: makeToken(bytes, await blobs.put(bytes)) });
  return listed;
}

type Shown = Bodies['verify']['constraints'][number];

/** How a check ended: with which exit, and what is told whoever tries again. */
type CheckRun = { readonly exit: number; readonly detail: string };

const DETAIL_MAX = 400;
/** What a check that was stopped or could not be run counts as. */
const NOT_RUN = 255;

/** Runs one declared check. */
export async function runCheck(tools: Toolset, name: string, signal: AbortSignal): Promise<CheckRun> {
  const call = await tools.run({ tool: 'run_check', input: { name } }, { signal });
  return {
    exit: readExit(call),
    detail: cutText(`${call.why ?? call.code ?? 'exit 0'}\n${call.output}`, DETAIL_MAX),
  };
}

/** Exit codes are at most 255, and a signal has none. */
function readExit({ status, why }: ToolCall): number {
  if (status === 'ok') return 0;
  const said = /^exit (\d{1,3})$/.exec(why ?? '')?.[1];
  return said === undefined ? NOT_RUN : Math.min(NOT_RUN, Number(said));
}

/** The name of the check that a constraint holds; null where it holds none. */
export function makeCheck({ payload }: Shown): string | null {
  return payload.t === 'check' ? payload.name : null;
}

/** The failure of files that cannot be written: a try that failed, with why. */
export function notWritten({ code, path }: FilesFault): PortAnswer {
  return { failure: { code: 'malformed', final: true, detail: { code, detail: { path } } } };
}

/**
 * The port for requests `verify` that tools are asked (`judge: "logic"`): writes the files of the output, runs
 * the check that each constraint names. What no check names does not hold: nothing measures it.
 */
export function checkPort(tools: Toolset, blobs: Blobs): Port {
  return {
    source: 'tool',
    proposer: 'tools-0',
    perform: async ({ body }, { signal }) => {
      const { constraints, output } = body as unknown as Bodies['verify'];
      const files = await readFiles(blobs, output);
      const fault = files._tag === 'Left' ? files.left : await findFault(tools, blobs, files.right, signal);
      const checks: Json[] = [];
      for (const constraint of constraints) {
        const name = makeCheck(constraint);
        const { exit, detail } =
          fault !== null
            ? { exit: NOT_RUN, detail: `${fault.code}: ${fault.path}` }
            : name === null
              ? { exit: NOT_RUN, detail: 'nothing measures it' }
              : await runCheck(tools, name, signal);
        signal.throwIfAborted();
        const passed = exit === 0;
        checks.push({
          constraint: constraint.id,
          passed,
          sigma_ppm: passed ? 1_000_000 : 0,
          detail,
          repair: null,
        });
      }
      return { value: { verdict: null, checks } };
    },
  };
}

async function findFault(
  tools: Toolset,
  blobs: Blobs,
  files: Parameters<typeof writeFiles>[2],
  signal: AbortSignal,
): Promise<FilesFault | null> {
  const written = await writeFiles(tools, blobs, files, signal);
  return written._tag === 'Left' ? written.left : null;
}
