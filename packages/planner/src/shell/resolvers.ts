/**
 * The boot resolvers: what the run knows of itself, and the tools. Source: 000 §4; dec-K32, dec-K82.
 *
 * @module
 */
import type { Json } from '@assay/kernel';
import type { Bodies, Policy } from '../index.js';
import type { Toolset } from '@assay/effector';
import type { Port, PortAnswer } from '@assay/host';
import { keepValue, makeToken, type Blobs, readFiles, writeFiles, type LeafFile } from './files.js';
import { makeCheck, notWritten, runCheck } from './checks.js';

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
      const byPath = new Map<string, LeafFile>();
      for (const input of inputs) {
        const files = await readFiles(blobs, input);
        if (files._tag === 'Left') return notWritten(files.left);
        for (const file of files.right) byPath.set(file.path, file);
      }
      const files = [...byPath.values()];
      const written = await writeFiles(tools, blobs, files, signal);
      if (written._tag === 'Left') return notWritten(written.left);
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

/** Files as a ledger has them. */
export async function filesJson(blobs: Blobs, files: readonly LeafFile[]): Promise<Json> {
  const listed: Json[] = [];
  for (const { path, bytes } of files) listed.push({ path, blob: makeToken(bytes, await blobs.put(bytes)) });
  return listed;
}
