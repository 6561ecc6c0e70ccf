/**
 * Who carries out what: the resolver that a request names, tools for what is logic, everybody else as they are.
 * Source: 000 §5 RESOLVE; dec-K32, dec-K82.
 *
 * @module
 */
import type { Request, Spent } from '@assay/kernel';
import type { Bodies, Policy } from '../index.js';
import type { Toolset } from '@assay/effector';
import type { Port, Ports } from '@assay/host';
import { agentPort, type AgentLeaf } from './agent-leaf.js';
import { assemblePort } from './assembling.js';
import type { Blobs } from './blobs.js';
import { boundOf, resolverIn, withinBound } from './bounded.js';
import { checkPort, isForTools } from './checks.js';
import { keptPort } from './kept.js';
import { selfModelPort, toolsPort } from './resolvers.js';

/**
 * What a run acts with. `tools`: of the workspace, `write_file`, `read_file` and `run_check` among them; null
 * where nothing is executed. `blobs`: beside the ledger. `agent`: how `agent-0` works; null without it.
 * `others`: everybody else, models and people; they also stand in for resolvers that are not named here.
 */
export type Leaves = {
  readonly policy: Pick<Policy, 'resolvers' | 'checks' | 'limits' | 'budget'>;
  readonly tools: Toolset | null;
  readonly blobs: Blobs;
  readonly agent: AgentLeaf | null;
  readonly others: Ports;
};

/** The ports of a planner's run that acts. */
export function leafPorts({ policy, tools, blobs, agent, others }: Leaves): Ports {
  const self = selfModelPort(policy, blobs);
  const [hands, checks] = tools === null ? [null, null] : [toolsPort(tools, blobs), checkPort(tools, blobs)];
  const own: Readonly<Record<string, Port | null>> = {
    'self-model-0': self,
    'tools-0': hands,
    'agent-0': agent === null ? null : agentPort(agent, boundOf(policy, 'agent-0')),
  };
  const assemble = assemblePort(blobs);
  const mostOf = (request: Request): Spent => boundOf(policy, resolverIn(request));
  const kept = new WeakMap<Port, Port>();
  const keeping = (port: Port | null): Port | null => {
    if (port === null) return null;
    const before = kept.get(port) ?? withinBound(keptPort(port, blobs), mostOf);
    kept.set(port, before);
    return before;
  };
  return (request) => {
    const { kind, body } = request;
    if (kind === 'resolve') {
      const { resolver } = body as unknown as Bodies['resolve'];
      const found = Object.hasOwn(own, resolver) ? own[resolver] : undefined;
      return found === undefined ? keeping(others(request)) : found;
    }
    if (kind === 'verify' && isForTools(body)) return checks ?? keeping(others(request));
    if (kind === 'assemble' && tools !== null) return assemble;
    return keeping(others(request));
  };
}
