/**
 * Who answers what a controller run asks: players of its roles (rules, recordings, language models), the tools, the
 * clock, a person, a memory.
 *
 * @module
 */
import { type Port, type Ports, clockPort } from '@assay/host';
import type { Request } from '@assay/kernel';
import { CAST, findCast, type CastRole } from '../../index.js';
import type { Casting } from './casting.js';
import type { Evidence } from '../../evidence/index.js';
import type { Outputs } from '../executor/call-port.js';

/** What a run shows so far, and its whole outputs. Source: calls/C4. */
export type RoleContext = { readonly evidence: () => Evidence; readonly outputs: Outputs };

/** Ports of a role, or of several, made for one run. */
export type RolePorts = (context: RoleContext) => Ports;

/** Name under which the rules' answers are recorded. */
export const CONTROL_RULES = 'rules';

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
    const role = findCast(request.kind);
    return role === null ? null : (cast.get(role)?.(request) ?? null);
  };
}

/**
 * Somebody who plays roles. `name`: under which every answer is recorded; null if that is not known
 * beforehand. `units`: in which a model is counted. `plays`: the roles taken if no role is named.
 */
export type Player = {
  readonly ports: RolePorts;
  readonly name: string | null;
  readonly namesOf: (role: CastRole) => ReadonlySet<string>;
  readonly units: readonly string[];
  readonly plays: readonly CastRole[];
};

/**
 * The roles of a run. `portsOf`: who answers for a role. `units`: in which language models are counted; empty
 * without any. `namesOf`: every name under which a role is answered. `unnamed`: roles that nobody was named
 * for.
 */
export type Players = {
  readonly portsOf: (role: CastRole) => RolePorts;
  readonly units: ReadonlySet<string>;
  readonly casting: Casting;
  readonly namesOf: (role: CastRole) => ReadonlySet<string>;
  readonly unnamed: ReadonlySet<CastRole>;
};

/** Language models and rules, under one name: `port` makes the one that answers for a run. */
export function namedPlayer(
  name: string,
  port: (context: RoleContext) => Port,
  units: readonly string[] = [],
): Player {
  return {
    ports: (context) => {
      const made = port(context);
      return () => made;
    },
    name,
    namesOf: () => new Set([name]),
    units,
    plays: CAST,
  };
}

/** A recording. `kinds`: the kinds of requests that it answers, each with the proposers of its answers. */
export function recordedPlayer(ports: Ports, kinds: ReadonlyMap<string, ReadonlySet<string>>): Player {
  const namesOf = (role: CastRole): ReadonlySet<string> =>
    new Set([...kinds].flatMap(([kind, names]) => (findCast(kind) === role ? [...names] : [])));
  const recorded = CAST.filter((role) => namesOf(role).size > 0);
  // An empty recording has no answer to anything, and is to say so.
  return {
    ports: () => ports,
    name: null,
    namesOf,
    units: [],
    plays: recorded.length === 0 ? CAST : recorded,
  };
}

/**
 * Gives roles to players: `role` names one, null all that a player takes. The first named has a role, one
 * named for it alone before all others; `rest` has what nobody was named for.
 */
export function choosePlayers(
  given: readonly { readonly role: CastRole | null; readonly player: Player }[],
  rest: Player,
): Players {
  const [own, shared] = [new Map<CastRole, Player>(), new Map<CastRole, Player>()];
  for (const { role, player } of given) {
    const table = role === null ? shared : own;
    for (const taken of role === null ? player.plays : [role])
      if (!table.has(taken)) table.set(taken, player);
  }
  const named = (role: CastRole): Player | undefined => own.get(role) ?? shared.get(role);
  const played = (role: CastRole): Player => named(role) ?? rest;
  return {
    portsOf: (role) => played(role).ports,
    units: new Set(CAST.flatMap((role) => played(role).units)),
    casting: Object.fromEntries(CAST.map((role) => [role, played(role).name])) as Casting,
    namesOf: (role) => played(role).namesOf(role),
    unnamed: new Set(CAST.filter((role) => named(role) === undefined)),
  };
}
