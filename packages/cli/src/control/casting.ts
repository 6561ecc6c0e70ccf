/**
 * Who plays which role, as the policy of a run says it: what the machine then holds every answer to. Source:
 * 002 "Key Invariants".
 *
 * @module
 */
import { isObject, type Json } from '@assay/kernel';
import { CAST, type CastRole } from '@assay/controller';
import { misuse, type Stop } from '../problem.js';
import type { Casting } from './players.js';

/**
 * The policy with every role bound to who plays it, where language models are among them: so ranks speak of
 * them, and an answer of anybody else is rejected. Without models it stays as it is. Raises `Stop`, `cast`,
 * where the policy binds a role to somebody else than plays it: each answer would be paid for and rejected.
 */
export function castPolicy(policy: Json, casting: Casting, hasModels: boolean): Json {
  const roles = isObject(policy) ? (policy['roles'] ?? null) : null;
  if (!isObject(policy) || !isObject(roles)) return policy;
  for (const role of CAST) {
    const [bound, plays] = [roles[role] ?? null, casting[role]];
    if (bound !== null && plays !== null && bound !== plays)
      throw castProblem(role, bound, plays, 'name the same in both, or leave roles out of the policy');
  }
  if (!hasModels) return policy;
  return {
    ...policy,
    roles: {
      ...roles,
      ...Object.fromEntries(
        CAST.flatMap((role) =>
          (roles[role] ?? null) === null && casting[role] !== null ? [[role, casting[role]]] : [],
        ),
      ),
    },
  };
}

/** A role that is bound to somebody else than plays it. */
export function castProblem(role: CastRole, bound: Json, plays: string, remedy: string): Stop {
  return misuse(
    'cast',
    `the policy binds ${role} to ${JSON.stringify(bound)}, and ${plays} plays it`,
    `--proposer ${role}=…`,
    remedy,
  );
}
