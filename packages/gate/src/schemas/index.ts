/**
 * The schema of policy files: a shape, published as JSON Schema.
 *
 * @packageDocumentation
 */
import type { Published } from '@assay/kernel/schemas';
import { POLICY } from '../policy/policy.js';

/** The schemas by the name of their file. */
export const GATE_PUBLISHED: readonly Published[] = [
  ['gate-policy', 'Policy of a gate', POLICY, ['ids of rules and budgets are used once']],
];
