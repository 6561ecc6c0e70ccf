/**
 * Who answers what a controller run asks: the players of its roles, the tools, the clock, a person, a memory.
 *
 * @module
 */
import type { Request } from '@assay/kernel';
import { clockPort, type Port, type Ports } from '@assay/host';
import { CAST, castOf, type CastRole } from '../../index.js';
import type { RoleContext, RolePorts } from './context.js';

/** Everything but the roles. */
export type Others = {
  readonly call: Port;
  readonly confirm: Port;
  readonly recall: Port | null;
  readonly now?: () => number;
};

/** The ports of a run. `portsOf`: who answers for a role. */
export function controlPorts(
  portsOf: (role: CastRole) => RolePorts,
  context: RoleContext,
  { call, confirm, recall, now }: Others,
): Ports {
  const clock = clockPort(now === undefined ? {} : { read: now });
  const cast = new Map(CAST.map((role) => [role, portsOf(role)(context)] as const));
  return (request: Request): Port | null => {
    if (request.kind === 'clock') return clock;
    if (request.kind === 'call') return call;
    if (request.kind === 'confirm') return confirm;
    if (request.kind === 'recall') return recall;
    const role = castOf(request.kind);
    return role === null ? null : (cast.get(role)?.(request) ?? null);
  };
}
