/**
 * A role that is bound to somebody else than plays it, in words.
 *
 * @module
 */
import type { Miscast } from '@assay/controller/shell';
import { misuse, type Stop } from './problem.js';

/** What stops the command where a role is miscast. */
export function castProblem({ role, bound, plays }: Omit<Miscast, 'code'>, remedy: string): Stop {
  return misuse(
    'cast',
    `the policy binds ${role} to ${JSON.stringify(bound)}, but ${plays} plays it`,
    `--proposer ${role}=…`,
    remedy,
  );
}
