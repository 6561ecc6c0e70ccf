/**
 * Who plays the roles of a task: rules, recordings, language models.
 *
 * @module
 */
import { CAST, castOf, type CastRole } from '../../index.js';
import type { Port, Ports } from '@assay/host';
import type { Casting } from './casting.js';
import type { RoleContext, RolePorts } from './context.js';

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
    new Set([...kinds].flatMap(([kind, names]) => (castOf(kind) === role ? [...names] : [])));
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
export function playersOf(
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
