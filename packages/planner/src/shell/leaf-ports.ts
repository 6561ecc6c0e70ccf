/**
 * Who carries out what: the resolver that a request names, tools for what is logic, everybody else as they
 * are. A port is asked only where what it can cost is within what the machine holds back for it; texts of
 * files that others make lie beside the ledger before the answer is recorded. Parts put together: by a tool
 * where they are files, and into a folder at the end. Source: 000 §5 RESOLVE; dec-K32; dec-K75; dec-K82;
 * dec-K83; 000 §1 Step 13.
 */
import {
  type Request,
  type Spent,
  isObject,
  type Json,
  err,
  isArray,
  ok,
  orThrow,
  type Result,
} from '@assay/kernel';
import { type Toolset, openWorkspace, toolset } from '@assay/effector';
import { memoryBlobs, type Blobs, type Port, type Ports } from '@assay/host';
import { readField } from '@assay/kernel/shape';
import type { Bodies, Policy } from '../index.js';
import { agentPort, type AgentLeaf } from './agent-leaf.js';
import { keepValue, withBlobs, readFiles, writeFiles, type FilesFault, type LeafFile } from './files.js';
import { askedOnce, checkPort, commandPort, filesJson, selfModelPort, toolsPort } from './resolvers.js';

/** The most that one call of a resolver may cost, in the units of the run's budget; of none named, the largest. */
export function writeBound(
  { resolvers, budget }: Pick<Policy, 'resolvers' | 'budget'>,
  id: string | null,
): Spent {
  const asked = id === null ? resolvers : resolvers.filter((each) => each.id === id);
  return Object.fromEntries(
    Object.keys(budget).map((unit) => [unit, Math.max(0, ...asked.map(({ bound }) => bound[unit] ?? 0))]),
  );
}

/** The resolver that a request names; null where it names none. */
function resolverIn({ kind, body }: Request): string | null {
  const named = kind === 'resolve' && isObject(body) ? body['resolver'] : null;
  return typeof named === 'string' ? named : null;
}

/** A port that answers `denied` where it can cost more than `most` in a unit that is held. */
function withinBound(port: Port, most: (request: Request) => Spent): Port {
  return {
    ...port,
    perform: async (request, call) => {
      const can = port.bound?.(request) ?? {};
      const held = most(request);
      const unit = Object.keys(held).find((each) => (can[each] ?? 0) > (held[each] ?? 0));
      if (unit === undefined) return port.perform(request, call);
      const detail = { code: 'bound', unit, can: can[unit] ?? 0, held: held[unit] ?? 0 };
      return { failure: { code: 'denied', final: true, detail } };
    },
  };
}

/** A port whose outputs are kept. What has no artifact passes as it is. */
function keptPort(port: Port, blobs: Blobs): Port {
  return {
    ...port,
    perform: async (request, call) => {
      const answer = await port.perform(request, call);
      const value = answer.value ?? null;
      const artifact = readField(value, 'artifact');
      if (!isObject(value) || !isObject(artifact) || artifact['content'] === undefined) return answer;
      const content = await withBlobs(blobs, artifact['content']);
      await keepValue(blobs, content);
      const kept: Json = { ...value, artifact: { ...artifact, content } };
      return { ...answer, value: kept };
    },
  };
}

/**
 * What a run acts with. `tools`: of the workspace, `write_file`, `read_file` and `run_check` among them; null
 * where nothing is executed. `blobs`: beside the ledger. `agent`: how `agent-0` works; null without it. `commands`:
 * that people have named, and how each is run.
 * `others`: everybody else, models and people; they also stand in for resolvers that are not named here.
 */
export type Leaves = {
  readonly policy: Pick<Policy, 'resolvers' | 'checks' | 'limits' | 'budget'>;
  readonly tools: Toolset | null;
  readonly blobs: Blobs;
  readonly agent: AgentLeaf | null;
  readonly commands: Commands | null;
  readonly others: Ports;
};

/** Commands by name. `run`: tools that run it as a declared check. */
type Commands = {
  readonly has: (name: string) => boolean;
  readonly run: (name: string) => Promise<Toolset>;
};

/** The ports of a planner's run that acts. */
export function leafPorts({ policy, tools, blobs, agent, commands, others }: Leaves): Ports {
  const self = selfModelPort(policy, blobs);
  const [hands, checks] = tools === null ? [null, null] : [toolsPort(tools, blobs), checkPort(tools, blobs)];
  const acting = agent === null ? null : agentPort(agent, writeBound(policy, 'agent-0'));
  const working = acting === null || agent?.isModel === true ? acting : askedOnce(acting);
  const own: Readonly<Record<string, Port | null>> = {
    'self-model-0': askedOnce(self),
    'tools-0': hands === null ? null : askedOnce(hands),
    'agent-0': working,
  };
  const command =
    tools === null || commands === null ? null : askedOnce(commandPort(tools, blobs, commands.run));
  const assemble = assemblePort(blobs);
  const findMost = (request: Request): Spent => writeBound(policy, resolverIn(request));
  const kept = new WeakMap<Port, Port>();
  const keeping = (port: Port | null): Port | null => {
    if (port === null) return null;
    const before = kept.get(port) ?? withinBound(keptPort(port, blobs), findMost);
    kept.set(port, before);
    return before;
  };
  return (request) => {
    const { kind, body } = request;
    if (kind === 'resolve') {
      const { resolver } = body as unknown as Bodies['resolve'];
      if (Object.hasOwn(own, resolver)) return own[resolver] ?? null;
      return commands?.has(resolver) === true ? command : keeping(others(request));
    }
    if (kind === 'verify' && isObject(body) && body['judge'] === 'logic')
      return checks ?? keeping(others(request));
    if (kind === 'assemble' && tools !== null) return assemble;
    return keeping(others(request));
  };
}

/** The files of several outputs; of one path the last one counts. Code `blob`. */
async function together(
  blobs: Blobs,
  outputs: readonly string[],
): Promise<Result<FilesFault, readonly LeafFile[]>> {
  const byPath = new Map<string, LeafFile>();
  for (const output of outputs) {
    const files = await readFiles(blobs, output);
    if (files._tag === 'Left') return files;
    for (const file of files.right) byPath.set(file.path, file);
  }
  return ok([...byPath.values()]);
}

/** The port for requests `assemble`: the files of all parts, a later part's where two have one path. */
export function assemblePort(blobs: Blobs): Port {
  return {
    source: 'tool',
    proposer: 'tools-0',
    perform: async ({ body }) => {
      const { parts } = body as unknown as Bodies['assemble'];
      const files = await together(
        blobs,
        parts.map(({ output }) => output),
      );
      if (files._tag === 'Left')
        return { failure: { code: 'unavailable', final: true, detail: { ...files.left } } };
      const content = { files: await filesJson(blobs, files.right) };
      await keepValue(blobs, content);
      const summary = `${files.right.length} files of ${parts.length} parts`;
      return { value: { artifact: { format: 'files', summary, content } } };
    },
  };
}

/**
 * Writes what a run has assembled into a folder: the files of its output, or of its parts where nobody put
 * them together. `assembly`: the artifact of the run. The folder is there, and no path leaves it; what stands
 * there with other bytes stays. Right: how many files. Codes: `blob`, `folder`, those of `write_file`.
 */
export async function assembleInto(
  folder: string,
  assembly: Json,
  blobs: Blobs,
): Promise<Result<FilesFault, number>> {
  if (!isObject(assembly)) return ok(0);
  const whole = typeof assembly['output'] === 'string' ? await readFiles(blobs, assembly['output']) : ok([]);
  if (whole._tag === 'Left') return whole;
  const listed = isArray(assembly['parts'] ?? null) ? (assembly['parts'] as readonly Json[]) : [];
  const outputs = listed.flatMap((part) =>
    isObject(part) && typeof part['output'] === 'string' ? [part['output']] : [],
  );
  const files = whole.right.length > 0 ? whole : await together(blobs, outputs);
  if (files._tag === 'Left') return files;
  const opened = await openWorkspace(folder);
  if (opened._tag === 'Left') return err({ code: 'folder', path: folder });
  const tools = orThrow(await toolset(opened.right, { allow: { tools: ['write_file'] } }));
  const written = await writeFiles(tools, memoryBlobs(), files.right, new AbortController().signal);
  return written._tag === 'Left' ? written : ok(files.right.length);
}
