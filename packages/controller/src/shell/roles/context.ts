/**
 * What whoever plays a role is made with.
 *
 * @module
 */
import type { Ports } from '@assay/host';
import type { Evidence } from '../../evidence/index.js';
import type { Outputs } from '../executor/outputs.js';

/** What a run shows so far, and its whole outputs. Source: calls/C4. */
export type RoleContext = { readonly evidence: () => Evidence; readonly outputs: Outputs };

/** Ports of a role, or of several, made for one run. */
export type RolePorts = (context: RoleContext) => Ports;

/** Name under which the rules' answers are recorded. */
export const CONTROL_RULES = 'rules';
