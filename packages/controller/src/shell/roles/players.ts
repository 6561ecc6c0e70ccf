/**
 * Who answers what a controller run asks: players of its roles (rules, recordings, language models), the
 * tools, the clock, a person, a memory. The policy of a task: the defaults, fields that are given, the tools
 * that there are, and who plays which role: what a request asks, what a policy binds, and who answered so
 * far. Source: 002 "Key Invariants".
 */
import { type Port, type Ports, clockPort } from '@assay/host';
import {
  type Request,
  err,
  isObject,
  ok,
  type Json,
  type RecordedProposal,
  type Result,
  type JsonObject,
} from '@assay/kernel';
import { CAST, findCast, type CastRole, defaultPolicy, parsePolicy, type Policy } from '../../index.js';
import type { Evidence } from '../../evidence/index.js';
import type { Outputs } from '@assay/host';
import { readField, readText } from '@assay/kernel/shape';

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

/**
 * Who plays each role, by the name under which it answers; null where that is not known beforehand, as of a
 * recording.
 */
export type Casting = { readonly [role in CastRole]: string | null };

/** A role that a policy binds to somebody else than plays it: each answer would be paid for and rejected. */
export type Miscast = {
  readonly code: 'cast';
  readonly role: CastRole;
  readonly bound: Json;
  readonly plays: string;
};

/**
 * The policy with every role bound to who plays it, where language models are among them: so ranks speak of
 * them, and an answer of anybody else is rejected. Without models it stays as it is. Code `cast`.
 */
export function castPolicy(policy: Json, casting: Casting, hasModels: boolean): Result<Miscast, Json> {
  const roles = readField(policy, 'roles');
  if (!isObject(policy) || !isObject(roles)) return ok(policy);
  for (const role of CAST) {
    const [bound, plays] = [roles[role] ?? null, casting[role]];
    if (bound !== null && plays !== null && bound !== plays) return err({ code: 'cast', role, bound, plays });
  }
  if (!hasModels) return ok(policy);
  return ok({
    ...policy,
    roles: {
      ...roles,
      ...Object.fromEntries(
        CAST.flatMap((role) =>
          (roles[role] ?? null) === null && casting[role] !== null ? [[role, casting[role]]] : [],
        ),
      ),
    },
  });
}

/**
 * Who answered requests so far: which role was played by whom, where it was neither a rule nor a tool.
 * `kindOf`: of a request's id.
 */
export function playedBy(
  proposals: readonly Pick<RecordedProposal, 'request_id' | 'source' | 'proposer'>[],
  kindOf: (request: string) => string,
): ReadonlyMap<CastRole, string> {
  const found = new Map<CastRole, string>();
  for (const { request_id, source, proposer } of proposals) {
    const role = findCast(kindOf(request_id));
    if (role !== null && source !== 'rule' && source !== 'tool') found.set(role, proposer);
  }
  return found;
}

/** Why there is no policy. `policy`: the machine refuses it; `at` is the field at fault, "" where it names none. */
export type PolicyError =
  | { readonly code: 'policy'; readonly why: string; readonly detail: Json; readonly at: string }
  | Miscast;

/** The default policy of a task that has these tools. */
export function policyOver(parts: Pick<Policy, 'tools' | 'memory' | 'clock'>): JsonObject {
  return { ...defaultPolicy, ...parts };
}

/** A policy with who plays the roles, as the machine takes it. Codes: `cast`, `policy`. */
export function playedPolicy(
  policy: JsonObject,
  casting: Casting,
  hasModels: boolean,
): Result<PolicyError, JsonObject> {
  const played = castPolicy(policy, casting, hasModels);
  if (played._tag === 'Left') return played;
  const read = parsePolicy(played.right);
  if (read._tag === 'Right') return ok(played.right as JsonObject);
  const { code, detail } = read.left;
  // The solver of the gradient names its field, the rest of the policy the path to it.
  return err({
    code: 'policy',
    why: code,
    detail,
    at: readText(detail, 'field') || readText(detail, 'path'),
  });
}
