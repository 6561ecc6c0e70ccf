/**
 * The policy of a task: the defaults, fields that are given, the tools that there are, and who plays which role: what
 * a request asks, what a policy binds, and who answered so far. Source: 002 "Key Invariants".
 *
 * @module
 */
import {
  err,
  isObject,
  ok,
  type Json,
  type RecordedProposal,
  type Result,
  type JsonObject,
} from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { CAST, findCast, type CastRole, defaultPolicy, parsePolicy, type Policy } from '../../index.js';

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
