/**
 * Who answers what a controller run asks: the players of its roles, the tools of a workspace, the clock, a
 * person, a memory.
 *
 * @module
 */
import type { Request } from '@assay/kernel';
import { clockPort, type Port, type Ports } from '@assay/host';
import type { CastRole } from '@assay/controller';
import { castOf } from './casting.js';

/** Everything but the roles. */
export type Others = {
  readonly execute: Port;
  readonly confirm: Port | null;
  readonly recall: Port | null;
  readonly now?: () => number;
};

/** The ports of a run. `portsOf`: who answers for a role; null for R3 where its work is done by the tools. */
export function controlPorts(
  portsOf: (role: CastRole) => Ports | null,
  { execute, confirm, recall, now }: Others,
): Ports {
  const clock = clockPort(now === undefined ? {} : { read: now });
  return (request: Request): Port | null => {
    if (request.kind === 'clock') return clock;
    if (request.kind === 'confirm') return confirm;
    if (request.kind === 'recall') return recall;
    const role = castOf(request.kind);
    if (role === null) return null;
    const player = portsOf(role);
    if (player !== null) return player(request);
    return role === 'R3' ? execute : null;
  };
}
