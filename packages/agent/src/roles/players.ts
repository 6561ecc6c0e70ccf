/**
 * Who plays the roles of a task: rules, recordings, language models, and for the work the tools.
 *
 * @module
 */
import { CAST, type CastRole } from '@assay/controller';
import type { Port, Ports } from '@assay/host';
import { EXECUTOR } from '../executor/executor.js';
import { castOf, type Casting } from './casting.js';
import { CONTROL_RULES, controlRulesPort } from './rules-port.js';

/**
 * Somebody who plays roles. `ports`: null if the work is done by the tools. `name`: under which every answer
 * is recorded; null if that is not known beforehand. `units`: in which a model is counted. `plays`: the roles
 * taken if no role is named.
 */
export type Player = {
  readonly ports: Ports | null;
  readonly name: string | null;
  readonly namesOf: (role: CastRole) => ReadonlySet<string>;
  readonly units: readonly string[];
  readonly plays: readonly CastRole[];
};

/**
 * The roles of a run. `portsOf`: who answers for a role; null for R3 if the tools do its work. `units`: in
 * which language models are counted; empty without any. `namesOf`: every name under which a role is answered.
 * `unnamed`: roles that nobody was named for.
 */
export type Players = {
  readonly portsOf: (role: CastRole) => Ports | null;
  readonly units: ReadonlySet<string>;
  readonly casting: Casting;
  readonly namesOf: (role: CastRole) => ReadonlySet<string>;
  readonly unnamed: ReadonlySet<CastRole>;
};

/** The names of all roles that somebody plays. */
export const ROLES: readonly CastRole[] = CAST;
/** Roles that judge, and do no work. */
const JUDGING: readonly CastRole[] = CAST.filter((role) => role !== 'R3');

/** Language models and rules, under one name. */
export function namedPlayer(port: Port, units: readonly string[] = []): Player {
  const { proposer } = port;
  return {
    ports: () => port,
    name: proposer,
    namesOf: () => new Set([proposer]),
    units,
    plays: JUDGING,
  };
}

/** The rules; they write the steps of the work, and the tools carry them out. */
export const rulesPlayer: Player = namedPlayer(controlRulesPort);
const TOOLS: Player = {
  ports: null,
  name: null,
  namesOf: () => new Set([EXECUTOR]),
  units: [],
  plays: [],
};

/** A recording. `kinds`: the kinds of requests that it answers, each with the proposers of its answers. */
export function recordedPlayer(ports: Ports, kinds: ReadonlyMap<string, ReadonlySet<string>>): Player {
  const namesOf = (role: CastRole): ReadonlySet<string> =>
    new Set([...kinds].flatMap(([kind, names]) => (castOf(kind) === role ? [...names] : [])));
  const recorded = CAST.filter((role) => namesOf(role).size > 0);
  // An empty recording has no answer to anything, and is to say so.
  return { ports, name: null, namesOf, units: [], plays: recorded.length === 0 ? JUDGING : recorded };
}

/**
 * Gives roles to players: `role` names one, null all that a player takes. The first named has a role, one
 * named for it alone before all others; the rules, and for R3 the tools, have what nobody was named for.
 */
export function playersOf(
  given: readonly { readonly role: CastRole | null; readonly player: Player }[],
): Players {
  const [own, shared] = [new Map<CastRole, Player>(), new Map<CastRole, Player>()];
  for (const { role, player } of given) {
    const table = role === null ? shared : own;
    const one = role === 'R3' && player.name === CONTROL_RULES ? TOOLS : player;
    for (const taken of role === null ? player.plays : [role]) if (!table.has(taken)) table.set(taken, one);
  }
  const named = (role: CastRole): Player | undefined => own.get(role) ?? shared.get(role);
  const played = (role: CastRole): Player => named(role) ?? (role === 'R3' ? TOOLS : rulesPlayer);
  return {
    portsOf: (role) => played(role).ports,
    units: new Set(CAST.flatMap((role) => played(role).units)),
    casting: Object.fromEntries(CAST.map((role) => [role, played(role).name])) as Casting,
    namesOf: (role) => played(role).namesOf(role),
    unnamed: new Set(CAST.filter((role) => named(role) === undefined)),
  };
}
